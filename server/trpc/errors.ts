/**
 * Public errors of both adapters (REST and tRPC). Internal errors become one fixed sentence, so that no
 * detail leaks; their cause goes to the log.
 */
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import { storageErrorSentence } from '../health/storage-errors.ts';

/** The error messages of the API. A test checks that `docs/api.md` lists them. */
export const sentences = {
  invalid: 'Some fields need another look.',
  malformedJson: 'The request body is not valid JSON.',
  unauthorized: 'Unauthorized',
  wrongPassword: 'Invalid password',
  wrongLink:
    'This sign-in link is not valid any more. Please create another: npm run admin -- sign-in-link',
  wrongSignature: 'The Stripe-Signature header is missing or wrong.',
  thinEvent: 'This is a thin event. Choose the payload style Snapshot for this endpoint in Stripe.',
  unreadableEvent: 'This event cannot be read here. Stripe will deliver it again.',
  wrongKey: 'The key in the Authorization header is missing or wrong.',
  foreignOrigin: 'This request came from another site. Please use the form on this site.',
  badHost: 'The Host header is missing or malformed.',
  wrongHost: 'This server does not serve this host. Please use the address of the site.',
  unknownCall: 'There is no such call.',
  wrongMethod: 'This call takes another method.',
  tooManyCalls: 'One request may carry eight calls.',
  unreadable: 'This is no request that this server can read.',
  headTooLarge:
    'The head of this request is too large. Deleting the cookies of this site may help.',
  tooSlow: 'The request did not arrive in time. Please try again.',
  tooLarge: 'The message is too long. Please shorten it.',
  wrongType: 'Please send JSON (Content-Type: application/json).',
  tooMany: 'Too many requests. Please wait a little and try again.',
  tooMuchText:
    'Your network has sent a lot of text today. Please send this message by email instead.',
  noRoom: 'This form cannot take your message now. Please send it by email instead.',
  notNow: 'This cannot be done just now. Please try again in a minute.',
  tooManyGuesses: 'Too many tries. Please wait {wait}.',
  guessedElsewhere:
    'Somebody is trying many passwords. Please use a browser you have signed in with before, or try again in {wait}.',
  gateIsFull: 'Many are signing in at this moment. Please try again in {wait}.',
  ours: 'Something went wrong on our side. Please try again.',
} as const;

/** The stable code of each message. Clients use the codes, because wording may change. */
export const codes: Record<keyof typeof sentences, string> = {
  invalid: 'VALIDATION',
  malformedJson: 'MALFORMED_JSON',
  unauthorized: 'UNAUTHORIZED',
  wrongPassword: 'INVALID_PASSWORD',
  wrongLink: 'INVALID_SIGN_IN_LINK',
  wrongSignature: 'INVALID_SIGNATURE',
  thinEvent: 'THIN_EVENT',
  unreadableEvent: 'UNREADABLE_EVENT',
  wrongKey: 'INVALID_KEY',
  foreignOrigin: 'FOREIGN_ORIGIN',
  badHost: 'INVALID_HOST',
  wrongHost: 'WRONG_HOST',
  unknownCall: 'NOT_FOUND',
  wrongMethod: 'METHOD_NOT_ALLOWED',
  tooManyCalls: 'BATCH_TOO_LARGE',
  unreadable: 'MALFORMED_REQUEST',
  headTooLarge: 'HEADERS_TOO_LARGE',
  tooSlow: 'REQUEST_TIMEOUT',
  tooLarge: 'PAYLOAD_TOO_LARGE',
  wrongType: 'UNSUPPORTED_MEDIA_TYPE',
  tooMany: 'RATE_LIMITED',
  tooMuchText: 'TEXT_LIMIT_REACHED',
  noRoom: 'FORM_UNAVAILABLE',
  notNow: 'STORAGE_UNAVAILABLE',
  tooManyGuesses: 'LOGIN_RATE_LIMITED',
  guessedElsewhere: 'LOGIN_RATE_LIMITED_FOR_ALL',
  gateIsFull: 'LOGIN_BUSY',
  ours: 'INTERNAL_ERROR',
};

const codeOfSentence: ReadonlyMap<string, string> = new Map(
  (Object.keys(sentences) as (keyof typeof sentences)[]).map((key) => [sentences[key], codes[key]]),
);

interface Issue {
  path: string;
  message: string;
}

/** An error as the API returns it. */
export interface ErrorResponse {
  status: number;
  message: string;
  /** The stable code of the message. */
  code: string;
  issues?: Issue[];
  /** Whole seconds until a retry makes sense. */
  retryAfter?: number;
}

/** Rate limit error (429) with the time for `Retry-After`. */
export class TooManyRequests extends TRPCError {
  readonly retryAfter: number;
  /** The stable code of the message. */
  readonly sentenceCode: string;

  /**
   * @param wait milliseconds until the next attempt is allowed
   * @param sentence the message; `{wait}` is replaced with that time
   */
  constructor(wait: number, sentence: string = sentences.tooMany) {
    const seconds = Math.max(1, Math.ceil(wait / 1000));
    super({ code: 'TOO_MANY_REQUESTS', message: sentence.replace('{wait}', inWords(seconds)) });
    this.retryAfter = seconds;
    this.sentenceCode = codeOfSentence.get(sentence) ?? codes.tooMany;
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
    return { ...errorResponse(503, sentences.notNow), retryAfter: storageRetryAfter };
  }
  if (!(error instanceof TRPCError)) return errorResponse(500, sentences.ours);
  const status = getHTTPStatusCodeFromError(error);
  if (error.cause instanceof ZodError) {
    const issues = error.cause.issues.map(({ path, message }) => ({
      path: path.join('.'),
      message,
    }));
    return { ...errorResponse(status, sentences.invalid), issues };
  }
  if (error instanceof TooManyRequests) {
    const { message, sentenceCode: code, retryAfter } = error;
    return { status, message, code, retryAfter };
  }
  const isCatalogued = codeOfSentence.has(error.message);
  return errorResponse(
    status,
    isCatalogued ? error.message : (sentenceOfStatus[status] ?? sentences.ours),
  );
}

/** The public error for a message of `sentences`. */
export const errorResponse = (status: number, message: string): ErrorResponse => ({
  status,
  message,
  code: codeOfSentence.get(message) ?? codes.ours,
});

// Replaces tRPC's own messages, so that both adapters return the same ones.
const sentenceOfStatus: Record<number, string> = {
  400: sentences.malformedJson,
  401: sentences.unauthorized,
  404: sentences.unknownCall,
  405: sentences.wrongMethod,
  413: sentences.tooLarge,
  415: sentences.wrongType,
  429: sentences.tooMany,
};
