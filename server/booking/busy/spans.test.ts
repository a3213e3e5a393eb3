import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { filterCalendar } from './filter.ts';
import expected from './fixtures/expected.json' with { type: 'json' };
import { busySpans } from './spans.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const isOwn = (uid: string) => /^booking-.*@studio\.example$/.test(uid);

/** What a second reader, fixtures/expected.py, computes. */
describe('busy times of a calendar equal those of another reader', () => {
  it.each(Object.entries(expected))('%s', async (name, { timeZone, busy, ...window }) => {
    const from = Date.parse(window.from);
    const to = Date.parse(window.to);
    const file = await readFile(new URL(`${name}.ics`, fixtures));
    const text = await filterCalendar(chunksOf(file), { from, to });
    const spans = await busySpans(text, { from, to, timeZone, isOwn });
    expect(spans.map(textOf)).toEqual(busy);
  });
});

async function* chunksOf(file: Buffer) {
  for (let start = 0; start < file.length; start += 100) yield file.subarray(start, start + 100);
}

const textOf = ({ from, to }: { from: number; to: number }) => `${iso(from)}/${iso(to)}`;
const iso = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');

const options = {
  from: Date.parse('2026-03-01T00:00Z'),
  to: Date.parse('2026-05-01T00:00Z'),
  timeZone: 'Europe/Berlin',
  isOwn,
};

const calendarOf = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const eventOf = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];

it.each([
  ['an empty text', ''],
  ['a web page', '<!doctype html><title>Sign in</title>'],
  ['a page that quotes a calendar', '<pre>\nBEGIN:VCALENDAR\nEND:VCALENDAR</pre>'],
])('%s is no calendar, and the error says which address to use', async (_, text) => {
  await expect(busySpans(text, options)).rejects.toThrow(
    /other than a calendar file.+iCal address/,
  );
});

it('a calendar that breaks off is an error, so that later events do not become free', async () => {
  const text = calendarOf(...eventOf('DTSTART:20260302T090000Z', 'DURATION:PT1H'));
  await expect(busySpans(text, options)).resolves.toHaveLength(1);
  await expect(busySpans(text.slice(0, -16), options)).rejects.toThrow(/incomplete/);
});

it('more than 10,000 busy times are an error', async () => {
  const { from } = options;
  const text = (count: number) =>
    calendarOf(
      ...eventOf(
        `DTSTART:20260301T000000Z`,
        'DURATION:PT1M',
        `RRULE:FREQ=MINUTELY;INTERVAL=2;COUNT=${count}`,
      ),
    );
  const spans = await busySpans(text(10_000), options);
  expect(spans).toHaveLength(10_000);
  expect(spans[1]).toEqual({ from: from + 120_000, to: from + 180_000 });
  await expect(busySpans(text(10_001), options)).rejects.toThrow(/10,000 busy times/);
});

