import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { type Availability, type BusySpan, type CallRules, slots } from './slots.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const at = (iso: string) => Date.parse(iso);
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString().slice(0, 16));

const everyDay = (start: number, end: number): Availability['weekly'] =>
  Array.from({ length: 7 }, () => [{ start: start * 60, end: end * 60 }]);

const availability = (changes: Partial<Availability> = {}): Availability => ({
  timeZone: 'UTC',
  weekly: everyDay(9, 11),
  dates: new Map(),
  ...changes,
});

const call = (changes: Partial<CallRules> = {}): CallRules => ({
  lengthMs: 30 * minute,
  stepMs: 30 * minute,
  noticeMs: 0,
  horizonMs: day,
  gapMs: 0,
  ...changes,
});

const monday = at('2026-03-02T00:00Z');

describe('slots', () => {
  it('slots fill the working hours from their start', () => {
    expect(iso(slots(availability(), call({ horizonMs: 12 * hour }), [], monday))).toEqual([
      '2026-03-02T09:00',
      '2026-03-02T09:30',
      '2026-03-02T10:00',
      '2026-03-02T10:30',
    ]);
  });

  it('slots start on the local hour in a zone with a half-hour offset', () => {
    const kolkata = availability({ timeZone: 'Asia/Kolkata' });
    const rules = call({ stepMs: hour, horizonMs: 12 * hour });
    expect(iso(slots(kolkata, rules, [], monday))).toEqual([
      '2026-03-02T03:30',
      '2026-03-02T04:30',
    ]);
  });

  it('slots leave no time for a call after the end of the working hours', () => {
    const rules = call({ lengthMs: 50 * minute, horizonMs: 12 * hour });
    expect(iso(slots(availability(), rules, [], monday))).toEqual([
      '2026-03-02T09:00',
      '2026-03-02T09:30',
      '2026-03-02T10:00',
    ]);
  });

  it('slots begin after the notice and end with the horizon, both included', () => {
    const rules = call({ noticeMs: 9.5 * hour, horizonMs: 10 * hour });
    expect(iso(slots(availability(), rules, [], monday))).toEqual([
      '2026-03-02T09:30',
      '2026-03-02T10:00',
    ]);
  });

  it('slots of a date replace those of its weekday', () => {
    const dates = new Map([
      ['2026-03-02', []],
      ['2026-03-03', [{ start: 14 * 60, end: 15 * 60 }]],
    ]);
    const rules = call({ horizonMs: 2 * day });
    expect(iso(slots(availability({ dates }), rules, [], monday))).toEqual([
      '2026-03-03T14:00',
      '2026-03-03T14:30',
    ]);
  });

  it.each([
    ['the gap of the call', 20, 0],
    ['the gap of the busy span', 0, 20],
    ['the larger gap', 10, 20],
  ])('slots keep %s free on both sides of a busy span', (_, own, other) => {
    const busy = { from: monday + 9.75 * hour, to: monday + 10 * hour, gapMs: other * minute };
    const rules = call({ stepMs: 5 * minute, gapMs: own * minute, horizonMs: 12 * hour });
    expect(iso(slots(availability(), rules, [busy], monday))).toEqual([
      '2026-03-02T10:20',
      '2026-03-02T10:25',
      '2026-03-02T10:30',
    ]);
  });

  it('slots continue through the hour that occurs twice', () => {
    const newYork = availability({ timeZone: 'America/New_York', weekly: everyDay(0, 3) });
    const rules = call({ lengthMs: hour, stepMs: hour, horizonMs: 20 * hour });
    expect(iso(slots(newYork, rules, [], at('2026-11-01T04:00Z')))).toEqual([
      '2026-11-01T04:00',
      '2026-11-01T05:00',
      '2026-11-01T06:00',
      '2026-11-01T07:00',
    ]);
  });

  it('slots skip the hour that clocks skip', () => {
    const newYork = availability({ timeZone: 'America/New_York', weekly: everyDay(1, 4) });
    const rules = call({ lengthMs: hour, stepMs: hour, horizonMs: 20 * hour });
    expect(iso(slots(newYork, rules, [], at('2026-03-08T05:00Z')))).toEqual([
      '2026-03-08T06:00',
      '2026-03-08T07:00',
    ]);
  });

  it('slots of random schedules equal those of Temporal', () => {
    fc.assert(
      fc.property(schedule, ({ availability, rules, busy, now }) => {
        expect(slots(availability, rules, busy, now)).toEqual(
          slotsByTemporal(availability, rules, busy, now),
        );
      }),
      { numRuns: process.env.TEST_LONG ? 1000 : 60 },
    );
  });
});

