import { expect, it } from 'vitest';
import { dateAndTime, isSameClock, spanInWords, timesInWords } from './times.ts';

const at = Date.parse('2026-11-25T09:30:00Z');
const halfHour = 30 * 60_000;

it('span has the date, the times and the zone', () => {
  expect(spanInWords(at, at + halfHour, 'Europe/Berlin')).toBe(
    'Wednesday, November 25, 10:30–11:00 AM, Berlin (GMT+1)',
  );
  expect(spanInWords(at, at + halfHour, 'America/New_York')).toContain('New York (GMT-5)');
  expect(spanInWords(at, at + halfHour, 'UTC')).toContain('UTC (GMT)');
});

it('span is in the language that is given', () => {
  expect(spanInWords(at, at + halfHour, 'Europe/Berlin', 'de')).toBe(
    'Mittwoch, 25. November, 10:30–11:00, Berlin (GMT+1)',
  );
});

it('times name both halves of the day when they differ', () => {
  expect(timesInWords(at + 5 * halfHour, at + 6 * halfHour, 'UTC')).toBe('12:00–12:30 PM');
  expect(timesInWords(at + 4 * halfHour, at + 5 * halfHour, 'UTC')).toBe('11:30 AM–12:00 PM');
});

it('clocks are the same when date and time are, not for zones a whole day apart', () => {
  expect(isSameClock(at, 'Europe/Berlin', 'Europe/Rome')).toBe(true);
  expect(isSameClock(at, 'Europe/Berlin', 'Europe/London')).toBe(false);
  // 13 hours ahead of UTC, and 11 behind it.
  expect(isSameClock(at, 'Pacific/Auckland', 'Pacific/Niue')).toBe(false);
});

it('date and time are in the local time zone unless one is given', () => {
  const local = new Date(2026, 0, 31, 14, 5);
  // Node writes one kind of space before PM, browsers another.
  expect(dateAndTime(local.toISOString())).toMatch(/^Jan 31, 2026, 2:05\sPM$/);
  expect(dateAndTime(at, 'Asia/Tokyo')).toMatch(/^Nov 25, 2026, 6:30\sPM$/);
});
