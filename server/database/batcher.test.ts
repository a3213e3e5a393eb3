import { expect, it } from 'vitest';
import { databaseUnavailable } from '../errors.ts';
import { batched } from './batcher.ts';
import { run, type Statements, type Transaction } from './database.ts';

/** Runs a transaction; each of its statements changes one row. */
function execute<T>(transaction: Transaction<T>): T {
  const statements = transaction();
  let step = statements.next();
  while (!step.done) step = statements.next(1);
  return step.value;
}

/** A write queue that runs the next transaction when the test calls `next`. */
function queue() {
  const waiting: (() => void)[] = [];
  const enqueue = <T>(transaction: Transaction<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(execute(transaction));
        } catch (error) {
          reject(error);
        }
      });
    });
  return { enqueue, next: () => waiting.shift()?.(), waiting };
}

const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) =>
    all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')),
  );

it('batcher runs items that wait for the same commit in one transaction', async () => {
  const { enqueue, next, waiting } = queue();
  const batches: number[][] = [];
  const double = batched(enqueue, function* (items: readonly number[]): Statements<number[]> {
    batches.push([...items]);
    yield* run('INSERT …');
    return items.map((n) => 2 * n);
  });
  const first = [double(1), double(2)];
  next();
  const second = [double(3)];
  expect(waiting).toHaveLength(1);
  next();
  expect(await settled([...first, ...second])).toEqual([2, 4, 6]);
  expect(batches).toEqual([[1, 2], [3]]);
});

it('batcher rejects only the failing item of a batch', async () => {
  const { enqueue, next } = queue();
  const check = batched(enqueue, function* (items: readonly number[]): Statements<
    readonly number[]
  > {
    yield* run('INSERT …');
    if (items.includes(2)) throw new Error('no');
    return items;
  });
  const all = settled([check(1), check(2), check(3)]);
  next();
  await new Promise((resolve) => setImmediate(resolve));
  for (let n = 0; n < 3; n++) next();
  expect(await all).toEqual([1, 'failed', 3]);
});

it('batcher does not retry after a lost connection and accepts the next item', async () => {
  let isAway = true;
  let attempts = 0;
  const enqueue = <T>(transaction: Transaction<T>): Promise<T> => {
    attempts += 1;
    if (isAway) return Promise.reject(databaseUnavailable(new Error('gone')));
    return Promise.resolve(execute(transaction));
  };
  const add = batched(enqueue, function* (items: readonly number[]): Statements<readonly number[]> {
    yield* run('INSERT …');
    return items;
  });
  expect(await settled([add(1), add(2)])).toEqual(['failed', 'failed']);
  expect(attempts).toBe(1);
  isAway = false;
  expect(await add(3)).toBe(3);
});