const quarterHours = (max: number) => fc.integer({ min: 1, max }).map((n) => n * 15 * minute);

const hoursOfDay = fc
  .uniqueArray(fc.integer({ min: 0, max: 48 }), { maxLength: 6 })
  .map((ends) => ends.sort((a, b) => a - b).map((halfHours) => halfHours * 30))
  .map((ends) =>
    Array.from({ length: Math.floor(ends.length / 2) }, (_, i) => ({
      start: ends[2 * i] ?? 0,
      end: ends[2 * i + 1] ?? 0,
    })),
  );

/** A schedule near a clock change, if its zone has any. */
const schedule = fc
  .record({
    timeZone: fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
    weekly: fc.array(hoursOfDay, { minLength: 7, maxLength: 7 }),
    special: fc.dictionary(fc.integer({ min: -3, max: 12 }).map(String), hoursOfDay, {
      maxKeys: 4,
    }),
    year: fc.integer({ min: 2026, max: 2034 }),
    before: fc.integer({ min: 0, max: 10 * day }),
    rules: fc.record({
      lengthMs: quarterHours(8),
      stepMs: quarterHours(8),
      noticeMs: quarterHours(100),
      horizonMs: quarterHours(1200),
      gapMs: quarterHours(4),
    }),
    spans: fc.array(
      fc.record({
        offset: fc.integer({ min: -day, max: 14 * day }),
        length: fc.integer({ min: 1, max: day }),
        gapMs: fc.option(quarterHours(4), { nil: undefined }),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ timeZone, weekly, special, year, before, rules, spans }) => {
    const start = Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(timeZone);
    const change = start.getTimeZoneTransition('next') ?? start;
    const now = change.epochMilliseconds - before;
    const dates = Object.entries(special).map(
      ([days, hours]) =>
        [
          change
            .toPlainDate()
            .add({ days: Number(days) })
            .toString(),
          hours,
        ] as const,
    );
    const busy = spans.map(
      ({ offset, length, gapMs }): BusySpan => ({
        from: now + offset,
        to: now + offset + length,
        ...(gapMs && { gapMs }),
      }),
    );
    return { availability: { timeZone, weekly, dates: new Map(dates) }, rules, busy, now };
  });

/** The same slots by Temporal's calendar and time zones. */
function slotsByTemporal(
  { timeZone, weekly, dates }: Availability,
  { lengthMs, stepMs, noticeMs, horizonMs, gapMs }: CallRules,
  busy: readonly BusySpan[],
  now: number,
): number[] {
  const found: number[] = [];
  const zoned = (time: number) =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone);
  const last = zoned(now + horizonMs).toPlainDate();
  let date = zoned(now).toPlainDate();
  for (; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    const hours = dates.get(date.toString()) ?? weekly[date.dayOfWeek % 7] ?? [];
    for (const { start, end } of hours) {
      const [from, to] = [start, end].map(
        (minutes) =>
          date.toPlainDateTime().add({ minutes }).toZonedDateTime(timeZone).epochMilliseconds,
      ) as [number, number];
      for (let n = 0; from + n * stepMs + lengthMs <= to; n++) {
        const time = from + n * stepMs;
        const tooEarly = time - now < noticeMs;
        const tooLate = time - now > horizonMs;
        const overlaps = busy.some((span) => {
          const gap = Math.max(gapMs, span.gapMs ?? 0);
          return time < span.to + gap && span.from - gap < time + lengthMs;
        });
        if (!tooEarly && !tooLate && !overlaps) found.push(time);
      }
    }
  }
  return [...new Set(found)].sort((a, b) => a - b);
}
