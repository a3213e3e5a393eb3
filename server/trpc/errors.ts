/**
 * Public errors of both adapters (REST and tRPC). Internal errors become one fixed sentence, so that no
 * detail leaks; their cause goes to the log.
 */
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import type { Scope } from '../contract/scopes.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';

/** The error messages of the API by their code. */
export const sentences = {
  VALIDATION: 'Some fields need another look.',
  MALFORMED_JSON: 'The request body is not valid JSON.',
  UNAUTHORIZED: 'Unauthorized',
  INVALID_PASSWORD: 'Invalid password',
  WRONG_CURRENT_PASSWORD: 'Your current password is another one.',
  PASSWORD_IN_ENVIRONMENT:
    'ADMIN_PASSWORD is set and would replace the new password at the next start. Please change it there.',
  NO_MAIL_SERVER: 'No mail server is set. Please set SMTP_URL and restart the site.',
  DEMO_DATA: 'The data are made up by the command demo, so the site sends no email.',
  TEST_EMAIL_FAILED: 'The test email was not sent: {reason}',
  INVALID_SIGN_IN_LINK:
    'This sign-in link is not valid any more. Please create another: npm run admin -- sign-in-link',
  INVALID_SIGNATURE: 'The signature header is missing, wrong or too old.',
  THIN_EVENT:
    'This is a thin event. Choose the payload style Snapshot for this endpoint in Stripe.',
  UNREADABLE_EVENT: 'This event cannot be read here. Please update the site.',
  INVALID_KEY: 'The key in the Authorization header is missing or wrong.',
  INSUFFICIENT_SCOPE: 'This API key lacks the scope {scope}. Please create a key that has it.',
  SESSION_REQUIRED: 'No API key can make this call. Please sign in instead.',
  FOREIGN_ORIGIN: 'This request came from another site. Please use the form on this site.',
  INVALID_HOST: 'The Host header is missing or malformed.',
  WRONG_HOST: 'This server does not serve this host. Please use the address of the site.',
  NOT_FOUND: 'There is no such call.',
  METHOD_NOT_ALLOWED: 'This call takes another method.',
  BATCH_TOO_LARGE: 'One request may carry eight calls.',
  MALFORMED_REQUEST: 'The request is not valid HTTP.',
  HEADERS_TOO_LARGE:
    'The head of this request is too large. Deleting the cookies of this site may help.',
  REQUEST_TIMEOUT: 'The request did not arrive in time. Please try again.',
  PAYLOAD_TOO_LARGE: 'The message is too long. Please shorten it.',
  UNSUPPORTED_MEDIA_TYPE: 'Please send JSON (Content-Type: application/json).',
  RATE_LIMITED: 'Too many requests. Please wait a little and try again.',
  TEXT_LIMIT_REACHED:
    'Your network has sent a lot of text today. Please send this message by email instead.',
  SLOT_TAKEN: 'Somebody else just booked this time. Please choose another one.',
  BOOKING_NOT_FOUND: 'There is no booking at this address.',
  BOOKING_CLOSED: 'This call can no longer be changed here. Please reply to the email about it.',
  OTHER_CURRENCY:
    'A sale with this id was reported in another currency. Please send its refunds in that one.',
  FILE_HAS_ERRORS: 'Some lines of this file cannot be imported. Please look at its preview again.',
  DOUBT_NOT_FOUND: 'These two sales are not in doubt any more. Please reload the page.',
  TIME_IN_USE: 'A call or a blocked time already begins then.',
  BOOKING_LIMIT_REACHED:
    'You have booked as many calls as this page takes. Please send an email instead.',
  BOOKINGS_PAUSED:
    'Many calls were booked just now, so this page takes no more for a while. Please send an email with two or three times that suit you.',
  FORM_UNAVAILABLE: 'This form cannot take your message now. Please send it by email instead.',
  STORAGE_UNAVAILABLE: 'This cannot be done just now. Please try again in a minute.',
  LOGIN_RATE_LIMITED: 'Too many tries. Please wait {wait}.',
  LOGIN_RATE_LIMITED_FOR_ALL:
    'Somebody is trying many passwords. Please use a browser you have signed in with before, or try again in {wait}.',
  LOGIN_BUSY: 'Many are signing in at this moment. Please try again in {wait}.',
  BACKUP_FAILED: 'The backup could not be made. {reason}',
  INTERNAL_ERROR: 'Something went wrong on our side. Please try again.',
} as const;

/** A stable error code. Clients use the codes, because wording may change. */
export type ErrorCode = keyof typeof sentences;

/** The status of each code. */
export const statuses: Record<ErrorCode, number> = {
  VALIDATION: 400,
  MALFORMED_JSON: 400,
  MALFORMED_REQUEST: 400,
  INVALID_HOST: 400,
  BATCH_TOO_LARGE: 400,
  OTHER_CURRENCY: 400,
  INVALID_SIGNATURE: 400,
  THIN_EVENT: 400,
  UNREADABLE_EVENT: 400,
  FILE_HAS_ERRORS: 400,
  UNAUTHORIZED: 401,
  INVALID_PASSWORD: 401,
  INVALID_SIGN_IN_LINK: 401,
  INVALID_KEY: 401,
  INSUFFICIENT_SCOPE: 403,
  SESSION_REQUIRED: 403,
  FOREIGN_ORIGIN: 403,
  WRONG_CURRENT_PASSWORD: 403,
  NOT_FOUND: 404,
  BOOKING_NOT_FOUND: 404,
  DOUBT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  SLOT_TAKEN: 409,
  TIME_IN_USE: 409,
  BOOKING_CLOSED: 409,
  PASSWORD_IN_ENVIRONMENT: 409,
  NO_MAIL_SERVER: 409,
  DEMO_DATA: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  WRONG_HOST: 421,
  TEST_EMAIL_FAILED: 422,
  RATE_LIMITED: 429,
  TEXT_LIMIT_REACHED: 429,
  FORM_UNAVAILABLE: 429,
  BOOKING_LIMIT_REACHED: 429,
  BOOKINGS_PAUSED: 429,
  LOGIN_RATE_LIMITED: 429,
  LOGIN_RATE_LIMITED_FOR_ALL: 429,
  LOGIN_BUSY: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  BACKUP_FAILED: 500,
  STORAGE_UNAVAILABLE: 503,
};

