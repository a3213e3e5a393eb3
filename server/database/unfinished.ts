/** Marks a database as incomplete while a move copies a site into it, so that no program starts on it. */
import { AppError } from '../errors.ts';
import { type Database, exists, run, type Statements } from './database.ts';

/** Stored as a schema version during a move, because every program reads that table first. */
const unfinishedVersion = -1;

/** Whether a move into this database is running or was interrupted. */
export const isUnfinished = (): Statements<boolean> =>
  exists('SELECT 1 AS one FROM schema_version WHERE version = ?', [unfinishedVersion]);

/** Marks the database as the target of an unfinished move. */
export function* markUnfinished(): Statements<void> {
  yield* run('INSERT INTO schema_version (version) VALUES (?)', [unfinishedVersion]);
}

/** Removes the mark once the move is complete. */
export function* markFinished(): Statements<void> {
  yield* run('DELETE FROM schema_version WHERE version = ?', [unfinishedVersion]);
}

/** Throws `UNFINISHED_TRANSFER` if a move into this database did not finish. */
export async function refuseUnfinished(database: Database): Promise<void> {
  if (!(await database.read(isUnfinished))) return;
  throw new AppError(
    'UNFINISHED_TRANSFER',
    'This database holds a part of a site only: a move into it is under way, or was broken off. ' +
      'Please move once more (npm run admin -- move), or name another database.',
  );
}
