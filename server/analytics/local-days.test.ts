import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, localDays } from './local-days.ts';

const hour = 60 * 60_000;
const moment = (iso: string) => Date.parse(iso);
const lengths = (from: string, to: string, zone: string) =>
  localDays({ from: moment(from), to: moment(to) }, zone).map(({ date, from, to }) => [
    date,
    (to - from) / hour,
  ]);

describe('local days', () => {
  it('are twenty-three hours long when summer time begins, twenty-five when it ends', () => {
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

  it('begin at one where there is no midnight that day', () => {
    const [day] = localDays(
      { from: moment('2026-04-23T22:00Z'), to: moment('2026-04-24T21:00Z') },
      'Africa/Cairo',
    );
    expect(day).toMatchObject({ date: '2026-04-24', isWhole: true });
  });

  it('begin a quarter past in Nepal', () => {
    const [first, second] = localDays(
      { from: moment('2026-11-01T00:00Z'), to: moment('2026-11-02T18:15Z') },
      'Asia/Kathmandu',
    );
    expect(first).toMatchObject({ date: '2026-11-01', isWhole: false });
    expect(second?.from).toBe(moment('2026-11-01T18:15Z'));
    expect(second).toMatchObject({ date: '2026-11-02', isWhole: true });
  });

  it('leave out the day that Samoa never had', () => {
    const dates = localDays(
      { from: moment('2011-12-29T12:00Z'), to: moment('2012-01-01T12:00Z') },
      'Pacific/Apia',
    ).map(({ date }) => date);
    expect(dates).toEqual(['2011-12-29', '2011-12-31', '2012-01-01', '2012-01-02']);
  });

  it('are the window, without gap and overlap, and bear their dates, in every zone', () => {
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

  it('are none in an empty window', () => {
    expect(localDays({ from: 5, to: 5 }, 'UTC')).toEqual([]);
  });

  it.each(['Europe/Berlin', 'UTC', 'Asia/Kathmandu'])('%s is a zone', (name) =>
    expect(isTimeZone(name)).toBe(true),
  );
  it.each(['', '+05:45', '-23:59', 'Mars/Base', '../etc', 'x'.repeat(5000)])('%j is none', (name) =>
    expect(isTimeZone(name)).toBe(false),
  );
});
