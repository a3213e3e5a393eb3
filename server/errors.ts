/** The errors of the server: those it throws itself, and the codes of those that others throw. */

/** What went wrong. Programs and tests decide by this code, never by the sentence. */
type AppErrorCode =
  /** A command of `npm run admin` cannot do what it was called for. */
  | 'COMMAND_FAILED'
  /** A connection to the database broke during its use; a retry on a new connection may succeed. */
  | 'CONNECTION_LOST'
  /** The database is temporarily unavailable; `cause` says why. */
  | 'DATABASE_UNAVAILABLE'
  /** A checkout before the baseline schema wrote the database, which this release does not read. */
  | 'EARLIER_DATABASE'
  /** Another program uses the data folder. */
  | 'FOLDER_IN_USE'
  /** A file that the owner imports is not what it must be. */
  | 'INVALID_FILE'
  /** An environment variable is invalid. */
  | 'INVALID_ENVIRONMENT'
  /** An address leads into a local network, to which no connection is made. */
  | 'LOCAL_NETWORK'
  /** A newer release wrote the database, and this one cannot use it. */
  | 'NEWER_DATABASE'
  /** The schema is not the one of this release and must not be migrated. */
  | 'OTHER_SCHEMA'
  /** The limit on open files is too low. */
  | 'TOO_FEW_FILES'
  /** A transfer between engines is impossible, or its copy differs. */
  | 'TRANSFER_REFUSED'
  /** The database is the target of a transfer that did not finish. */
  | 'UNFINISHED_TRANSFER'
  /** This database can never work with the product. */
  | 'UNSUPPORTED_DATABASE'
  /** A backup is damaged, unreadable or cannot be made. */
  | 'UNUSABLE_BACKUP'
  /** The data folder, or a file in it, cannot be read or written. */
  | 'UNUSABLE_FOLDER';

/** An expected error. Its message tells the owner what happened and what to do. */
export class AppError extends Error {
  readonly code: AppErrorCode;

  constructor(code: AppErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether `error` is an `AppError` with this code. */
export const isAppError = <Code extends AppErrorCode>(
  error: unknown,
  code: Code,
): error is AppError & { code: Code } => error instanceof AppError && error.code === code;

const outage = 'The database is unavailable.';

/** The error for a database that is temporarily unavailable because of `cause`. */
export const databaseUnavailable = (cause: unknown) =>
  new AppError('DATABASE_UNAVAILABLE', outage, { cause });

/** The error for a connection that broke during its use because of `cause`. */
export const connectionLost = (cause: unknown) =>
  new AppError('CONNECTION_LOST', outage, { cause });

/** Whether the database is temporarily unavailable, or the connection to it broke. */
export const isUnavailable = (
  error: unknown,
): error is AppError & { code: 'DATABASE_UNAVAILABLE' | 'CONNECTION_LOST' } =>
  isAppError(error, 'DATABASE_UNAVAILABLE') || isAppError(error, 'CONNECTION_LOST');

/** Primary result codes of SQLite that the product distinguishes (https://sqlite.org/rescode.html). */
const sqliteErrors = [
  { number: 5, code: 'SQLITE_BUSY', message: 'database is locked' },
  { number: 8, code: 'SQLITE_READONLY', message: 'attempt to write a readonly database' },
  { number: 10, code: 'SQLITE_IOERR', message: 'disk I/O error' },
  { number: 11, code: 'SQLITE_CORRUPT', message: 'database disk image is malformed' },
  { number: 13, code: 'SQLITE_FULL', message: 'database or disk is full' },
  { number: 14, code: 'SQLITE_CANTOPEN', message: 'unable to open database file' },
  { number: 26, code: 'SQLITE_NOTADB', message: 'file is not a database' },
];

function sqliteCodeOf(error: Error): string | undefined {
  // `all()` of @photostructure/sqlite 1.2.1 throws without `errcode`, but with SQLite's fixed message.
  if (!('errcode' in error)) {
    return sqliteErrors.find(({ message }) => error.message === message)?.code;
  }
  // The low byte of an extended result code is the primary one.
  const primary = Number(error.errcode) & 0xff;
  return sqliteErrors.find(({ number }) => number === primary)?.code;
}

/** The code of an error of Node, PostgreSQL or SQLite, such as EACCES, 53100 or SQLITE_FULL. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  if (error.code === 'ERR_SQLITE_ERROR') return sqliteCodeOf(error) ?? error.code;
  return typeof error.code === 'string' ? error.code : undefined;
}
