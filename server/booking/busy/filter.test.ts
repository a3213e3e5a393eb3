import { expect, it } from 'vitest';
import { CalendarError } from './errors.ts';
import { filterCalendar } from './filter.ts';

const window = { from: Date.parse('2026-03-01T00:00Z'), to: Date.parse('2026-05-01T00:00Z') };

async function* chunksOf(text: string | Buffer, bytes = 1 << 20) {
  const buffer = Buffer.from(text);
  for (let start = 0; start < buffer.length; start += bytes) {
    yield buffer.subarray(start, start + bytes);
  }
}

const calendarOf = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const eventOf = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'];

/** The lines that are kept of a calendar with these lines. */
async function kept(...lines: string[]): Promise<string[]> {
  const text = await filterCalendar(chunksOf(calendarOf(...lines)), window);
  return text.split('\r\n').slice(1, -2);
}

it('filter keeps times, states and zones, and no words of people', async () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:STANDARD',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'DTSTART:19701025T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
  const event = eventOf(
    'UID:1@calendar.example',
    'DTSTART;TZID=Europe/Berlin:20260302T090000',
    'DTEND;TZID=Europe/Berlin:20260302T100000',
    'RRULE:FREQ=DAILY',
    'EXDATE:20260303T080000Z',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
  );
  const priv = [
    'SUMMARY:A private title',
    'DESCRIPTION:Private\\n',
    ' words in two lines',
    'LOCATION:Main Street 1',
    'ATTENDEE;CN="Ada: x":mailto:ada@guest.example',
    'BEGIN:VALARM',
    'DURATION:PT5M',
    'UID:alarm',
    'END:VALARM',
  ];
  expect(
    await kept(
      'X-WR-CALNAME:Private',
      'X-WR-TIMEZONE:Europe/Berlin',
      ...zone,
      'BEGIN:VTODO',
      'UID:todo',
      'DTSTART:20260302T090000Z',
      'END:VTODO',
      ...event.slice(0, 3),
      ...priv,
      ...event.slice(3),
    ),
  ).toEqual(['X-WR-TIMEZONE:Europe/Berlin', ...zone, ...event]);
});

it('filter keeps the periods of a free/busy component, and no words of people', async () => {
  const periods = ['FREEBUSY;FBTYPE=BUSY:20260302T090000Z/PT1H', 'FREEBUSY:20260303T090000Z/PT1H'];
  expect(
    await kept(
      'BEGIN:VFREEBUSY',
      'ORGANIZER;CN=Ada:mailto:ada@guest.example',
      'COMMENT:A private title',
      ...periods,
      'END:VFREEBUSY',
    ),
  ).toEqual(['BEGIN:VFREEBUSY', ...periods, 'END:VFREEBUSY']);
});

it.each([1, 2, 3, 7, 39, 40, 41, 1000])(
  'filter reads the same lines from chunks of %i bytes',
  async (bytes) => {
    const file = Buffer.concat([
      Buffer.from('\uFEFFBEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:Termin-'),
      // The fold is inside the two bytes of ü.
      Buffer.from([0xc3, 0x0d, 0x0a, 0x20, 0xbc]),
      Buffer.from('@calendar.example\r\n\tx\r\nSUMMARY:long '),
      Buffer.from('title '.repeat(500)),
      Buffer.from('\r\nDTSTART;TZID="A: B":2026\r\n 0302T090000\r\nEND:VEVENT\r\nEND:VCALENDAR'),
    ]);
    const text = await filterCalendar(chunksOf(file, bytes), window);
    expect(text.split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:Termin-ü@calendar.examplex',
      'DTSTART;TZID="A: B":20260302T090000',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  },
);

it.each([
  ['a past event', false, ['DTSTART:20260201T090000Z', 'DTEND:20260201T100000Z']],
  ['an event that lasts into it', true, ['DTSTART:20260201T090000Z', 'DTEND:20260301T100000Z']],
  ['a long event by its duration', true, ['DTSTART:20260201T090000Z', 'DURATION:P30D']],
  ['an event after it', false, ['DTSTART:20260601T090000Z', 'DTEND:20260601T100000Z']],
  ['an event of the day before', true, ['DTSTART;VALUE=DATE:20260228']],
  [
    'a series that has ended',
    false,
    ['DTSTART:20250101T090000Z', 'RRULE:FREQ=DAILY;UNTIL=20260101'],
  ],
  ['a series with a count', true, ['DTSTART:20150101T090000Z', 'RRULE:FREQ=DAILY;COUNT=3']],
  ['a series after it', false, ['DTSTART:20270101T090000Z', 'RRULE:FREQ=DAILY']],
  ['additional dates', true, ['DTSTART:20150101T090000Z', 'RDATE:20260302T090000Z']],
  [
    'an occurrence that was moved out of it',
    true,
    ['DTSTART:20280101T090000Z', 'RECURRENCE-ID:20260302T090000Z'],
  ],
  [
    'an occurrence that was moved long ago',
    false,
    ['DTSTART:20200101T090000Z', 'RECURRENCE-ID:20200102T090000Z'],
  ],
  ['a duration that is malformed', true, ['DTSTART:20260201T090000Z', 'DURATION:long']],
])('filter keeps an event with %s: %s', async (_, isKept, lines) => {
  expect(await kept(...eventOf('UID:1', ...lines))).toHaveLength(isKept ? lines.length + 3 : 0);
});

it('filter drops an event without an end, and reads the next one', async () => {
  const next = eventOf('UID:2', 'DTSTART:20260302T090000Z');
  expect(await kept('BEGIN:VEVENT', 'UID:1', 'BEGIN:VALARM', ...next)).toEqual(next);
});

it('filter accepts a line of many megabytes without keeping it', async () => {
  const event = eventOf('UID:1', 'DTSTART:20260302T090000Z');
  expect(await kept(...event.slice(0, 2), `ATTACH:${'A'.repeat(20e6)}`, ...event.slice(2))).toEqual(
    event,
  );
});

it('filter rejects a calendar of more than 32 MB and stops reading', async () => {
  let chunks = 0;
  async function* body() {
    for (;;) {
      chunks++;
      yield 'DESCRIPTION:x\r\n'.repeat(70_000);
    }
  }
  await expect(filterCalendar(body(), window)).rejects.toThrow(/larger than 32 MB/);
  expect(chunks).toBeLessThan(40);
});

it('filter rejects a calendar with more than 20,000 lines to keep', async () => {
  const event = eventOf('UID:1', 'DTSTART:20260302T090000Z');
  await expect(kept(...Array(4_999).fill(event).flat())).resolves.toHaveLength(4_999 * 4);
  await expect(kept(...Array(5_000).fill(event).flat())).rejects.toThrow(/20,000 lines/);
  await expect(
    kept('BEGIN:VEVENT', ...Array(20_001).fill('EXDATE:20260302T090000Z')),
  ).rejects.toThrow(CalendarError);
});

it('filter rejects a calendar whose kept lines are too long', async () => {
  const dates = Array(300_000).fill('20260302T090000Z').join(',');
  await expect(kept(...eventOf('DTSTART:20260302T090000Z', `EXDATE:${dates}`))).rejects.toThrow(
    CalendarError,
  );
});

it('filter lets other work run while it reads a large calendar', async () => {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await kept('SUMMARY:A title of some length, so that the file is large\r\n'.repeat(400_000));
  isDone = true;
  expect(turns).toBeGreaterThan(2);
});
