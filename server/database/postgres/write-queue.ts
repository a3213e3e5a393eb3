/** Writes to PostgreSQL, committed in groups: a commit waits for the disk, and each statement for the network. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import {
  DatabaseUnavailable,
  type Statement,
  type Transaction,
  type WriteStats,
} from '../database.ts';
import {
  asUnavailable,
  brieflyMs,
  ConnectionLost,
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

/** How long what is under way may take once the database is let go, in ms. */
export const closeTimeoutMs = 1000;

/** How long taking leave of the server may take, in ms. */
const farewell = 100;

/** Most jobs one commit may hold. */
const groupLimit = 256;

/** How often a group runs again that others came in between of. */
const tries = 5;

export interface WriteQueue {
  add<T>(job: Transaction<T>): Promise<T>;
  stats(): WriteStats;
  /** Why the last group could not be kept; undefined when it was. */
  lastError(): unknown;
  /** Commits what waits, if that is soon, and lets the connection go. */
  close(): Promise<void>;
}

interface Waiting {
  job: Transaction<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs that are committed in groups, one group after the other. */
export function createWriteQueue({ pool, end }: Connections, begin: string): WriteQueue {
  let waiting: Waiting[] = [];
  let going: Promise<void> | undefined;
  let fault: unknown;
  const done = { commits: 0, jobs: 0 };

  const refuse = (jobs: Waiting[], error: unknown) => {
    for (const { reject } of jobs) reject(error);
  };
  const settle = async (group: Waiting[]) => {
    const begun = performance.now();
    try {
      const tell = await commit(pool, begin, group);
      fault = undefined;
      done.commits += 1;
      done.jobs += group.length;
      for (const one of tell) one();
    } catch (error) {
      fault = error;
      refuse(group, error);
      // Or they would add up, and wait as long again each time.
      if (performance.now() - begun > brieflyMs) refuse(waiting.splice(0), error);
    }
  };
  const go = async () => {
    // After the requests of this turn of the event loop have been read: they share the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupLimit);
      waiting = waiting.slice(groupLimit);
      await settle(group);
    }
    going = undefined;
  };
  return {
    add: <T>(job: Transaction<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
        going ??= go();
      }),
    stats: () => ({ ...done, waiting: waiting.length }),
    lastError: () => fault,
    async close() {
      await Promise.race([going, pause(closeTimeoutMs, undefined, { ref: false })]);
      refuse(waiting.splice(0), new Error('The database is closed.'));
      await end(farewell);
    },
  };
}

/** What settles each job of a group that is committed. Throws when none is kept. */
async function commit(pool: Pool, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  for (let n = 1; ; n += 1) {
    // Once it is told to commit, nobody knows what became of it when the connection breaks.
    const state = { isCommitting: false };
    try {
      return await withConnection(pool, (client) => attempt(client, { begin, group, state }));
    } catch (error) {
      // A connection that has rested may have died meanwhile: one more try finds that out.
      const isStale = n === 1 && error instanceof ConnectionLost && !state.isCommitting;
      if (isStale || (isSerializationFailure(error) && n < tries)) continue;
      throw isSerializationFailure(error) ? new DatabaseUnavailable(error) : error;
    }
  }
}

interface Attempt {
  begin: string;
  group: Waiting[];
  state: { isCommitting: boolean };
}

async function attempt(
  client: PoolClient,
  { begin, group, state }: Attempt,
): Promise<(() => void)[]> {
  const settle = (await together(client, begin, group)) ?? (await alone(client, begin, group));
  state.isCommitting = true;
  // A transaction that the server has given up is ended with another word, and without an error.
  const { command } = await queryText(client, 'COMMIT');
  if (command !== 'COMMIT')
    throw new DatabaseUnavailable(new Error(`It was ended with ${command}.`));
  return settle;
}

/** What is wrong with more than the job that met it. */
const isOfAll = (error: unknown) =>
  isSerializationFailure(error) || isServerError(error) || needsNewConnection(error);

const give = (client: PoolClient) => (statement: Statement) =>
  execute(client, statement, statementTimeoutMs);

/** Begins a transaction, and where it takes its turn makes sure that there is one to take. */
async function start(client: PoolClient, begin: string): Promise<void> {
  // A text of several statements is answered with a result of each.
  const [last] = [await queryText(client, begin)].flat().slice(-1);
  if (last?.rowCount === 0) {
    throw new DatabaseUnavailable(
      new Error('the table writer is empty: please start the site again'),
    );
  }
}

/** Runs all jobs in one transaction; undefined when one failed and everything was taken back. */
async function together(
  client: PoolClient,
  begin: string,
  group: Waiting[],
): Promise<(() => void)[] | undefined> {
  const settle: (() => void)[] = [];
  const begun = start(client, begin);
  try {
    await pipelined(begun, async () => {
      for (const { job, resolve } of group) {
        const result = await runStatements(job(), give(client));
        settle.push(() => resolve(result));
      }
    });
    return settle;
  } catch (error) {
    // Who never had their turn need not ask for it again, one by one.
    await begun;
    if (isOfAll(error) || !(await rollBack(client))) throw error;
    return undefined;
  }
}

/** Runs each job under a savepoint of its own, so that only that one fails which does. */
async function alone(client: PoolClient, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  await start(client, begin);
  const settle: (() => void)[] = [];
  for (const { job, resolve, reject } of group) {
    await queryText(client, 'SAVEPOINT job');
    try {
      const result = await runStatements(job(), give(client));
      await queryText(client, 'RELEASE SAVEPOINT job');
      settle.push(() => resolve(result));
    } catch (error) {
      if (isOfAll(error)) throw error;
      await queryText(client, 'ROLLBACK TO SAVEPOINT job');
      await queryText(client, 'RELEASE SAVEPOINT job');
      settle.push(() => reject(asUnavailable(error)));
    }
  }
  return settle;
}
