/** Expected startup errors, as sentences that the owner can act on. */

import { UnsupportedDatabase } from '../database/database.ts';
import { NewerDatabase, OtherSchema } from '../database/migrate.ts';
import { FolderInUse } from '../database/sqlite/folder-lock.ts';
import { UnfinishedTransfer } from '../database/unfinished.ts';
import { BadEnvironment } from '../env.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import { UnusableFolder } from './data-folder.ts';
import { TooFewFiles } from './open-files.ts';

/** One line for the owner, or undefined for an unexpected error. */
export function sentenceFor(error: unknown): string | undefined {
  if (
    error instanceof BadEnvironment ||
    error instanceof UnusableFolder ||
    error instanceof FolderInUse ||
    error instanceof UnsupportedDatabase ||
    error instanceof NewerDatabase ||
    error instanceof OtherSchema ||
    error instanceof UnfinishedTransfer ||
    error instanceof TooFewFiles
  ) {
    return error.message;
  }
  return storageErrorSentence(error);
}
