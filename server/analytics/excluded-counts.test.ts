/** Excluded counts are summed in memory and not lost while the database is unavailable. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Log } from '../log.ts';
import { createExcludedCounts } from './excluded-counts.ts';
import type { ExcludedCount } from './model.ts';

const hour = 60 * 60_000;
const noon = Date.UTC(2026, 2, 10, 12);

let isAway: boolean;
let written: ExcludedCount[];
let tries: number;
const error = vi.fn();
const open = () =>
  createExcludedCounts({
    store: {
      async addExcludedCounts(counts) {
        tries += 1;
        if (isAway) throw new Error('away');
        written.push(...counts);
      },
    },
    now: () => Date.now(),
    log: { error } as unknown as Log,
  });

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
  isAway = false;
  written = [];
  tries = 0;
  error.mockClear();
});
afterEach(() => void vi.useRealTimers());

it('excluded counts are written once a second', async () => {
  const counts = open();
  for (let n = 0; n < 500; n++) counts.add('bot');
  counts.add('outage');
  await vi.advanceTimersByTimeAsync(1000);
  expect(tries).toBe(1);
  expect(written).toEqual([
    { reason: 'bot', at: noon, n: 500 },
    { reason: 'outage', at: noon, n: 1 },
  ]);
});

it('excluded counts stay in memory by hour while writes fail, which is logged once', async () => {
  const counts = open();
  isAway = true;
  for (let n = 0; n < 120; n++) {
    counts.add('outage');
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(error).toHaveBeenCalledTimes(1);
  // A try every ten seconds.
  expect(tries).toBeLessThan(800);
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  const hours = written.map(({ reason, at, n }) => [reason, Math.floor(at / hour), n]);
  expect(hours).toEqual([
    ['outage', noon / hour, 60],
    ['outage', noon / hour + 1, 60],
  ]);
});

it('stop writes the remaining excluded counts within a short timeout', async () => {
  const counts = open();
  counts.add('bot');
  await counts.stop();
  expect(written).toHaveLength(1);
  const hanging = createExcludedCounts({
    store: { addExcludedCounts: () => new Promise(() => {}) },
    now: () => Date.now(),
    log: { error } as unknown as Log,
  });
  hanging.add('bot');
  const stopping = hanging.stop();
  await vi.advanceTimersByTimeAsync(1000);
  await stopping;
});
