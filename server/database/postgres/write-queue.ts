/** Writes to PostgreSQL, committed in groups: a commit waits for the disk, and each statement for the network. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DatabaseAway, type Job, type Statement, type Work } from '../database.ts';
import {
  answer,
  asAway,
  behind,
  blip,
  ConnectionLost,
  type Connections,
  drive,
  isCrossed,
  isOfServer,
  isOutworn,
  isTakenBack,
  patience,
  say,
  within,
} from './connection.ts';

/** How long what is under way may take once the database is let go, in ms. */
export const lastPatience = 1000;

/** How long taking leave of the server may take, in ms. */
const farewell = 100;

/** Most jobs one commit may hold. */
const groupLimit = 256;

/** How often a group runs again that others came in between of. */
const tries = 5;

export interface Lane {
  add<T>(job: Job<T>): Promise<T>;
  work(): Work;
  /** Why the last group could not be kept; undefined when it was. */
  fault(): unknown;
  /** Commits what waits, if that is soon, and lets the connection go. */
  close(): Promise<void>;
}

interface Waiting {
  job: Job<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Jobs that are committed in groups, one group after the other. */
export function createLane({ pool, end }: Connections, begin: string): Lane {
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
      if (performance.now() - begun > blip) refuse(waiting.splice(0), error);
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
    add: <T>(job: Job<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ job, resolve: resolve as Waiting['resolve'], reject });
        going ??= go();
      }),
    work: () => ({ ...done, waiting: waiting.length }),
    fault: () => fault,
    async close() {
      await Promise.race([going, pause(lastPatience, undefined, { ref: false })]);
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
      return await within(pool, (client) => attempt(client, { begin, group, state }));
    } catch (error) {
      // A connection that has rested may have died meanwhile: one more try finds that out.
      const isStale = n === 1 && error instanceof ConnectionLost && !state.isCommitting;
      if (isStale || (isCrossed(error) && n < tries)) continue;
      throw isCrossed(error) ? new DatabaseAway(error) : error;
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
  const { command } = await say(client, 'COMMIT');
  if (command !== 'COMMIT') throw new DatabaseAway(new Error(`It was ended with ${command}.`));
  return settle;
}

/** What is wrong with more than the job that met it. */
const isOfAll = (error: unknown) => isCrossed(error) || isOfServer(error) || isOutworn(error);

const give = (client: PoolClient) => (statement: Statement) => answer(client, statement, patience);

/** Begins a transaction, and where it takes its turn makes sure that there is one to take. */
async function start(client: PoolClient, begin: string): Promise<void> {
  // A text of several statements is answered with a result of each.
  const [last] = [await say(client, begin)].flat().slice(-1);
  if (last?.rowCount === 0) {
    throw new DatabaseAway(new Error('the table writer is empty: please start the site again'));
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
    await behind(begun, async () => {
      for (const { job, resolve } of group) {
        const result = await drive(job(), give(client));
        settle.push(() => resolve(result));
      }
    });
    return settle;
  } catch (error) {
    // Who never had their turn need not ask for it again, one by one.
    await begun;
    if (isOfAll(error) || !(await isTakenBack(client))) throw error;
    return undefined;
  }
}

/** Runs each job under a savepoint of its own, so that only that one fails which does. */
async function alone(client: PoolClient, begin: string, group: Waiting[]): Promise<(() => void)[]> {
  await start(client, begin);
  const settle: (() => void)[] = [];
  for (const { job, resolve, reject } of group) {
    await say(client, 'SAVEPOINT job');
    try {
      const result = await drive(job(), give(client));
      await say(client, 'RELEASE SAVEPOINT job');
      settle.push(() => resolve(result));
    } catch (error) {
      if (isOfAll(error)) throw error;
      await say(client, 'ROLLBACK TO SAVEPOINT job');
      await say(client, 'RELEASE SAVEPOINT job');
      settle.push(() => reject(asAway(error)));
    }
  }
  return settle;
}
