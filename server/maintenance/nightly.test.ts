import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import type { NightlyRun } from './lease.ts';
import { startNightlyJob } from './nightly.ts';

const compareCounters = vi.fn();
const compare = vi.fn();
const prune = vi.fn();
const backUp = vi.fn();
const retention = vi.fn();
const cleanSources = vi.fn();
let kept: NightlyRun | undefined;
const acquire = vi.fn();
const record = {
  read: async () => kept,
  acquire,
  write: async (night: NightlyRun) => {
    kept = night;
  },
};
let nightly: ReturnType<typeof startNightlyJob>;

beforeEach(() => {
  // Ten in the evening, by this machine's clock.
  vi.useFakeTimers({ now: new Date(2026, 2, 10, 22) });
  compareCounters.mockReset().mockResolvedValue({ checked: 9, differences: [] });
  compare.mockReset().mockResolvedValue({ checked: 1, differences: [] });
  prune.mockReset().mockResolvedValue(0);
  backUp.mockReset().mockResolvedValue(undefined);
  acquire.mockReset().mockResolvedValue('ours');
  retention.mockReset().mockResolvedValue(undefined);
  cleanSources.mockReset().mockResolvedValue(undefined);
  kept = { at: new Date(2026, 2, 10, 3).getTime(), trouble: [] };
  nightly = start(400);
});
afterEach(() => {
  nightly.stop();
  vi.useRealTimers();
});
const start = (keepDays: number | undefined) =>
  startNightlyJob({
    analytics: { compareCounters, prune, cleanSources },
    payments: { compare, cleanSources },
    keepDays,
    backUp,
    record,
    remembers: true,
    retention,
    now: Date.now,
    log: createLog('silent', { pretty: false }),
  });
const pass = (hours: number) => vi.advanceTimersByTimeAsync(hours * 60 * 60_000);

it('checks at three, night after night', async () => {
  await pass(4.9);
  expect(compareCounters).not.toHaveBeenCalled();
  await pass(0.2);
  expect(compareCounters).toHaveBeenCalledTimes(1);
  await pass(24);
  expect(compare).toHaveBeenCalledTimes(2);
});

it('says what it found, until a night finds nothing', async () => {
  compareCounters.mockResolvedValue({ checked: 9, differences: [{}, {}] });
  compare.mockResolvedValue({ checked: 1, differences: [{}] });
  expect(await nightly.trouble()).toBeUndefined();
  await pass(6);
  expect(await nightly.trouble()).toBe(
    'Last night’s check found 3 figures that do not add up. npm run admin -- verify says which.',
  );
  compareCounters.mockResolvedValue({ checked: 9, differences: [] });
  compare.mockResolvedValue({ checked: 1, differences: [] });
  await pass(24);
  expect(await nightly.trouble()).toBeUndefined();
});

it('leaves the night to whoever has taken it, and looks whether they have come through', async () => {
  acquire.mockResolvedValueOnce('theirs');
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

it('looks again in an hour when nobody could tell whose the night is', async () => {
  acquire.mockRejectedValueOnce(new Error('the database is away'));
  await pass(5.1);
  await pass(1);
  expect(compareCounters).toHaveBeenCalledTimes(1);
});

it('tries again the next night when it could not', async () => {
  compareCounters.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  await pass(24);
  expect(compareCounters).toHaveBeenCalledTimes(2);
});

it('cleans sources each night before the backup, also after a check that failed', async () => {
  compareCounters.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  // Of visits and sales, and of what Stripe said.
  expect(cleanSources).toHaveBeenCalledTimes(2);
  expect(cleanSources).toHaveBeenCalledBefore(backUp);
});

it('deletes what is older than the owner keeps, also after a check that failed', async () => {
  compareCounters.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  const today = Math.floor(Date.UTC(2026, 2, 11) / (24 * 60 * 60_000));
  expect(prune.mock.calls).toEqual([[today - 400]]);
});

it('deletes nothing of an owner who keeps everything', async () => {
  nightly.stop();
  nightly = start(undefined);
  await pass(48);
  expect(prune).not.toHaveBeenCalled();
});

it('backs up each night, and remembers that it did', async () => {
  await pass(5.5);
  expect(backUp).toHaveBeenCalledTimes(1);
  expect(kept).toEqual({ at: new Date(2026, 2, 11, 3).getTime(), trouble: [] });
  await pass(24);
  expect(backUp).toHaveBeenCalledTimes(2);
});

it('says that there is no backup, and why, until there is one, over a restart too', async () => {
  backUp.mockRejectedValueOnce(new Error('The disk has too little room.'));
  await pass(6);
  const said = 'Last night’s backup could not be made. The disk has too little room.';
  expect(await nightly.trouble()).toBe(said);
  nightly.stop();
  nightly = start(400);
  expect(await nightly.trouble()).toBe(said);
  await pass(24);
  expect(await nightly.trouble()).toBeUndefined();
});

it.each([
  ['was off at three', { at: new Date(2026, 2, 9, 3).getTime(), trouble: [] }],
  ['had a clock that was ahead', { at: new Date(2026, 5, 1).getTime(), trouble: [] }],
  ['has no night behind it', undefined],
])('makes up for the night of a machine that %s, once', async (_what, before) => {
  nightly.stop();
  kept = before;
  nightly = start(400);
  await pass(0.1);
  expect([compareCounters, prune, backUp].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  await pass(4);
  expect(backUp).toHaveBeenCalledTimes(1);
  await pass(1);
  expect(backUp).toHaveBeenCalledTimes(2);
});

it('does not remember a night that was broken off', async () => {
  backUp.mockImplementationOnce(async () => {
    nightly.stop();
    throw new Error('stopped');
  });
  const before = kept;
  await pass(6);
  expect(backUp).toHaveBeenCalledTimes(1);
  expect(kept).toBe(before);
});

it('lets go of people of long ago each night, also after one that failed', async () => {
  retention.mockRejectedValueOnce(new Error('disk full'));
  await pass(6);
  await pass(24);
  expect(retention).toHaveBeenCalledTimes(2);
});

it('ends when it is stopped', async () => {
  nightly.stop();
  await pass(48);
  expect(compareCounters).not.toHaveBeenCalled();
});
