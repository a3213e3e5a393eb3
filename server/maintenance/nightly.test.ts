import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import type { NightlyRun } from '../stores/lease.ts';
import { startNightlyJob } from './nightly.ts';

const compareCounters = vi.fn();
const compare = vi.fn();
const prune = vi.fn();
const backUp = vi.fn();
const retention = vi.fn();
const reencrypt = vi.fn();
let stored: NightlyRun | undefined;
const acquire = vi.fn();
const lease = {
  read: async () => stored,
  acquire,
  write: async (night: NightlyRun) => {
    stored = night;
  },
};
let nightly: ReturnType<typeof startNightlyJob>;

beforeEach(() => {
  // Ten in the evening, in the server's time zone.
  vi.useFakeTimers({ now: new Date(2026, 2, 10, 22) });
  compareCounters.mockReset().mockResolvedValue({ checked: 9, differences: [] });
  compare.mockReset().mockResolvedValue({ checked: 1, differences: [], unconverted: [] });
  prune.mockReset().mockResolvedValue(0);
  backUp.mockReset().mockResolvedValue(undefined);
  acquire.mockReset().mockResolvedValue('acquired');
  retention.mockReset().mockResolvedValue(undefined);
  reencrypt.mockReset().mockResolvedValue(undefined);
  stored = { at: new Date(2026, 2, 10, 3).getTime(), problems: [] };
  nightly = start(400);
});
afterEach(() => {
  nightly.stop();
  vi.useRealTimers();
});
const start = (keepDays: number | undefined) =>
  startNightlyJob({
    analytics: { compareCounters, prune },
    sales: { compare },
    keepDays,
    backUp,
    lease,
    recordsRuns: true,
    retention,
    reencrypt,
    now: Date.now,
    log: createLog('silent', { pretty: false }),
  });
const pass = (hours: number) => vi.advanceTimersByTimeAsync(hours * 60 * 60_000);

it('nightly job checks the figures at three every night', async () => {
  await pass(4.9);
  expect(compareCounters).not.toHaveBeenCalled();
  await pass(0.2);
  expect(compareCounters).toHaveBeenCalledTimes(1);
  await pass(24);
  expect(compare).toHaveBeenCalledTimes(2);
});

it('nightly job reports differing figures until a run finds none', async () => {
  compareCounters.mockResolvedValue({ checked: 9, differences: [{}, {}] });
  compare.mockResolvedValue({ checked: 1, differences: [{}], unconverted: [] });
  expect(await nightly.alert()).toBeUndefined();
  await pass(6);
  expect(await nightly.alert()).toBe(
    'Last night’s check found 3 figures that do not add up. npm run admin -- verify says which.',
  );
  compareCounters.mockResolvedValue({ checked: 9, differences: [] });
  compare.mockResolvedValue({ checked: 1, differences: [], unconverted: [] });
  await pass(24);
  expect(await nightly.alert()).toBeUndefined();
});

it('nightly job reports money in a third currency, which is not deducted', async () => {
  compare.mockResolvedValue({ checked: 2, differences: [], unconverted: ['pi_1'] });
  await pass(6);
  expect(await nightly.alert()).toBe(
    'A refund or dispute of pi_1 is in another currency than its sale, and is not deducted from the revenue. See it at Stripe.',
  );
  compare.mockResolvedValue({
    checked: 2,
    differences: [{}],

    unconverted: ['pi_1', 'pi_2'],
  });
  await pass(24);
  expect(await nightly.alert()).toMatch(
    /^Last night.* says which\. A refund .* of pi_1 and 1 more/,
  );
});

it('nightly job retries in an hour while another instance holds the lease', async () => {
  acquire.mockResolvedValueOnce('held');
  await pass(5.1);
  expect(compareCounters).not.toHaveBeenCalled();
  await pass(1);
  expect(compareCounters).toHaveBeenCalledTimes(1);
  acquire.mockResolvedValueOnce('done');
  await pass(24);
  expect(compareCounters).toHaveBeenCalledTimes(1);
  await pass(24);
  expect(compareCounters).toHaveBeenCalledTimes(2);
});

it('nightly job retries in an hour when the lease fails', async () => {
  acquire.mockRejectedValueOnce(new Error('the database is away'));
  await pass(5.1);
  await pass(1);
  expect(compareCounters).toHaveBeenCalledTimes(1);
});

it('nightly job runs again the next night after a failed check', async () => {
  compareCounters.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  await pass(24);
  expect(compareCounters).toHaveBeenCalledTimes(2);
});

it('nightly job prunes old events, also after a failed check', async () => {
  compareCounters.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  const today = Math.floor(Date.UTC(2026, 2, 11) / (24 * 60 * 60_000));
  expect(prune.mock.calls).toEqual([[today - 400]]);
});

it('nightly job prunes nothing without a retention period', async () => {
  nightly.stop();
  nightly = start(undefined);
  await pass(48);
  expect(prune).not.toHaveBeenCalled();
});

it('nightly job backs up every night and records the run', async () => {
  await pass(5.5);
  expect(backUp).toHaveBeenCalledTimes(1);
  expect(stored).toEqual({ at: new Date(2026, 2, 11, 3).getTime(), problems: [] });
  await pass(24);
  expect(backUp).toHaveBeenCalledTimes(2);
});

it('nightly job reports a failed backup until one succeeds, also after a restart', async () => {
  backUp.mockRejectedValueOnce(new Error('The disk has too little room.'));
  await pass(6);
  const said = 'Last night’s backup could not be made. The disk has too little room.';
  expect(await nightly.alert()).toBe(said);
  nightly.stop();
  nightly = start(400);
  expect(await nightly.alert()).toBe(said);
  await pass(24);
  expect(await nightly.alert()).toBeUndefined();
});

it.each([
  ['missed the last run', { at: new Date(2026, 2, 9, 3).getTime(), problems: [] }],
  ['recorded a run in the future', { at: new Date(2026, 5, 1).getTime(), problems: [] }],
  ['has never run', undefined],
])('nightly job catches up once after the start of a site that %s', async (_what, before) => {
  nightly.stop();
  stored = before;
  nightly = start(400);
  await pass(0.1);
  expect([compareCounters, prune, backUp].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  await pass(4);
  expect(backUp).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(backUp).toHaveBeenCalledTimes(2);
});

it('nightly job does not record an interrupted run', async () => {
  backUp.mockImplementationOnce(async () => {
    nightly.stop();
    throw new Error('stopped');
  });
  const before = stored;
  await pass(6);
  expect(backUp).toHaveBeenCalledTimes(1);
  expect(stored).toBe(before);
});

it('nightly job runs the retention every night, also after a failure', async () => {
  retention.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  await pass(24);
  expect(retention).toHaveBeenCalledTimes(2);
});

it('nightly job does not run after stop', async () => {
  nightly.stop();
  await pass(48);
  expect(compareCounters).not.toHaveBeenCalled();
});
