/** The write queue for PostgreSQL. It commits in groups, because each commit waits for the disk. */

import { setTimeout as pause, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { databaseUnavailable, isAppError } from '../../errors.ts';
import type { PendingWrite, Settle, Statement, Transaction, WriteStats } from '../database.ts';
import {
  asUnavailable,
  brieflyMs,
  type Connections,
  execute,
  isSerializationFailure,
  isServerError,
  needsNewConnection,
  pipelined,
  queryText,
  rollBack,
  runStatements,
  statementTimeoutMs,
  withConnection,
} from './connection.ts';

/** How long pending writes may take when the database closes, in ms. */
export const closeTimeoutMs = 1000;

/** Timeout for closing the connection, in ms. */
const disconnectTimeoutMs = 100;

/** Most transactions in one group commit. */
const groupLimit = 256;

/** Attempts to run a group that meets serialization failures or deadlocks. */
const maxAttempts = 5;

export interface WriteQueue {
  add<T>(transaction: Transaction<T>): Promise<T>;
  stats(): WriteStats;
  /** The error of the last group; undefined if it was committed. */
  lastError(): unknown;
  /** Commits pending writes within `closeTimeoutMs`, rejects the rest, and closes the connection. */
  close(): Promise<void>;
}

/**
 * Creates a queue that commits transactions in groups, one group at a time.
 *
 * @param begin SQL that starts a group, and takes the lock where writes need one
 */
export function createWriteQueue({ pool, end }: Connections, begin: string): WriteQueue {
  let pending: PendingWrite[] = [];
  let running: Promise<void> | undefined;
  let lastError: unknown;
  const stats = { commits: 0, writes: 0 };

  const rejectAll = (writes: PendingWrite[], error: unknown) => {
    for (const { reject } of writes) reject(error);
  };
  const commitGroup = async (group: PendingWrite[]) => {
    const startedAt = performance.now();
    try {
      const settlements = await commit(pool, begin, group);
      lastError = undefined;
      stats.commits += 1;
      stats.writes += group.length;
      for (const settle of settlements) settle();
    } catch (error) {
      lastError = error;
      rejectAll(group, error);
      // An outage: otherwise each group behind this one would wait for its own timeout.
      if (performance.now() - startedAt > brieflyMs) rejectAll(pending.splice(0), error);
    }
  };
  const drain = async () => {
    // Wait until all requests of this turn of the event loop have been read: they share the commit.
    await yieldToEventLoop();
    while (pending.length > 0) {
      const group = pending.slice(0, groupLimit);
      pending = pending.slice(groupLimit);
      await commitGroup(group);
    }
    running = undefined;
  };
  return {
    add: <T>(transaction: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        pending.push({ transaction, resolve: resolve as PendingWrite['resolve'], reject });
        running ??= drain();
      }),
    stats: () => ({ ...stats, waiting: pending.length }),
    lastError: () => lastError,
    async close() {
      await Promise.race([running, pause(closeTimeoutMs, undefined, { ref: false })]);
      rejectAll(pending.splice(0), new Error('The database is closed.'));
      await end(disconnectTimeoutMs);
    },
  };
}

/** Commits a group; returns what settles each of its writes. Throws when the group was rolled back. */
async function commit(pool: Pool, begin: string, group: PendingWrite[]): Promise<Settle[]> {
  for (let n = 1; ; n += 1) {
    // After COMMIT was sent, a lost connection leaves the outcome unknown: do not retry then.
    const state = { isCommitting: false };
    try {
      return await withConnection(pool, (client) => attempt(client, { begin, group, state }));
    } catch (error) {
      // An idle connection may have died: retry once on a new one.
      const isStale = n === 1 && isAppError(error, 'CONNECTION_LOST') && !state.isCommitting;
      if (isStale || (isSerializationFailure(error) && n < maxAttempts)) continue;
      throw isSerializationFailure(error) ? databaseUnavailable(error) : error;
    }
  }
}

interface Attempt {
  begin: string;
  group: PendingWrite[];
  state: { isCommitting: boolean };
}

async function attempt(client: PoolClient, { begin, group, state }: Attempt): Promise<Settle[]> {
  const settlements =
    (await runTogether(client, begin, group)) ?? (await runSeparately(client, begin, group));
  state.isCommitting = true;
  // COMMIT of an aborted transaction succeeds with the command tag ROLLBACK.
  const { command } = await queryText(client, 'COMMIT');
  if (command !== 'COMMIT')
    throw databaseUnavailable(new Error(`The transaction ended with ${command}.`));
  return settlements;
}

/** Whether the error affects the whole group, not only the write that met it. */
const affectsGroup = (error: unknown) =>
  isSerializationFailure(error) || isServerError(error) || needsNewConnection(error);

const executeOn = (client: PoolClient) => (statement: Statement) =>
  execute(client, statement, statementTimeoutMs);

/** Begins a transaction. Throws when the row that serializes writes is missing. */
async function start(client: PoolClient, begin: string): Promise<void> {
  // The driver returns one result per statement when the text has several.
  const [last] = [await queryText(client, begin)].flat().slice(-1);
  if (last?.rowCount === 0) {
    throw databaseUnavailable(new Error('the table writer is empty: please start the site again'));
  }
}

/** Runs the group without savepoints; returns undefined when one write failed and all rolled back. */
async function runTogether(
  client: PoolClient,
  begin: string,
  group: PendingWrite[],
): Promise<Settle[] | undefined> {
  const settlements: Settle[] = [];
  const started = start(client, begin);
  try {
    await pipelined(started, async () => {
      for (const { transaction, resolve } of group) {
        const result = await runStatements(transaction(), executeOn(client));
        settlements.push(() => resolve(result));
      }
    });
    return settlements;
  } catch (error) {
    // If BEGIN or its lock failed, this throws: running the writes one by one would fail as well.
    await started;
    if (affectsGroup(error) || !(await rollBack(client))) throw error;
    return undefined;
  }
}

/** Runs each write under its own savepoint, so that a failing one rolls back alone. */
async function runSeparately(
  client: PoolClient,
  begin: string,
  group: PendingWrite[],
): Promise<Settle[]> {
  await start(client, begin);
  const settlements: Settle[] = [];
  for (const { transaction, resolve, reject } of group) {
    await queryText(client, 'SAVEPOINT one_write');
    try {
      const result = await runStatements(transaction(), executeOn(client));
      await queryText(client, 'RELEASE SAVEPOINT one_write');
      settlements.push(() => resolve(result));
    } catch (error) {
      if (affectsGroup(error)) throw error;
      await queryText(client, 'ROLLBACK TO SAVEPOINT one_write');
      await queryText(client, 'RELEASE SAVEPOINT one_write');
      settlements.push(() => reject(asUnavailable(error)));
    }
  }
  return settlements;
}
