import { describe, expect, it } from 'vitest';
import { site } from '../testing/sample-config.ts';
import {
  availabilityOf,
  type Calls,
  datesOf,
  durationMs,
  hasSampleHours,
  parseHours,
  rulesOf,
} from './calls.ts';

const calls: Calls = site.calls;
const minute = 60_000;

it('hours of a weekday are at its index from Sunday', () => {
  const { weekly, timeZone } = availabilityOf(calls);
  expect(timeZone).toBe('Europe/London');
  expect(weekly).toHaveLength(7);
  expect(weekly[0]).toEqual([]);
  expect(weekly[2]).toEqual([
    { start: 600, end: 750 },
    { start: 840, end: 990 },
  ]);
});

it('closed dates have no hours, and special dates have their own, even within a closed range', () => {
  const { dates } = availabilityOf({
    ...calls,
    closed: ['2026-12-24', '2026-12-30/2027-01-02'],
    special: { '2026-12-31': ['09:00-10:00'] },
  });
  expect(Object.fromEntries(dates)).toEqual({
    '2026-12-24': [],
    '2026-12-30': [],
    '2026-12-31': [{ start: 540, end: 600 }],
    '2027-01-01': [],
    '2027-01-02': [],
  });
});

it('hours are samples until one of them or the time zone changes', () => {
  expect(hasSampleHours(calls)).toBe(true);
  expect(hasSampleHours({ ...calls, timeZone: 'Europe/Paris' })).toBe(false);
  const hours = { ...calls.hours, monday: ['10:00-12:30'] };
  expect(hasSampleHours({ ...calls, hours })).toBe(false);
});

it('rules are in milliseconds', () => {
  expect(rulesOf(calls.strategyCall)).toEqual({
    lengthMs: 30 * minute,
    stepMs: 30 * minute,
    noticeMs: 12 * 60 * minute,
    horizonMs: 28 * 24 * 60 * minute,
    gapMs: 15 * minute,
  });
});

describe('durations', () => {
  it.each([
    ['15 minutes', 15 * minute],
    ['1 minute', minute],
    ['10m', 10 * minute],
    ['12 hours', 12 * 60 * minute],
    ['24h', 24 * 60 * minute],
    ['28 days', 28 * 24 * 60 * minute],
    ['0 minutes', 0],
  ])('%s is %d ms', (text, ms) => expect(durationMs(text)).toBe(ms));

  it.each(['', '15', 'minutes', '-1 minutes', '1.5 hours', '2 weeks', '10 mm', '99999 days'])(
    '"%s" is not a duration',
    (text) => expect(durationMs(text)).toBeUndefined(),
  );
});

describe('hours', () => {
  it.each([
    ['10:00-12:30', { start: 600, end: 750 }],
    ['10:00 - 12:30', { start: 600, end: 750 }],
    ['10:00–12:30', { start: 600, end: 750 }],
    ['00:00-24:00', { start: 0, end: 1440 }],
  ])('%s is a range', (text, hours) => expect(parseHours(text)).toEqual(hours));

  it.each(['', '10-12', '12:30-10:00', '10:00-10:00', '10:60-12:00', '10:00-24:01', '9:00-10:00'])(
    '"%s" is not a range',
    (text) => expect(parseHours(text)).toBeUndefined(),
  );
});

it.each([
  '',
  '24.12.2026',
  '2026-02-30',
  '2026-12-24/',
  '2027-01-02/2027-01-01',
  '2026-01-01/2126-01-01',
])('"%s" is not a date or range of dates', (text) => expect(datesOf(text)).toBeUndefined());

it.each([
  ['2026-12-24', 1],
  ['2027-12-30/2028-03-01', 63],
  // The last date that has four digits for its year.
  ['9999-12-30/9999-12-31', 2],
  ['2026-01-01/2029-01-03', 3 * 366 + 1],
])('%s lists %d dates in order', (range, count) => {
  const dates = datesOf(range) ?? [];
  const [first, last = first] = range.split('/');
  expect([dates[0], dates.at(-1), new Set(dates).size]).toEqual([first, last, count]);
  expect(dates).toEqual([...dates].sort());
});

it('range of dates that is a day too long is refused', () => {
  expect(datesOf('2026-01-01/2029-01-04')).toBeUndefined();
});