/** Procedures throw a `TRPCError` with a message of `sentences`. */
const codeOfSentence: ReadonlyMap<string, ErrorCode> = new Map(
  (Object.keys(sentences) as ErrorCode[]).map((code) => [sentences[code], code]),
);

interface Issue {
  path: string;
  message: string;
}

/** An error as the API returns it. */
export interface ErrorResponse {
  status: number;
  message: string;
  code: ErrorCode;
  issues?: Issue[];
  /** The free times closest to one that is taken, as ISO 8601 instants. */
  nearest?: string[];
  /** Whole seconds until a retry makes sense. */
  retryAfter?: number;
}

/** Rate limit error (429) with the time for `Retry-After`. */
export class TooManyRequests extends TRPCError {
  readonly retryAfter: number;
  readonly errorCode: ErrorCode;

  /**
   * @param wait milliseconds until the next attempt is allowed; replaces `{wait}` in the message
   * @param errorCode the code of the message
   */
  constructor(wait: number, errorCode: ErrorCode = 'RATE_LIMITED') {
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    const message = sentences[errorCode].replace('{wait}', inWords(seconds));
    super({ code: 'TOO_MANY_REQUESTS', message });
    this.retryAfter = seconds;
    this.errorCode = errorCode;
  }
}

/** The time of a call is not free (409). */
export class SlotTaken extends TRPCError {
  readonly nearest: string[];

  /** @param nearest the closest free times, in ms since 1970 */
  constructor(nearest: readonly number[]) {
    super({ code: 'CONFLICT', message: sentences.SLOT_TAKEN });
    this.nearest = nearest.map((time) => new Date(time).toISOString());
  }
}

/** The mail server did not take the test email (422). */
export class TestEmailFailed extends TRPCError {
  /** The mail server's answer, which only the owner may see, is on the second line where there is advice. */
  constructor({ error, advice }: { error: string; advice?: string | undefined }) {
    const reason = advice ? `${advice}\n${error}` : error;
    const message = sentences.TEST_EMAIL_FAILED.replace('{reason}', () => reason);
    super({ code: 'UNPROCESSABLE_CONTENT', message });
  }
}

/** A backup for a download could not be made (500). */
export class BackupFailed extends TRPCError {
  /** @param reason what happened and what to do, which only the owner may see */
  constructor(reason: string, cause: unknown) {
    const message = sentences.BACKUP_FAILED.replace('{reason}', () => reason);
    super({ code: 'INTERNAL_SERVER_ERROR', message, cause });
  }
}

/** The API key of the request lacks the scope of the procedure (403). */
export class InsufficientScope extends TRPCError {
  constructor(scope: Scope) {
    super({ code: 'FORBIDDEN', message: sentences.INSUFFICIENT_SCOPE.replace('{scope}', scope) });
  }
}

/** `Retry-After` of storage errors, in seconds. */
const storageRetryAfter = 60;

/** A duration in words, rounded up so that the next attempt is not too early. */
function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

/** The public error for anything thrown. It never contains the message of an internal error. */
export function errorResponseOf(error: unknown): ErrorResponse {
  if (storageErrorSentence(error) !== undefined) {
    return { ...errorResponse('STORAGE_UNAVAILABLE'), retryAfter: storageRetryAfter };
  }
  if (!(error instanceof TRPCError)) return errorResponse('INTERNAL_ERROR');
  // A ZodError with another code is about a response.
  if (error.code === 'BAD_REQUEST' && error.cause instanceof ZodError) {
    const issues = error.cause.issues.map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));
    return { ...errorResponse('VALIDATION'), issues };
  }
  if (error instanceof TooManyRequests) {
    const { message, errorCode: code, retryAfter } = error;
    return { ...errorResponse(code), message, retryAfter };
  }
  if (error instanceof SlotTaken) {
    return { ...errorResponse('SLOT_TAKEN'), nearest: error.nearest };
  }
  if (error instanceof BackupFailed) {
    return { ...errorResponse('BACKUP_FAILED'), message: error.message };
  }
  if (error instanceof TestEmailFailed) {
    return { ...errorResponse('TEST_EMAIL_FAILED'), message: error.message };
  }
  if (error instanceof InsufficientScope) {
    return { ...errorResponse('INSUFFICIENT_SCOPE'), message: error.message };
  }
  const code =
    codeOfSentence.get(error.message) ??
    codeOfStatus[getHTTPStatusCodeFromError(error)] ??
    'INTERNAL_ERROR';
  return errorResponse(code);
}

/** The public error with the message of this code. */
export const errorResponse = (code: ErrorCode): ErrorResponse => ({
  status: statuses[code],
  message: sentences[code],
  code,
});

// Replaces tRPC's own messages, so that both adapters return the same ones.
const codeOfStatus: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  401: 'UNAUTHORIZED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
};
