/** A database that is away for a minute is a line when it begins and one when it is over. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Log } from '../log.ts';
import { createOutageLog } from './outage-log.ts';

let isWell: boolean;
let lines: [level: string, facts: unknown, message: unknown][];
const note = (level: string) => (facts: unknown, message: unknown) =>
  void lines.push([level, facts, message]);
const log = { error: note('error'), warn: note('warn'), debug: () => {} } as unknown as Log;

const open = () =>
  createOutageLog({
    log,
    isWell: () => (isWell ? Promise.resolve() : Promise.reject(new Error('no'))),
    now: () => Date.now(),
  });

beforeEach(() => {
  vi.useFakeTimers();
  isWell = false;
  lines = [];
});
afterEach(() => void vi.useRealTimers());

it('says that it began, and at the end for how long and to how many', async () => {
  const outages = open();
  for (let n = 0; n < 150; n++) {
    outages.record('away', { request: n });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(lines).toEqual([['error', { request: 0 }, 'away']]);
  isWell = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(lines.slice(1)).toEqual([
    ['warn', { was: 'away', seconds: 15, requests: 150 }, 'everything can be kept again'],
  ]);
  outages.record('away', { request: 'the next time' });
  expect(lines).toHaveLength(3);
});

it('tells faults apart, and ends none that is still met', async () => {
  const outages = open();
  isWell = true;
  outages.record('full', {});
  for (let n = 0; n < 100; n++) {
    outages.record('damaged', {});
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(lines.map(([level, , message]) => [level, message])).toEqual([
    ['error', 'full'],
    ['error', 'damaged'],
    ['warn', 'everything can be kept again'],
  ]);
});

it('looks no more once it is stopped', async () => {
  const outages = open();
  outages.record('away', {});
  outages.stop();
  expect(vi.getTimerCount()).toBe(0);
});
