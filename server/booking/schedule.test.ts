import { describe, expect, it } from 'vitest';
import { site } from '../testing/sample-config.ts';
import type { Calls } from './calls.ts';
import { createSchedule, nearest, pageOfDays } from './schedule.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
// A Monday.
const now = Date.UTC(2026, 2, 2, 9);
const calls: Calls = site.calls;

describe('schedule', () => {
  const schedule = createSchedule(calls);
  const times = schedule.free('strategy-call', [], now);

  it('schedule offers the hours of the config within notice and horizon', () => {
    expect(new Date(times[0] ?? 0).toISOString()).toBe('2026-03-03T10:00:00.000Z');
    expect(Math.max(...times)).toBeLessThanOrEqual(now + 28 * day);
    expect(times).toHaveLength(4 * (3 * 10 + 5));
  });

  it('schedule says the same of a single time as of all', () => {
    const offered = new Set(times);
    for (let time = now; time < now + 30 * day; time += hour / 4) {
      expect(schedule.isFree('strategy-call', time, [], now)).toBe(offered.has(time));
    }
  });

  it('schedule that is not open has no free time', () => {
    const closed = createSchedule(calls, { isOpen: false });
    expect(closed.free('strategy-call', [], now)).toEqual([]);
    expect(closed.isFree('strategy-call', times[0] ?? 0, [], now)).toBe(false);
  });
});

describe('page of days', () => {
  const at = (n: number) => now + n * day;
  const times = Array.from({ length: 12 }, (_, n) => [at(n), at(n) + hour]).flat();

  it('page has ten days and the date of the next one', () => {
    const { days, next } = pageOfDays(times, { timeZone: 'UTC' });
    expect(days).toHaveLength(10);
    expect(days[0]).toEqual({ date: '2026-03-02', slots: [at(0), at(0) + hour] });
    expect(next).toBe('2026-03-12');
    const rest = pageOfDays(times, { timeZone: 'UTC', from: next });
    expect(rest.days.map(({ date }) => date)).toEqual(['2026-03-12', '2026-03-13']);
    expect(rest.next).toBeUndefined();
  });

  it('page has the dates of the time zone', () => {
    const { days } = pageOfDays([now, now + 4 * hour], { timeZone: 'Asia/Tokyo' });
    expect(days).toHaveLength(1);
    expect(pageOfDays([now + 7 * hour], { timeZone: 'Asia/Tokyo' }).days[0]?.date).toBe(
      '2026-03-03',
    );
    expect(pageOfDays(times, { timeZone: 'Asia/Tokyo', from: '2026-03-13' }).days).toHaveLength(1);
  });
});

it('nearest times are the three closest ones in order', () => {
  const times = [1, 5, 9, 20, 30].map((n) => n * hour);
  expect(nearest(times, 19 * hour)).toEqual([9, 20, 30].map((n) => n * hour));
  expect(nearest(times, 0)).toEqual([1, 5, 9].map((n) => n * hour));
  expect(nearest([], 0)).toEqual([]);
});
