/** Whether a database holds a part of a site only, because a move into it is under way or was broken off. */
import { type Database, get, run, type Statements } from './database.ts';

/** Thrown when a site would start on such a database; its message tells the owner what to do. */
export class UnfinishedTransfer extends Error {}

/** Stands among the versions of the schema meanwhile: every program of ours looks there first. */
const mark = -1;

export function* isUnfinished(): Statements<boolean> {
  const found = yield* get('SELECT version FROM schema_version WHERE version = ?', [mark]);
  return found !== undefined;
}

export function* markUnfinished(): Statements<void> {
  yield* run('INSERT INTO schema_version (version) VALUES (?)', [mark]);
}

export function* markFinished(): Statements<void> {
  yield* run('DELETE FROM schema_version WHERE version = ?', [mark]);
}

/** Throws `UnfinishedMove` when it is one. */
export async function refuseUnfinished(database: Database): Promise<void> {
  if (!(await database.read(isUnfinished))) return;
  throw new UnfinishedTransfer(
    'This database holds a part of a site only: a move into it is under way, or was broken off. ' +
      'Please move once more (npm run admin -- move), or name another database.',
  );
}
