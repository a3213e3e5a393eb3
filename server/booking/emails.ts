/**
 * The emails about a booking: to the visitor an invitation with a calendar file, to the owner the same
 * times with what the visitor wrote. They are functions of the booking's row.
 */
import { type Email, type Html, html, type OutboxEmail, page } from '../email/email.ts';
import type { CallName } from './calls.ts';
import { dateInWords, isSameClock, spanInWords, timeInWords, zoneInWords } from './format.ts';
import { type CalendarEvent, icsOf, type Person } from './ics.ts';
import type { Pause } from './pause.ts';
import { type Booking, visitorEmailId } from './rows.ts';
import { tokenOf } from './token.ts';

/** What the emails say beside the booking. */
export interface EmailOptions {
  /** The owner: the sender of the emails, and the organizer in calendars. */
  owner: Person;
  /** Where answers of visitors go. */
  replyTo: Person;
  /** The name and the place of a call. */
  callOf: (name: CallName) => { title: string; place: string };
  /** Time zone of the owner. */
  timeZone: string;
  /** PUBLIC_URL. Without it emails have no links, since clients can invent other hosts. */
  origin: string | undefined;
  /** Signs the links. */
  key: Buffer;
}

/** What became of a booking. */
export type Change = 'booked' | 'moved' | 'cancelled';

/** The emails about a change, to the visitor and to the owner. */
export const emailsAbout = (
  booking: Booking,
  change: Change,
  options: EmailOptions,
): OutboxEmail[] => [toVisitor(booking, change, options), toOwner(booking, change, options)];

/** The reminder of a call on the day before. */
export function reminderOf(booking: Booking, options: EmailOptions): OutboxEmail {
  const { title } = options.callOf(booking.call);
  const when = spanInWords(booking.start, booking.end, booking.timeZone);
  return {
    id: `visitor-reminder-${booking.id}-${booking.sequence}`,
    to: { name: safeName(booking.name) ?? '', address: booking.email },
    replyTo: options.replyTo,
    subject: `Reminder: ${title}, ${when}`,
    ...bodyOf([greeting(booking), `Your call is on ${when}.`, ...details(booking, options)]),
  };
}

/** The email to the owner about a pause of bookings. It holds nothing that a visitor typed. */
export const pausedEmail = (
  pause: Pause,
  { timeZone, origin }: Pick<EmailOptions, 'timeZone' | 'origin'>,
): Email => ({
  subject: `Bookings are paused until ${endOf(pause, timeZone)}`,
  ...bodyOf([
    pausedSentence(pause, timeZone),
    'Until then the page asks visitors to email you. Booked calls stay booked, and the pause ends by itself.',
    'If these calls are not genuine, cancel them: that frees their times, but does not shorten the pause.',
    origin === undefined
      ? 'They are on your dashboard: Bookings.'
      : link('All bookings', `${origin}/analytics/bookings`),
  ]),
});

/** What the owner should know about a pause of bookings. */
export function pausedSentence(pause: Pause, timeZone: string): string {
  const { max, windowMs } = pause.quota;
  const hours = windowMs === hour ? 'an hour' : `${windowMs / hour} hours`;
  return `${max} calls were booked within ${hours}, so visitors cannot book until ${endOf(pause, timeZone)}.`;
}

const minute = 60_000;
const hour = 60 * minute;

/** The end of a pause in words, on the next full minute: no visitor can book before. */
function endOf({ until }: Pause, timeZone: string): string {
  const at = Math.ceil(until / minute) * minute;
  return [dateInWords(at, timeZone), timeInWords(at, timeZone), zoneInWords(at, timeZone)].join(
    ', ',
  );
}

/** The calendar event of a booking. */
export function eventOf(
  booking: Booking,
  options: Pick<EmailOptions, 'callOf' | 'origin' | 'key'> & { owner?: Person },
): CalendarEvent {
  const { owner } = options;
  const { title, place } = options.callOf(booking.call);
  const address = addressOf(booking, options);
  return {
    uid: `booking-${booking.id}`,
    sequence: booking.sequence,
    changedAt: booking.changedAt,
    start: booking.start,
    end: booking.end,
    summary: title,
    description: address === undefined ? '' : `Move or cancel the call: ${address}`,
    location: place,
    isCancelled: booking.state === 'cancelled',
    ...(owner && {
      organizer: owner,
      attendee: { name: safeName(booking.name) ?? booking.email, address: booking.email },
    }),
  };
}

