import { randomUUID } from 'node:crypto';
import { run, type Statements } from './database.ts';
import type { Row } from './schema.ts';

/**
 * What was done with the owner's rights, for the owner's log. Times are milliseconds since 1970, UTC; `browser` is null
 * for a command and the start of the site. `detail` is a few words, never a secret or a visitor's data.
 */
export type OwnerAct = Omit<Row<'owner_log'>, 'id'>;

/** Adds an act to the owner's log, in the transaction of the act. */
export function* logAct({ at, act, browser, detail }: OwnerAct): Statements<void> {
  yield* run('INSERT INTO owner_log (at, id, act, browser, detail) VALUES (?, ?, ?, ?, ?)', [
    ...[at, randomUUID(), act, browser, detail],
  ]);
}
