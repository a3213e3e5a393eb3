/**
 * Storage errors as sentences that the owner can act on. They are temporary and not caused by the request, so
 * visitors may retry.
 */
import { AppError, codeOf, isAppError, isUnavailable } from '../errors.ts';

const damaged =
  'The database file in DATA_DIR is damaged. Restore a backup; npm run admin -- restore lists them.';
const moved =
  'The database file in DATA_DIR was moved, deleted or overwritten while the site was running. Put it ' +
  'back before you stop the site, if you can.';
const unwritable = 'The database file in DATA_DIR cannot be written. Grant this user write access.';
const untrusted =
  'The certificate of the database at DATABASE_URL is not trusted. Add ' +
  'sslmode=verify-full and sslrootcert=/path/to/the/ca.pem to the address.';
const unencrypted =
  'The database at DATABASE_URL does not support TLS. Enable it there, or, on a private network, remove ' +
  'sslmode from the address.';
const pooled =
  'DATABASE_URL names a connection pooler in transaction mode. Use the address of the database ' +
  'itself, or of its pooler in session mode.';
const missingPassword =
  'The database at DATABASE_URL requires a password. Add it to the address: postgres://user:password@…';
const busy = 'The database at DATABASE_URL is locked by other work. Try again in a moment.';
const unresponsive = 'The database at DATABASE_URL does not respond. Check that it is running.';
const full = 'The disk is full. Free some space and try again.';
const failing =
  'The disk of DATA_DIR cannot be read or written. Check whether it is full or broken.';

/** By the codes that `codeOf` returns. */
const sentences = new Map([
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_READONLY_DBMOVED', moved],
  ['SQLITE_READONLY', unwritable],
  ['SQLITE_CANTOPEN', unwritable],
  ['SQLITE_BUSY', 'Another program has locked the database. Try again in a moment.'],
  ['SQLITE_FULL', full],
  ['SQLITE_IOERR', failing],
  ['ENOSPC', full],
]);

/** Sentences for PostgreSQL, by the prefix of a SQLSTATE or system error code. The first match counts. */
const serverSentences: [code: string, sentence: string][] = [
  [
    '28000',
    'The database at DATABASE_URL rejects connections of this user from here. Allow them there; if it ' +
      'requires TLS, end the address with ?sslmode=verify-full.',
  ],
  [
    '28',
    'The database at DATABASE_URL rejects the user or the password. Correct them in the address.',
  ],
  ['26000', pooled],
  ['42P05', pooled],
  ['3D000', 'The database that DATABASE_URL names does not exist. Create it.'],
  ['42501', 'The user in DATABASE_URL lacks a permission. Make it the owner of the database.'],
  ['53100', 'The disk of the database at DATABASE_URL is full. Free some space.'],
  ['53300', 'The database at DATABASE_URL has no connection left. Raise its connection limit.'],
  ['25006', 'The database at DATABASE_URL is read-only. Use the address of the primary server.'],
  ['53', 'The database at DATABASE_URL has run out of memory or another resource. Give it more.'],
  ['55P03', busy],
  ['40', busy],
  ['57014', 'A statement timed out on the database at DATABASE_URL. Check what else it is doing.'],
  ['57P', 'The database at DATABASE_URL is starting or stopping. Check that it comes back.'],
  ['XX', 'The database at DATABASE_URL is damaged or has an internal error. Check its log.'],
  ['58', 'The database at DATABASE_URL cannot read or write its disk. Check its log.'],
  ['ECONNREFUSED', 'No database responds at DATABASE_URL. Check that it is running.'],
  ['ENOTFOUND', 'The host in DATABASE_URL does not exist. Correct the address.'],
  ['ETIMEDOUT', unresponsive],
  ['ENOENT', 'A file in DATABASE_URL (sslrootcert) does not exist. Correct its path.'],
  ['SELF_SIGNED', untrusted],
  ['DEPTH_ZERO', untrusted],
  ['UNABLE_TO', untrusted],
  ['ERR_TLS', untrusted],
];

/** One sentence for the owner, or undefined when `error` is not a storage error. */
export function storageErrorSentence(error: unknown): string | undefined {
  if (isUnavailable(error)) return unavailableSentence(error.cause);
  if (isAppError(error, 'NEWER_DATABASE')) return error.message;
  const known = sentences.get(codeOf(error) ?? '');
  if (known !== undefined) return known;
  // tRPC wraps the errors of procedures.
  return error instanceof Error && error.cause !== undefined
    ? storageErrorSentence(error.cause)
    : undefined;
}

/** The sentence for an error at startup or in a command; undefined for an unexpected error. */
export const sentenceFor = (error: unknown): string | undefined =>
  error instanceof AppError && !isUnavailable(error) ? error.message : storageErrorSentence(error);

function unavailableSentence(cause: unknown): string {
  const code = codeOf(cause) ?? '';
  const known = serverSentences.find(([start]) => code.startsWith(start));
  if (known) return known[1];
  // The driver's own errors have no code.
  const message = cause instanceof Error ? cause.message : '';
  if (/timeout/.test(message)) return unresponsive;
  if (/not support SSL/.test(message)) return unencrypted;
  if (/password must be a( non-empty)? string/.test(message)) return missingPassword;
  return `The connection to the database at DATABASE_URL was lost (${code || message}). Check that it is running.`;
}
