/** Reading from PostgreSQL, over a few connections that change nothing. */
import type { PoolClient } from 'pg';
import { DatabaseUnavailable, type Reader, type Transaction } from '../database.ts';
import {
  brieflyMs,
  ConnectionLost,
  execute,
  isStatementError,
  openConnections,
  pipelined,
  query,
  queryText,
  readTimeoutMs,
  rollBack,
  runStatements,
  statementTimeoutMs,
  textOf,
  withConnection,
} from './connection.ts';

/** How many connections an instance has at most that read; two more write, one for each lane. */
const most = 4;

/** After this a reader that has vanished from its moment is let go by the server, in ms. */
const idleReaderPatience = 60 * 60_000;

export interface ReadPool {
  read<T>(job: Transaction<T>): Promise<T>;
  /** Gives `job` a reader that finds everything as it is at one moment, however long the job takes. */
  snapshot<T>(job: (reader: Reader) => Promise<T>): Promise<T>;
  /** Lets them go; what is under way has so many ms to end. */
  end(patience: number): Promise<void>;
}

export function openReadPool(url: string): ReadPool {
  const { pool, end } = openConnections(url, {
    max: most,
    statementPatience: readTimeoutMs,
    onlyReads: true,
  });
  // Not the pool's own queue, to which a wait for slow questions is one for a server that is away.
  const inPlace = createPlaces(most);
  return {
    read: (job) =>
      inPlace(() => onceMore(() => withConnection(pool, (client) => read(client, job)))),
    snapshot: (job) => inPlace(() => withConnection(pool, (client) => moment(client, job))),
    end,
  };
}

interface Waiting {
  begin: () => void;
  refuse: (error: unknown) => void;
}

/**
 * Lets so many go at a time, and the others after them in the order they came. When one of them found
 * the database away, those who wait are told so too, or their waits would add up. One that was itself too
 * slow says nothing of the others.
 */
function createPlaces(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: Waiting[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((begin, refuse) => waiting.push({ begin, refuse }));
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable && !isStatementError(error.cause);
      if (isAway && performance.now() - begun > brieflyMs) {
        for (const { refuse } of waiting.splice(0)) refuse(error);
      }
      throw error;
    } finally {
      // A place goes over to the next: nobody who comes now is faster.
      const next = waiting.shift();
      if (next) next.begin();
      else free += 1;
    }
  };
}

/** A connection that has rested may have died meanwhile: nothing was changed, and another one may do. */
async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConnectionLost) || performance.now() - begun > brieflyMs) throw error;
    return work();
  }
}

/** Begins of jobs that ask more than one thing, which must be of one moment. */
const several = new Set<string>();

/** Runs a job that changes nothing. A single question needs no transaction around it. */
async function read<T>(client: PoolClient, job: Transaction<T>): Promise<T> {
  const steps = job();
  const first = steps.next();
  if (first.done) return first.value;
  const text = textOf(first.value);
  if (!several.has(text)) {
    // What says nothing travels ahead of it: a server that hangs is found out by that, which takes no
    // time, as a question may.
    const answered = await pipelined(queryText(client, ''), () =>
      execute(client, first.value, readTimeoutMs),
    );
    const second = steps.next(answered);
    if (second.done) return second.value;
    // Nothing was changed, so it may begin anew; next time it is known.
    several.add(text);
  }
  return snapshot(client, job);
}

/** All that the job reads is of the moment of its first statement. */
async function snapshot<T>(client: PoolClient, job: Transaction<T>): Promise<T> {
  const begun = queryText(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const result = await pipelined(begun, () =>
    runStatements(job(), (statement) => execute(client, statement, readTimeoutMs)),
  );
  await queryText(client, 'COMMIT');
  return result;
}

/** Runs work whose reads are all of one moment: that of the first. */
async function moment<T>(client: PoolClient, job: (reader: Reader) => Promise<T>): Promise<T> {
  const text = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL idle_in_transaction_session_timeout = ${idleReaderPatience}`;
  await query(client, { text }, statementTimeoutMs);
  const result = await job({
    engine: 'postgres',
    read: (steps) =>
      runStatements(steps(), (statement) => execute(client, statement, readTimeoutMs)),
  });
  // What was read is of one moment, whatever becomes of the connection now.
  await rollBack(client);
  return result;
}