it('an event that repeats each second is an error, and lets other work run', async () => {
  const text = calendarOf(
    ...eventOf('DTSTART:20150101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY;COUNT=999999999'),
  );
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await expect(busySpans(text, options)).rejects.toThrow(/50,000 times/);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

it.each([
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;INTERVAL=7;BYDAY=TU',
  'FREQ=WEEKLY;BYDAY=MO;BYMONTH=13',
  'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=SECONDLY;BYMONTH=12',
  'FREQ=DAILY;COUNT=100;BYMONTH=2;BYMONTHDAY=31',
])('the rule %s without further occurrences ends', async (rule) => {
  const text = calendarOf(
    ...eventOf('DTSTART:20260302T090000Z', 'DURATION:PT1H', `RRULE:${rule}`),
    ...eventOf('DTSTART:20260303T090000Z', 'DURATION:PT1H'),
  );
  const spans = await busySpans(text, options);
  expect(spans.at(-1)).toEqual({
    from: Date.parse('2026-03-03T09:00Z'),
    to: Date.parse('2026-03-03T10:00Z'),
  });
});

it('a rule whose first occurrence is thousands of intervals away is found', async () => {
  const rule = 'FREQ=MINUTELY;INTERVAL=7;BYMONTH=4;BYMONTHDAY=30';
  const text = calendarOf(...eventOf('DTSTART:20260302T090000Z', 'DURATION:PT1H', `RRULE:${rule}`));
  expect((await busySpans(text, options)).map(textOf)).toEqual([
    '2026-03-02T09:00:00Z/2026-03-02T10:00:00Z',
    '2026-04-30T00:00:00Z/2026-05-01T00:00:00Z',
  ]);
});

it.each([
  ['weeks since 100', eventOf('DTSTART:01000101T090000Z', 'RRULE:FREQ=WEEKLY;INTERVAL=1000000')],
  ['weeks', eventOf('DTSTART:20260302T090000Z', 'RRULE:FREQ=WEEKLY;INTERVAL=1000000')],
  ['positions', eventOf('DTSTART:20260302T090000Z', 'RRULE:FREQ=MONTHLY;BYDAY=4WE;BYSETPOS=2')],
  [
    'clock changes',
    [
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'BEGIN:STANDARD',
      'DTSTART:19700101T000000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=SECONDLY',
      'END:STANDARD',
      'END:VTIMEZONE',
    ],
  ],
])('a rule of too many %s is read within the time of a test', async (_, lines) => {
  const spans = await busySpans(calendarOf(...lines), options);
  expect(spans.length).toBeLessThan(3);
});

it('a series that ended before the window, and was moved into it, is busy', async () => {
  const range = { ...options, from: Date.parse('2026-03-20T00:00Z') };
  const text = calendarOf(
    ...eventOf(
      'DTSTART:20260202T090000Z',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;UNTIL=20260309T090000Z',
    ),
    ...eventOf(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20260302T090000Z',
      'DTSTART:20260316T140000Z',
      'DURATION:PT2H',
    ),
  );
  const spans = await busySpans(await filterCalendar(chunksOf(Buffer.from(text)), range), range);
  expect(spans.map(textOf)).toEqual(['2026-03-23T14:00:00Z/2026-03-23T16:00:00Z']);
});

it('a series that was moved from one occurrence on is busy at the new times', async () => {
  const range = { ...options, from: Date.parse('2026-03-20T00:00Z') };
  const text = calendarOf(
    ...eventOf(
      'DTSTART;TZID=Europe/Berlin:20250106T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=WEEKLY;BYDAY=MO;UNTIL=20260406T070000Z',
    ),
    ...eventOf(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20250714T070000Z',
      'DTSTART;TZID=Europe/Berlin:20250715T140000',
      'DURATION:PT2H',
    ),
  );
  const spans = await busySpans(await filterCalendar(chunksOf(Buffer.from(text)), range), range);
  // The old times stay busy, too.
  expect(spans.map(textOf)).toEqual([
    '2026-03-23T08:00:00Z/2026-03-23T09:00:00Z',
    '2026-03-24T13:00:00Z/2026-03-24T15:00:00Z',
    '2026-03-30T07:00:00Z/2026-03-30T08:00:00Z',
    '2026-03-31T12:00:00Z/2026-03-31T14:00:00Z',
    '2026-04-06T07:00:00Z/2026-04-06T08:00:00Z',
    '2026-04-07T12:00:00Z/2026-04-07T14:00:00Z',
  ]);
});

it('a time zone that the file defines in a malformed way is read by its name', async () => {
  const text = calendarOf(
    'BEGIN:VTIMEZONE',
    'TZID:America/New_York',
    'END:VTIMEZONE',
    ...eventOf('DTSTART;TZID=America/New_York:20260302T090000', 'DURATION:PT1H'),
  );
  expect((await busySpans(text, options)).map(textOf)).toEqual([
    '2026-03-02T14:00:00Z/2026-03-02T15:00:00Z',
  ]);
});
