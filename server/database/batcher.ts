import { isUnavailable } from '../errors.ts';
import type { Statements, Transaction } from './database.ts';

interface Batch<T, R> {
  items: T[];
  results: Promise<readonly (R | Promise<R>)[]>;
}

/**
 * Batches items that wait for the same commit into one transaction, because the cost of a statement is
 * per call. When a batch fails, each of its items is retried in a transaction of its own.
 *
 * @param enqueue `Database.write` or `Database.append`
 * @param work returns one result for each item, in the same order
 */
export function batched<T, R>(
  enqueue: <X>(transaction: Transaction<X>) => Promise<X>,
  work: (items: readonly T[]) => Statements<readonly R[]>,
): (item: T) => Promise<R> {
  let openBatch: Batch<T, R> | undefined;

  const runBatch = (items: readonly T[], onStart?: () => void): Promise<readonly R[]> =>
    enqueue(() => {
      onStart?.();
      return work(items);
    });
  const runAlone = async (item: T): Promise<R> => {
    const [result] = await runBatch([item]);
    return result as R;
  };
  const startBatch = (): Batch<T, R> => {
    const items: T[] = [];
    // Once the transaction starts, later items go into the next batch.
    const close = () => {
      if (openBatch?.items === items) openBatch = undefined;
    };
    const results = runBatch(items, close).catch((error: unknown) => {
      close();
      // The batch may have been committed, or each item would fail the same way: do not retry.
      if (isUnavailable(error) || items.length < 2) throw error;
      return items.map(runAlone);
    });
    return { items, results };
  };

  return async (item) => {
    openBatch ??= startBatch();
    const { items, results } = openBatch;
    const index = items.push(item) - 1;
    return (await results)[index] as R;
  };
}
