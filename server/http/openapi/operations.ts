/** What the OpenAPI document says about each call beside its route, its schemas and who may make it. */
import type { ProcedurePath } from '../../contract/routes.ts';
import type { ErrorCode } from '../../trpc/errors.ts';

interface Operation {
  /** What the call does, as an imperative. */
  summary: string;
  description?: string;
  /** Codes that this call can return, beside those of all calls of its kind. */
  errors?: readonly ErrorCode[];
  /** Whether it reads an `Idempotency-Key`. */
  isIdempotent?: true;
}

const loginErrors = [
  'LOGIN_RATE_LIMITED',
  'LOGIN_RATE_LIMITED_FOR_ALL',
  'LOGIN_BUSY',
] as const satisfies ErrorCode[];

/** The calls by procedure: a missing one does not compile. */
export const operations: Record<ProcedurePath, Operation> = {
  'contact.submit': {
    summary: 'Send a message',
    description: 'Responds once the message is stored. Spam gets the same response.',
    errors: ['RATE_LIMITED', 'TEXT_LIMIT_REACHED', 'FORM_UNAVAILABLE'],
    isIdempotent: true,
  },
  'contact.messages': {
    summary: 'List messages',
    description: 'Fifty a page, unread first, then the newest first.',
  },
  'contact.unread': { summary: 'Count the unread messages in the inbox' },
  'contact.emptySpam': { summary: 'Delete the spam received until a time' },
  'contact.sort': {
    summary: 'Move messages to a folder, or mark them as read or unread',
    description: 'Unknown ids are ignored.',
  },
  'booking.slots': { summary: 'List the free times of a call' },
  'booking.create': {
    summary: 'Book a call',
    description: 'Responds once the booking is stored.',
    errors: ['RATE_LIMITED', 'SLOT_TAKEN', 'BOOKING_LIMIT_REACHED', 'BOOKINGS_PAUSED'],
    isIdempotent: true,
  },
  'booking.change': {
    summary: 'Move or cancel a booking',
    description: 'The token is the end of the booking’s `url`.',
    errors: ['RATE_LIMITED', 'BOOKING_NOT_FOUND', 'BOOKING_CLOSED', 'SLOT_TAKEN'],
  },
  'booking.list': { summary: 'List bookings', description: 'Fifty a page.' },
  'booking.note': { summary: 'Write a note about a booking', errors: ['BOOKING_NOT_FOUND'] },
  'booking.block': {
    summary: 'Block a time of one date, by the owner’s clock',
    errors: ['TIME_IN_USE'],
  },
  'booking.unblock': { summary: 'Make a blocked time free again' },
  'auth.login': {
    summary: 'Sign in by password',
    description: 'Sets the session’s cookie.',
    errors: ['INVALID_PASSWORD', ...loginErrors],
  },
  'auth.signInWithLink': {
    summary: 'Sign in by a one-time link',
    description: 'Sets the session’s cookie.',
    errors: ['INVALID_SIGN_IN_LINK', 'RATE_LIMITED'],
  },
  'auth.logout': { summary: 'Sign out', description: 'Succeeds without a session too.' },
  'auth.changePassword': {
    summary: 'Change the password',
    description: 'Ends all other sessions and sets a new cookie.',
    errors: ['WRONG_CURRENT_PASSWORD', 'PASSWORD_IN_ENVIRONMENT', ...loginErrors],
  },
  'auth.sessions': { summary: 'List the browsers that are signed in' },
  'auth.endSession': { summary: 'End a session' },
  'auth.endOtherSessions': { summary: 'End every session but this one' },
  'keys.list': { summary: 'List the API keys' },
  'keys.create': { summary: 'Create an API key', description: 'Only this response holds the key.' },
  'keys.revoke': { summary: 'Revoke an API key' },
  'settings.status': { summary: 'Read what every screen of the owner shows' },
  'settings.launchCheck': { summary: 'Run the launch checks that need no network' },
  'settings.networkCheck': {
    summary: 'Check links, calendars and the mail domain',
    errors: ['FOREIGN_ORIGIN', 'RATE_LIMITED'],
  },
  'settings.email': { summary: 'Get the mail server' },
  'settings.backups': { summary: 'List the backups on the server' },
  'settings.sendTestEmail': {
    summary: 'Send a test email to the owner',
    description: 'Responds once the mail server has taken it.',
    errors: ['NO_MAIL_SERVER', 'DEMO_DATA', 'TEST_EMAIL_FAILED', 'RATE_LIMITED'],
  },
  'analytics.dashboard': {
    summary: 'Get the totals and the latest sales of a period',
    description: 'From `startDate` (default: 30 days ago) to now.',
  },
  'analytics.breakdown': {
    summary: 'Get the figures of a period by day, source and button',
    description: 'A filter by source leaves all sources in their list, one by button all buttons.',
  },
  'analytics.months': { summary: 'Get the figures of the last 24 months' },
  'analytics.rows': {
    summary: 'List the events or sales behind a figure',
    description: 'A hundred a page, the newest first.',
  },
  'analytics.settleDoubt': {
    summary: 'Decide whether two sales are one',
    errors: ['DOUBT_NOT_FOUND'],
  },
  'analytics.previewImport': {
    summary: 'Preview an import of sales',
    description: 'Takes the text of a CSV file, and how to read it. Stores nothing.',
  },
  'analytics.importSales': {
    summary: 'Import the sales of a file',
    description: 'Counts no sale twice. Send `next` as `from` until it is null.',
    errors: ['FILE_HAS_ERRORS'],
  },
  'analytics.record': {
    summary: 'Record a visitor’s activity',
    description: 'The response is the same whether it was counted or not.',
    errors: ['RATE_LIMITED'],
  },
  'analytics.importConversion': {
    summary: 'Report a sale of another checkout, or its refund',
    description:
      'An id counts once; send it again with a greater `refunded` to report a refund. Without any key, the call does not exist.',
    errors: ['NOT_FOUND', 'OTHER_CURRENCY'],
  },
};
