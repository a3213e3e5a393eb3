/**
 * What can be wrong with the place where everything is kept, in words its owner can act on. It is no
 * fault of the request, and goes once somebody has mended it: so the visitor may try again.
 */
import { codeOf } from './error-code.ts';

const damaged =
  'The database file in DATA_DIR is damaged. Please restore a backup: npm run admin -- restore lists them.';
const unwritable =
  'The database file in DATA_DIR cannot be written. Please give this user write access.';
const full = 'The disk is full. Please free some space and try again.';
const unreadable =
  'The disk of DATA_DIR fails to read or write. Please look whether it is full or broken.';

/** By the engine's codes; longer ones (SQLITE_IOERR_WRITE) begin with these. */
const sentences: [code: string, sentence: string][] = [
  ['SQLITE_NOTADB', damaged],
  ['SQLITE_CORRUPT', damaged],
  ['SQLITE_READONLY', unwritable],
  ['SQLITE_CANTOPEN', unwritable],
  ['SQLITE_BUSY', 'Another program keeps the database busy. Please try again in a moment.'],
  ['SQLITE_FULL', full],
  ['SQLITE_IOERR', unreadable],
  ['ENOSPC', full],
];

/** One sentence for the owner, or undefined when `error` says nothing of the place of storage. */
export function storageFaultOf(error: unknown): string | undefined {
  const code = codeOf(error) ?? '';
  const known = sentences.find(([start]) => code.startsWith(start));
  if (known) return known[1];
  // What a procedure throws comes wrapped.
  return error instanceof Error && error.cause !== undefined
    ? storageFaultOf(error.cause)
    : undefined;
}
