/**
 * Storage errors as sentences that the owner can act on. They are temporary and not caused by the request, so
 * visitors may retry.
 */
import { DatabaseUnavailable } from '../database/database.ts';
import { NewerDatabase } from '../database/migrate.ts';
import { codeOf } from '../error-code.ts';

const damaged =
  'The database file in DATA_DIR is damaged. Please restore a backup: npm run admin -- restore lists them.';
const moved =
  'The database file in DATA_DIR was moved or deleted while the site was running. Please put it back, or ' +
  'stop the site and restore a backup: npm run admin -- restore lists them.';
const unwritable =
  'The database file in DATA_DIR cannot be written. Please give this user write access.';
const untrusted =
  'The certificate of the database at DATABASE_URL is not trusted. Its address takes ' +
  'sslmode=verify-full and sslrootcert=/path/to/the/ca.pem.';
const unencrypted =
  'The database at DATABASE_URL does not encrypt. Please let it, or, where nobody is between, leave ' +
  'sslmode out of its address.';
const pooled =
  'DATABASE_URL leads to a pooler that gives every transaction another connection. Please name the ' +
  'database itself, or its pooler in session mode.';
const missingPassword =
  'The database at DATABASE_URL asks for a password, and its address has none: postgres://user:password@…';
const busy = 'Something keeps the database at DATABASE_URL busy. Please try again in a moment.';
const unresponsive = 'The database at DATABASE_URL does not answer. Please look whether it runs.';
const full = 'The disk is full. Please free some space and try again.';
const unreadable =
  'The disk of DATA_DIR fails to read or write. Please look whether it is full or broken.';

/** By the codes that `codeOf` returns. */
const sentences = new Map([
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_READONLY_DBMOVED', moved],
  ['SQLITE_READONLY', unwritable],
  ['SQLITE_CANTOPEN', unwritable],
  ['SQLITE_BUSY', 'Another program keeps the database busy. Please try again in a moment.'],
  ['SQLITE_FULL', full],
  ['SQLITE_IOERR', unreadable],
  ['ENOSPC', full],
]);

/** Sentences for PostgreSQL, by the prefix of a SQLSTATE or system error code. The first match counts. */
const serverSentences: [code: string, sentence: string][] = [
  [
    '28000',
    'The database at DATABASE_URL does not let this user in from here. Where it wants encryption, its ' +
      'address ends with ?sslmode=verify-full.',
  ],
  ['28', 'The database at DATABASE_URL refuses the user or the password.'],
  ['26000', pooled],
  ['42P05', pooled],
  ['3D000', 'The database that DATABASE_URL names does not exist. Please create it.'],
  ['42501', 'The user in DATABASE_URL may not do this. Please make it the owner of the database.'],
  ['53100', 'The disk of the database at DATABASE_URL is full. Please free some space.'],
  ['53300', 'The database at DATABASE_URL has no connection left. Please allow it more.'],
  [
    '25006',
    'The database at DATABASE_URL can only be read. Please name the one that takes writes.',
  ],
  [
    '53',
    'The database at DATABASE_URL has no room left for what it is asked. Please give it more.',
  ],
  ['55P03', busy],
  ['40', busy],
  ['57014', 'The database at DATABASE_URL takes too long. Please look what else it has to do.'],
  ['57P', 'The database at DATABASE_URL starts or stops. Please look whether it comes back.'],
  ['XX', 'The database at DATABASE_URL is damaged, or fails. Please look into its log.'],
  ['58', 'The database at DATABASE_URL cannot read or write its disk. Please look into its log.'],
  ['ECONNREFUSED', 'No database answers at DATABASE_URL. Please look whether it runs.'],
  ['ENOTFOUND', 'The host that DATABASE_URL names does not exist. Please correct it.'],
  ['ETIMEDOUT', unresponsive],
  ['ENOENT', 'A file that DATABASE_URL names (sslrootcert) does not exist. Please correct it.'],
  ['SELF_SIGNED', untrusted],
  ['DEPTH_ZERO', untrusted],
  ['UNABLE_TO', untrusted],
  ['ERR_TLS', untrusted],
];

/** One sentence for the owner, or undefined when `error` is not a storage error. */
export function storageErrorSentence(error: unknown): string | undefined {
  if (error instanceof DatabaseUnavailable) return unavailableSentence(error.cause);
  if (error instanceof NewerDatabase) return error.message;
  const known = sentences.get(codeOf(error) ?? '');
  if (known !== undefined) return known;
  // tRPC wraps the errors of procedures.
  return error instanceof Error && error.cause !== undefined
    ? storageErrorSentence(error.cause)
    : undefined;
}

function unavailableSentence(cause: unknown): string {
  const code = codeOf(cause) ?? '';
  const known = serverSentences.find(([start]) => code.startsWith(start));
  if (known) return known[1];
  // The driver's own errors have no code.
  const message = cause instanceof Error ? cause.message : '';
  if (/timeout/.test(message)) return unresponsive;
  if (/not support SSL/.test(message)) return unencrypted;
  if (/password must be a( non-empty)? string/.test(message)) return missingPassword;
  return `The connection to the database at DATABASE_URL was lost (${code || message}).`;
}
