import { expect, it } from 'vitest';
import { createQueue } from './queue.ts';

it('a job starts once the job before has ended, also after one that failed', async () => {
  const queue = createQueue();
  const steps: string[] = [];
  let fail = (_: Error) => {};
  const first = queue(
    () =>
      new Promise<void>((_, reject) => {
        steps.push('first starts');
        fail = reject;
      }),
  );
  const second = queue(async () => {
    steps.push('second starts');
    return 2;
  });
  await Promise.resolve();
  expect(steps).toEqual(['first starts']);
  fail(new Error('of the test'));
  await expect(first).rejects.toThrow('of the test');
  await expect(second).resolves.toBe(2);
  expect(steps).toEqual(['first starts', 'second starts']);
});
