import { expect, it } from 'vitest';
import { batched } from './batcher.ts';
import { DatabaseUnavailable, run, type Statements, type Transaction } from './database.ts';

/** What a job comes to whose statements change one row each. */
function outcome<T>(job: Transaction<T>): T {
  const steps = job();
  let step = steps.next();
  while (!step.done) step = steps.next(1);
  return step.value;
}

/** Jobs wait here until the test says that their turn has come. */
function queue() {
  const waiting: (() => void)[] = [];
  const enqueue = <T>(job: Transaction<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(outcome(job));
        } catch (error) {
          reject(error);
        }
      });
    });
  return { enqueue, turn: () => waiting.shift()?.(), waiting };
}

const settled = (promises: Promise<unknown>[]) =>
  Promise.allSettled(promises).then((all) =>
    all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed')),
  );

it('works at once on all that wait for the same turn, and answers each', async () => {
  const { enqueue, turn, waiting } = queue();
  const bundles: number[][] = [];
  const double = batched(enqueue, function* (items: readonly number[]): Statements<number[]> {
    bundles.push([...items]);
    yield* run('INSERT …');
    return items.map((n) => 2 * n);
  });
  const first = [double(1), double(2)];
  turn();
  const second = [double(3)];
  expect(waiting).toHaveLength(1);
  turn();
  expect(await settled([...first, ...second])).toEqual([2, 4, 6]);
  expect(bundles).toEqual([[1, 2], [3]]);
});

it('lets only that one fail which does', async () => {
  const { enqueue, turn } = queue();
  const check = batched(enqueue, function* (items: readonly number[]): Statements<
    readonly number[]
  > {
    yield* run('INSERT …');
    if (items.includes(2)) throw new Error('no');
    return items;
  });
  const all = settled([check(1), check(2), check(3)]);
  turn();
  await new Promise((resolve) => setImmediate(resolve));
  for (let n = 0; n < 3; n++) turn();
  expect(await all).toEqual([1, 'failed', 3]);
});

it('tries nothing again when nobody knows what became of it, and goes on with the next', async () => {
  let isAway = true;
  let tries = 0;
  const enqueue = <T>(job: Transaction<T>): Promise<T> => {
    tries += 1;
    if (isAway) return Promise.reject(new DatabaseUnavailable(new Error('gone')));
    return Promise.resolve(outcome(job));
  };
  const keep = batched(enqueue, function* (items: readonly number[]): Statements<
    readonly number[]
  > {
    yield* run('INSERT …');
    return items;
  });
  expect(await settled([keep(1), keep(2)])).toEqual(['failed', 'failed']);
  expect(tries).toBe(1);
  isAway = false;
  expect(await keep(3)).toBe(3);
});
