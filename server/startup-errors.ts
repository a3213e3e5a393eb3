/** What keeps a program of ours from doing its work, in words its owner can act on. */
import { UnusableFolder } from './data-folder.ts';
import { FolderInUse } from './database/folder-lock.ts';
import { NewerDatabase } from './database/migrate.ts';
import { BadEnvironment } from './env.ts';
import { codeOf } from './error-code.ts';

const damaged =
  'The database file in DATA_DIR is damaged. Please restore a backup: npm run admin -- restore lists them.';

const sentences: Record<string, string> = {
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  SQLITE_READONLY:
    'The database file in DATA_DIR cannot be written. Please give this user write access.',
  SQLITE_CANTOPEN:
    'The database file in DATA_DIR cannot be written. Please give this user write access.',
  SQLITE_BUSY: 'Another program keeps the database busy. Please try again in a moment.',
  SQLITE_FULL: 'The disk is full. Please free some space and try again.',
  ENOSPC: 'The disk is full. Please free some space and try again.',
};

/** One line for the owner, or undefined when the error is not one that was foreseen. */
export function sentenceFor(error: unknown): string | undefined {
  if (
    error instanceof BadEnvironment ||
    error instanceof UnusableFolder ||
    error instanceof FolderInUse ||
    error instanceof NewerDatabase
  ) {
    return error.message;
  }
  return sentences[codeOf(error) ?? ''];
}
