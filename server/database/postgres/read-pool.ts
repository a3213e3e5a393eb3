/** The pool of read-only connections to PostgreSQL. */

import type { PoolClient } from 'pg';
import { isAppError, isUnavailable } from '../../errors.ts';
import { hourMs } from '../../time/units.ts';
import type { Reader, Transaction } from '../database.ts';
import {
  brieflyMs,
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
  withConnection,
} from './connection.ts';

/** Most reading connections of one instance. Each write queue adds one more, so there are six in all. */
const maxConnections = 4;

/** After this idle time the server ends the snapshot of an instance that vanished, in ms. */
const idleSnapshotTimeoutMs = hourMs;

export interface ReadPool {
  read<T>(transaction: Transaction<T>): Promise<T>;
  /** Runs `work` with a reader whose transactions all read the same snapshot, however long it takes. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Closes the connections; running queries have `timeoutMs` to finish. */
  end(timeoutMs: number): Promise<void>;
}

/** Opens the read pool of the database at this URL. It connects with the first read. */
export function openReadPool(url: string): ReadPool {
  const { pool, end } = openConnections(url, {
    max: maxConnections,
    timeoutMs: readTimeoutMs,
    readOnly: true,
  });
  // The driver's own queue counts a wait behind slow queries as a connection timeout.
  const withSlot = createQueue(maxConnections);
  return {
    read: (transaction) =>
      withSlot(() => retryOnce(() => withConnection(pool, (client) => read(client, transaction)))),
    snapshot: (work) => withSlot(() => withConnection(pool, (client) => runSnapshot(client, work))),
    end,
  };
}

interface Waiter {
  start: () => void;
  reject: (error: unknown) => void;
}

/**
 * Limits concurrency to `slots`; the rest waits in a first-in, first-out queue. An outage rejects all
 * waiters at once, because their timeouts would add up; a slow statement rejects only its own caller.
 */
function createQueue(slots: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiters: Waiter[] = [];
  let free = slots;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((start, reject) => waiters.push({ start, reject }));
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      const isOutage = isUnavailable(error) && !isStatementError(error.cause);
      if (isOutage && performance.now() - startedAt > brieflyMs) {
        for (const { reject } of waiters.splice(0)) reject(error);
      }
      throw error;
    } finally {
      // Hand the slot to the next waiter directly, so that newcomers cannot overtake it.
      const next = waiters.shift();
      if (next) next.start();
      else free += 1;
    }
  };
}

/** Retries once after a lost connection: an idle connection may have died, and a read is idempotent. */
async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error, 'CONNECTION_LOST') || performance.now() - startedAt > brieflyMs) {
      throw error;
    }
    return work();
  }
}

/** Runs a transaction whose statements all read the snapshot of the first. */
async function read<T>(client: PoolClient, transaction: Transaction<T>): Promise<T> {
  // BEGIN has the short timeout: it detects a server that hangs long before the timeout of the read itself.
  const begin = queryText(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const result = await pipelined(begin, () =>
    runStatements(transaction(), (statement) => execute(client, statement, readTimeoutMs)),
  );
  await queryText(client, 'COMMIT');
  return result;
}

/** Runs `work` with a reader whose transactions all read the snapshot of the first. */
async function runSnapshot<T>(
  client: PoolClient,
  work: (reader: Reader) => Promise<T>,
): Promise<T> {
  const text = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL idle_in_transaction_session_timeout = ${idleSnapshotTimeoutMs}`;
  await query(client, { text }, statementTimeoutMs);
  const result = await work({
    engine: 'postgres',
    read: (transaction) =>
      runStatements(transaction(), (statement) => execute(client, statement, readTimeoutMs)),
  });
  // The reads are done, so an error of the connection no longer matters.
  await rollBack(client);
  return result;
}
