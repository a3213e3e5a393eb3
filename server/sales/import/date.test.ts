import { expect, it } from 'vitest';
import { isDayFirstIn, timeOfDate } from './date.ts';

const read = (text: string, isDayFirst = false) =>
  timeOfDate(text, { isDayFirst, timeZone: 'America/New_York' });
const iso = (text: string, isDayFirst?: boolean) => {
  const at = read(text, isDayFirst);
  return at === undefined ? undefined : new Date(at).toISOString();
};

it.each([
  ['2026-01-31T09:30:15.250Z', '2026-01-31T09:30:15.250Z'],
  ['2026-01-31 09:30:15 UTC', '2026-01-31T09:30:15.000Z'],
  ['2026-01-31 09:30:15 +0200', '2026-01-31T07:30:15.000Z'],
  ['2026-01-31T09:30:15-05:00', '2026-01-31T14:30:15.000Z'],
  ['2026-01-31 09:30', '2026-01-31T14:30:00.000Z'],
  ['2026-07-31', '2026-07-31T04:00:00.000Z'],
  ['2026/01/31', '2026-01-31T05:00:00.000Z'],
  ['1/31/2026 9:30 PM', '2026-02-01T02:30:00.000Z'],
  ['1/31/26, 12:05 a.m. UTC', '2026-01-31T00:05:00.000Z'],
  ['31.01.2026 09:30:15 CET', '2026-01-31T08:30:15.000Z'],
  ['01/31/2026 09:30:15 PST', '2026-01-31T17:30:15.000Z'],
  ['01/31/2026 09:30:15 Europe/Berlin', '2026-01-31T08:30:15.000Z'],
  // A zone that may be one of several is taken for the owner’s.
  ['01/31/2026 09:30:15 IST', '2026-01-31T14:30:15.000Z'],
  ['Jan 31, 2026 9:30 AM UTC', '2026-01-31T09:30:00.000Z'],
  ['31 January 2026', '2026-01-31T05:00:00.000Z'],
])('date %s is %s', (text, expected) => {
  expect(iso(text)).toBe(expected);
});

it('date of two numbers below 13 is read as the options say', () => {
  expect(iso('01/02/2026 UTC')).toBe('2026-01-02T00:00:00.000Z');
  expect(iso('01/02/2026 UTC', true)).toBe('2026-02-01T00:00:00.000Z');
  expect(iso('01.02.2026 UTC')).toBe('2026-02-01T00:00:00.000Z');
});

it.each([
  '',
  'yesterday',
  '2026-02-30',
  '31/31/2026',
  '2026-01-31 25:00',
  '2026-01-31 9:61',
  '45000',
  `2026-01-31${' '.repeat(1_000_000)}!`,
])('text %j is no date', (text) => expect(read(text)).toBeUndefined());

it.each([
  [['01/02/2026', '31/01/2026'], true],
  [['01/02/2026', '01/31/2026'], false],
  [['01/02/2026', '03/04/2026'], undefined],
  [['01/01/2026'], false],
  [['01.02.2026', '2026-01-02', ''], false],
])('dates %j have the day first: %s', (dates, expected) => {
  expect(isDayFirstIn(dates)).toBe(expected);
});
