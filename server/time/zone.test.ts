import { Temporal } from 'temporal-polyfill';
import { expect, it } from 'vitest';
import { dateAfter, dateAt, isTimeZone, timeOf, weekdayOf } from './zone.ts';

const iso = (at: number) => new Date(at).toISOString();

it.each([
  ['of an ordinary day', '2026-06-01', 10 * 60, '2026-06-01T14:00:00.000Z'],
  ['that is skipped', '2026-03-08', 2.5 * 60, '2026-03-08T07:30:00.000Z'],
  ['that occurs twice', '2026-11-01', 1.5 * 60, '2026-11-01T05:30:00.000Z'],
  ['of the end of a day', '2026-11-01', 24 * 60, '2026-11-02T05:00:00.000Z'],
])('the time of a local time %s in New York', (_, date, minutes, expected) => {
  expect(iso(timeOf(date, minutes, 'America/New_York'))).toBe(expected);
});

it('the time of a local time equals that of Temporal in every zone at its clock changes', () => {
  const isLong = Boolean(process.env.TEST_LONG);
  const zones = Intl.supportedValuesOf('timeZone').filter((_, i) => isLong || i % 3 === 0);
  const [years, step, least] = isLong ? [10, 20, 500_000] : [1, 60, 5000];
  const differences: string[] = [];
  let compared = 0;
  for (const zone of zones) {
    for (const date of changeDates(zone, years)) {
      for (let minutes = 0; minutes <= 1440; minutes += step) {
        const time = Temporal.PlainDateTime.from(date).add({ minutes });
        const expected = time.toZonedDateTime(zone).epochMilliseconds;
        compared += 1;
        if (timeOf(date, minutes, zone) !== expected) differences.push(`${zone} ${time}`);
      }
    }
  }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(least);
  if (isLong) console.info(`${compared} local times at clock changes compared`);
}, 120_000);

/** The date before, of and after each clock change of a zone, from 2026 on. */
function changeDates(zone: string, years: number): string[] {
  const dates = new Set<string>();
  let at = Temporal.PlainDate.from('2026-01-01').toZonedDateTime(zone);
  const end = at.add({ years }).epochMilliseconds;
  for (;;) {
    const change = at.getTimeZoneTransition('next');
    if (!change || change.epochMilliseconds >= end) return [...dates];
    for (const days of [-1, 0, 1]) dates.add(change.toPlainDate().add({ days }).toString());
    at = change;
  }
}

it('the local date at a time depends on the zone', () => {
  const at = Date.parse('2026-11-01T03:30Z');
  expect(dateAt(at, 'America/New_York')).toBe('2026-10-31');
  expect(dateAt(at, 'Asia/Kathmandu')).toBe('2026-11-01');
});

it('the date after the last of February follows the calendar', () => {
  expect([dateAfter('2027-02-28'), dateAfter('2028-02-28')]).toEqual(['2027-03-01', '2028-02-29']);
});

it.each(['Europe/Berlin', 'UTC', 'asia/kolkata'])('%s is a valid time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(['', '+05:45', '-23:59', 'Mars/Base', '../etc', 'x'.repeat(5000)])(
  '%j is not a valid time zone',
  (name) => expect(isTimeZone(name)).toBe(false),
);

it('weekday of a date is 0 on Sunday and 6 on Saturday', () => {
  expect(['2026-11-01', '2026-11-02', '2026-11-07'].map(weekdayOf)).toEqual([0, 1, 6]);
});
