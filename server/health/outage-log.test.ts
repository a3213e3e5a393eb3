/** An outage is logged once when it starts and once when it ends. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Log } from '../log.ts';
import { createOutageLog } from './outage-log.ts';

let isWell: boolean;
let lines: [level: string, fields: unknown, message: unknown][];
const note = (level: string) => (fields: unknown, message: unknown) =>
  void lines.push([level, fields, message]);
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

it('the outage log writes the start, and at the end the duration and number of requests', async () => {
  const outages = open();
  for (let n = 0; n < 150; n++) {
    outages.record('away', { request: n });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(lines).toEqual([['error', { request: 0, reason: 'away' }, 'storage errors: started']]);
  isWell = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(lines.slice(1)).toEqual([
    ['warn', { reason: 'away', seconds: 15, requests: 150 }, 'storage errors: ended'],
  ]);
  outages.record('away', { request: 'next outage' });
  expect(lines).toHaveLength(3);
});

it('the outage log keeps outages apart by reason and ends only those that are over', async () => {
  const outages = open();
  isWell = true;
  outages.record('full', {});
  for (let n = 0; n < 100; n++) {
    outages.record('damaged', {});
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(lines.map(([level, fields, message]) => [level, Object(fields).reason, message])).toEqual([
    ['error', 'full', 'storage errors: started'],
    ['error', 'damaged', 'storage errors: started'],
    ['warn', 'full', 'storage errors: ended'],
  ]);
});

it('the outage log has no timer once it is stopped', async () => {
  const outages = open();
  outages.record('away', {});
  outages.stop();
  expect(vi.getTimerCount()).toBe(0);
});
