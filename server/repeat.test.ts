import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (rounds: number) => vi.advanceTimersByTimeAsync(rounds * 1000);

it('a repeated job reports failures in a row once, and again after a success', async () => {
  const errors: unknown[] = [];
  let failure: Error | undefined = new Error('away');
  const stop = repeat(
    1000,
    async () => {
      if (failure) throw failure;
    },
    (error) => errors.push(error),
  );
  await pass(5);
  expect(errors).toEqual([failure]);
  failure = undefined;
  await pass(2);
  failure = new Error('away again');
  await pass(5);
  expect(errors).toHaveLength(2);
  stop();
});

it('a repeated job is not started again while it runs', async () => {
  let finish = () => {};
  const job = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const stop = repeat(1000, job, () => {});
  await pass(3);
  expect(job).toHaveBeenCalledTimes(1);
  finish();
  await pass(1);
  expect(job).toHaveBeenCalledTimes(2);
  stop();
});

it('a job that fails after it was stopped reports nothing', async () => {
  const onError = vi.fn();
  let fail = (_: Error) => {};
  const stop = repeat(1000, () => new Promise((_, reject) => (fail = reject)), onError);
  stop();
  fail(new Error('closed'));
  await pass(2);
  expect(onError).not.toHaveBeenCalled();
});