const headlines: Record<Change, string> = {
  booked: 'Your call is booked.',
  moved: 'Your call has a new time.',
  cancelled: 'Your call is cancelled.',
};

function toVisitor(booking: Booking, change: Change, options: EmailOptions): OutboxEmail {
  const { title } = options.callOf(booking.call);
  const when = spanInWords(booking.start, booking.end, booking.timeZone);
  const method = change === 'cancelled' ? 'CANCEL' : 'REQUEST';
  return {
    id: visitorEmailId(booking),
    to: { name: safeName(booking.name) ?? '', address: booking.email },
    replyTo: options.replyTo,
    // The same words each time: Exchange names the visitor's appointment after the subject.
    subject: `${title}, ${when}`,
    calendar: { method, content: icsOf([eventOf(booking, options)], method) },
    ...bodyOf([
      greeting(booking),
      headlines[change],
      when,
      ...ownersClock(booking, options),
      ...(change === 'cancelled' ? [] : details(booking, options)),
    ]),
  };
}

function toOwner(booking: Booking, change: Change, options: EmailOptions): OutboxEmail {
  const { title } = options.callOf(booking.call);
  const when = spanInWords(booking.start, booking.end, options.timeZone);
  const { id, sequence, name, email, source, note } = booking;
  return {
    id: `booking-${id}-${sequence}`,
    replyTo: { name, address: email },
    subject: `Call ${change}: ${name}, ${when}`,
    // Not an invitation: the organizer of an event is not invited to it.
    calendar: { content: icsOf([{ ...eventOf(booking, options), summary: `${title}: ${name}` }]) },
    ...bodyOf([
      `${title} with ${name} <${email}>`,
      when,
      `For ${name}: ${spanInWords(booking.start, booking.end, booking.timeZone)}`,
      ...(note ? [note] : []),
      `Came from: ${source ?? 'Direct'}`,
      ...(options.origin === undefined
        ? []
        : [link('All bookings', `${options.origin}/analytics/bookings`)]),
    ]),
  };
}

/** The address of the booking's page. */
const addressOf = ({ id }: Booking, { origin, key }: Pick<EmailOptions, 'origin' | 'key'>) =>
  origin && `${origin}/booking/${tokenOf(id, key)}`;

/** Where the call is, and how to move or cancel it. */
function details(booking: Booking, options: EmailOptions): Line[] {
  const address = addressOf(booking, options);
  return [
    options.callOf(booking.call).place,
    address === undefined
      ? 'To move or cancel the call, answer this email.'
      : link('Move or cancel the call', address),
  ];
}

/** The time by the owner's clock, where it differs from the visitor's. */
function ownersClock({ start, end, timeZone }: Booking, options: EmailOptions): string[] {
  if (isSameClock(start, timeZone, options.timeZone)) return [];
  return [`${options.owner.name}’s time: ${spanInWords(start, end, options.timeZone)}`];
}

const greeting = ({ name }: Booking) => {
  const safe = safeName(name);
  return safe === undefined ? 'Hello,' : `Hello ${safe},`;
};

/**
 * The name as it may stand in an email to the visitor; undefined for one that could carry a message or an
 * address to somebody else's mailbox.
 */
export function safeName(name: string): string | undefined {
  const isShort = [...name].length <= 60;
  return isShort && !/[@:/\\<>]|\p{Cc}|\w\.\w|\d{5}/u.test(name) ? name : undefined;
}

/** A paragraph, or a link with its text. */
type Line = string | { text: string; address: string };

const link = (text: string, address: string): Line => ({ text, address });

function bodyOf(lines: readonly Line[]): Pick<Email, 'text' | 'html'> {
  return {
    text: lines
      .map((line) => (typeof line === 'string' ? line : `${line.text}: ${line.address}`))
      .join('\n\n'),
    html: page(html`${lines.map(paragraph)}`),
  };
}

const paragraph = (line: Line): Html =>
  typeof line === 'string'
    ? html`<p style="white-space:pre-wrap;overflow-wrap:anywhere">${line}</p>`
    : html`<p><a href="${line.address}">${line.text}</a></p>`;
