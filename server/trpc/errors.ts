/**
 * Public errors of both adapters (REST and tRPC). Internal errors become one fixed sentence, so that no
 * detail leaks; their cause goes to the log.
 */
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import { en } from '../contract/words/en.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';

/** The errors of the API: status and sentence, in which `{words}` are filled in. Those that visitors read are words of the site, too. */
export const errors = {
  VALIDATION: [400, 'Some fields need another look.'],
  MALFORMED_JSON: [400, 'The request body is not valid JSON.'],
  MALFORMED_REQUEST: [400, 'The request is not valid HTTP.'],
  INVALID_HOST: [400, 'The Host header is missing or malformed.'],
  BATCH_TOO_LARGE: [400, 'One request may carry eight calls.'],
  OTHER_CURRENCY: [
    400,
    'A sale with this id was reported in another currency. Please send its refunds in that one.',
  ],
  INVALID_SIGNATURE: [400, 'The signature header is missing, wrong or too old.'],
  THIN_EVENT: [
    400,
    'This is a thin event. Choose the payload style Snapshot for this endpoint in Stripe.',
  ],
  UNREADABLE_EVENT: [400, 'This event cannot be read here. Please update the site.'],
  FILE_HAS_ERRORS: [
    400,
    'Some lines of this file cannot be imported. Please look at its preview again.',
  ],
  UNAUTHORIZED: [401, 'Unauthorized'],
  INVALID_PASSWORD: [401, 'Invalid password'],
  INVALID_SIGN_IN_LINK: [
    401,
    'This sign-in link is not valid any more. Please create another: npm run admin -- sign-in-link',
  ],
  INVALID_CODE: [
    401,
    'That is not the set-up code. After ten wrong ones you have to wait ten minutes.',
  ],
  INVALID_KEY: [401, 'The key in the Authorization header is missing or wrong.'],
  INSUFFICIENT_SCOPE: [
    403,
    'This API key lacks the scope {scope}. Please create a key that has it.',
  ],
  SESSION_REQUIRED: [403, 'No API key can make this call. Please sign in instead.'],
  FOREIGN_ORIGIN: [403, en.errors.foreignOrigin],
  WRONG_CURRENT_PASSWORD: [403, 'Your current password is another one.'],
  CONFIRM_PASSWORD: [
    403,
    'This asks for your password again. Please type it, then repeat this within ten minutes.',
  ],
  NOT_FOUND: [404, 'There is no such call.'],
  BOOKING_NOT_FOUND: [404, en.errors.bookingNotFound],
  DOUBT_NOT_FOUND: [404, 'These two sales are not in doubt any more. Please reload the page.'],
  VERSION_NOT_FOUND: [404, 'There is no such version of the site.'],
  METHOD_NOT_ALLOWED: [405, 'This call takes another method.'],
  REQUEST_TIMEOUT: [408, en.errors.requestTimeout],
  SLOT_TAKEN: [409, en.errors.slotTaken],
  TIME_IN_USE: [409, 'A call or a blocked time already begins then.'],
  BOOKING_CLOSED: [409, en.errors.bookingClosed],
  PASSWORD_IN_ENVIRONMENT: [
    409,
    'ADMIN_PASSWORD is set and would replace the new password at the next start. Please change it there.',
  ],
  DRAFT_CHANGED: [
    409,
    'The draft was changed in another window. Please look at it again before you publish it.',
  ],
  CONTENT_IN_FILE: [
    409,
    'SITE_CONTENT=file is set, so the site shows site.config.ts. Please change it there.',
  ],
  CONTENT_UNREADABLE: [
    409,
    'This version of the program cannot read the {what}, so it changes nothing. Please update the program, or run: npm run admin -- content {command}',
  ],
  VERSION_UNREADABLE: [
    409,
    'This version of the site is damaged, or another version of the program has stored it. Please choose another one, or update the program.',
  ],
  NO_MAIL_SERVER: [
    409,
    'No mail server is set. Please connect one under Settings, or set SMTP_URL.',
  ],
  SET_BY_ENVIRONMENT: [
    409,
    '{variable} is set in the environment of the server, which wins. Please change it there.',
  ],
  DEMO_DATA: [409, 'The data are made up by the command demo, so the site sends no email.'],
  PAYLOAD_TOO_LARGE: [413, en.errors.tooLong],
  UPLOAD_TOO_LARGE: [413, 'This is too long to be stored. Please shorten it.'],
  PHOTO_TOO_LARGE: [413, 'This photo is larger than 2 MB. Please choose a smaller one.'],
  UNSUPPORTED_PHOTO: [
    415,
    'This is no JPEG, PNG or WebP photo of at most 4,096 pixels a side. Please choose another one.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Please send JSON (Content-Type: application/json).'],
  WRONG_HOST: [421, 'This server does not serve this host. Please use the address of the site.'],
  TEST_EMAIL_FAILED: [422, 'The test email was not sent: {reason}'],
  RATE_LIMITED: [429, en.errors.rateLimited],
  TEXT_LIMIT_REACHED: [429, en.errors.textLimitReached],
  FORM_UNAVAILABLE: [429, en.errors.formUnavailable],
  BOOKING_LIMIT_REACHED: [429, en.errors.bookingLimitReached],
  BOOKINGS_PAUSED: [429, en.errors.bookingsPaused],
  LOGIN_RATE_LIMITED: [429, 'Too many tries. Please wait {wait}.'],
  LOGIN_RATE_LIMITED_FOR_ALL: [
    429,
    'Somebody is trying many passwords. Please use a browser you have signed in with before, or try again in {wait}.',
  ],
  LOGIN_BUSY: [429, 'Many are signing in at this moment. Please try again in {wait}.'],
  HEADERS_TOO_LARGE: [
    431,
    'The head of this request is too large. Deleting the cookies of this site may help.',
  ],
  INTERNAL_ERROR: [500, en.errors.internalError],
  BACKUP_FAILED: [500, 'The backup could not be made. {reason}'],
  STORAGE_UNAVAILABLE: [503, en.errors.storageUnavailable],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

/** A stable error code. Clients use the codes, because wording may change. */
export type ErrorCode = keyof typeof errors;

/** The sentence of a code as the catalogue has it. */
export const sentenceOf = (code: ErrorCode): string => errors[code][1];

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

interface ErrorDetails {
  /** The invalid fields, with `VALIDATION`. */
  issues?: readonly Issue[];
  /** Milliseconds until the next attempt is allowed: `{wait}` in the sentence, and `Retry-After`. */
  wait?: number;
  /** The closest free times, in ms since 1970. */
  nearest?: readonly number[];
  /** Other words of the sentence. They must be fit for the caller. */
  words?: Record<string, string>;
  cause?: unknown;
}

/** An error for the caller. Procedures and handlers throw it by its code. */
export class ApiError extends TRPCError {
  readonly response: ErrorResponse;

  constructor(code: ErrorCode, { wait, nearest, words, issues, cause }: ErrorDetails = {}) {
    const [status, sentence] = errors[code];
    const retryAfter = wait === undefined ? undefined : Math.max(1, Math.ceil(wait / 1000));
    const filled = { ...words, ...(retryAfter !== undefined && { wait: inWords(retryAfter) }) };
    const message = fill(sentence, filled);
    super({ code: trpcCodes[status] ?? 'INTERNAL_SERVER_ERROR', message, cause });
    this.response = {
      status,
      message,
      code,
      ...(issues && { issues: [...issues] }),
      ...(nearest && { nearest: nearest.map((time) => new Date(time).toISOString()) }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }
}

/** Throws a rate limit error when there are milliseconds to wait. */
export function refuse(wait: number, code: ErrorCode = 'RATE_LIMITED'): void {
  if (wait > 0) throw new ApiError(code, { wait });
}

const fill = (sentence: string, words: Record<string, string>) =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '');

/** tRPC's names of the statuses. */
const trpcCodes: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
};

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
  if (error instanceof ApiError) return error.response;
  return errorResponse(codeOfStatus[getHTTPStatusCodeFromError(error)] ?? 'INTERNAL_ERROR');
}

/** The public error with the sentence of this code. */
export function errorResponse(code: ErrorCode): ErrorResponse {
  const [status, message] = errors[code];
  return { status, message, code };
}

// Replaces tRPC's own messages, so that both adapters return the same ones.
const codeOfStatus: Record<number, ErrorCode> = {
  400: 'MALFORMED_JSON',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
