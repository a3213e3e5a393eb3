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
