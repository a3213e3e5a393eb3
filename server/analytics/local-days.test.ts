import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localDays } from './local-days.ts';

const hour = 60 * 60_000;
const timeOf = (iso: string) => Date.parse(iso);
const lengths = (from: string, to: string, zone: string) =>
  localDays({ from: timeOf(from), to: timeOf(to) }, zone).map(({ date, from, to }) => [
    date,
    (to - from) / hour,
  ]);

describe('local days', () => {
  it('local days have 23 or 25 hours at daylight-saving changes', () => {
    expect(lengths('2026-03-07T05:00Z', '2026-03-10T04:00Z', 'America/New_York')).toEqual([
      ['2026-03-07', 24],
      ['2026-03-08', 23],
      ['2026-03-09', 24],
    ]);
    expect(lengths('2026-10-31T04:00Z', '2026-11-03T05:00Z', 'America/New_York')).toEqual([
      ['2026-10-31', 24],
      ['2026-11-01', 25],
      ['2026-11-02', 24],
    ]);
  });

  it('local days start at one where midnight is skipped', () => {
    const [day] = localDays(
      { from: timeOf('2026-04-23T22:00Z'), to: timeOf('2026-04-24T21:00Z') },
      'Africa/Cairo',
    );
    expect(day).toMatchObject({ date: '2026-04-24', isWhole: true });
  });

  it('local days start at a quarter past in Nepal', () => {
    const [first, second] = localDays(
      { from: timeOf('2026-11-01T00:00Z'), to: timeOf('2026-11-02T18:15Z') },
      'Asia/Kathmandu',
    );
    expect(first).toMatchObject({ date: '2026-11-01', isWhole: false });
    expect(second?.from).toBe(timeOf('2026-11-01T18:15Z'));
    expect(second).toMatchObject({ date: '2026-11-02', isWhole: true });
  });

  it('local days omit the day that Samoa skipped', () => {
    const dates = localDays(
      { from: timeOf('2011-12-29T12:00Z'), to: timeOf('2012-01-01T12:00Z') },
      'Pacific/Apia',
    ).map(({ date }) => date);
    expect(dates).toEqual(['2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02']);
  });

  it('local days cover the window without gap or overlap in every zone', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: Date.UTC(2024), max: Date.UTC(2030) }),
        fc.integer({ min: 1, max: 20 * 24 * hour }),
        (zone, from, length) => {
          const days = localDays({ from, to: from + length }, zone);
          expect(days[0]?.from).toBe(from);
          expect(days.at(-1)?.to).toBe(from + length);
          const dateOf = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
          for (const [i, { date, from, to }] of days.entries()) {
            expect(to).toBe(days[i + 1]?.from ?? to);
            expect([dateOf.format(from), dateOf.format(to - 1)]).toEqual([date, date]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('an empty window has no local days', () => {
    expect(localDays({ from: 5, to: 5 }, 'UTC')).toEqual([]);
  });
});
