/**
 * Reduces a calendar file to the lines that busy times depend on, while it is received. Titles,
 * descriptions, places and names of people are dropped here, so no other module sees them.
 */
import ICAL from 'ical.js';
import { dayMs } from '../../time/units.ts';
import type { Span } from '../slots.ts';
import { CalendarError } from './errors.ts';
import { timeSlices } from './time-slices.ts';

/** Maximum size of a calendar file, in bytes. */
export const maxBytes = 32 * 2 ** 20;

/** Maximum lines that are kept of a file. */
const maxLines = 20_000;

/** Maximum characters that are kept of a file: a line may have any length. */
const maxCharacters = 4 * 2 ** 20;

const observance = new Set(['DTSTART', 'RDATE', 'RRULE', 'TZOFFSETFROM', 'TZOFFSETTO']);

/** The properties to keep, by the component that they are in. */
const properties: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['VCALENDAR', new Set(['X-WR-TIMEZONE'])],
  ['VCALENDAR/VFREEBUSY', new Set(['FREEBUSY'])],
  ['VCALENDAR/VTIMEZONE', new Set(['TZID'])],
  ['VCALENDAR/VTIMEZONE/STANDARD', observance],
  ['VCALENDAR/VTIMEZONE/DAYLIGHT', observance],
  [
    'VCALENDAR/VEVENT',
    new Set([
      'DTEND',
      'DTSTART',
      'DURATION',
      'EXDATE',
      'RDATE',
      'RECURRENCE-ID',
      'RRULE',
      'STATUS',
      'TRANSP',
      'UID',
      'X-MICROSOFT-CDO-BUSYSTATUS',
    ]),
  ],
]);

/** Longer than the name of each property that is kept. */
const maxName = 40;

/** Large chunks are split, so that each one takes about a millisecond. */
const chunkBytes = 64 * 1024;

/** Times are compared without their zones here, which differ by up to 26 hours, and dates by a day. */
const marginMs = 3 * dayMs;

/** An occurrence that was moved or cancelled may have begun this long before the window. */
const maxOccurrenceMs = 62 * dayMs;

/** How much later an event can move the rest of a series. */
const maxMoveMs = 31 * dayMs;

/** The error for a calendar with more than `maxBytes`. */
export const tooLarge = () =>
  new CalendarError(
    'The calendar is larger than 32 MB. Publish one without attachments and old events, and use its address.',
  );

/**
 * Returns the calendar file in `body` without folded lines and without everything that does not decide
 * when its owner is busy in `window`: other properties, alarms, single events and ended series outside
 * it. Rejects with a `CalendarError` when the file is larger than 32 MB, or more than 20,000 lines are
 * kept. What is not a calendar results in a text that `busySpans` rejects.
 */
export async function filterCalendar(
  body: AsyncIterable<Buffer | string>,
  window: Span,
): Promise<string> {
  const yieldIfDue = timeSlices();
  const { readChunk, text } = lineFilter(window);
  let bytes = 0;
  for await (const chunk of body) {
    const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    bytes += buffer.length;
    if (bytes > maxBytes) throw tooLarge();
    for (let start = 0; start < buffer.length; start += chunkBytes) {
      // One character per byte: a fold may be inside a UTF-8 character.
      readChunk(buffer.toString('latin1', start, start + chunkBytes));
      await yieldIfDue();
    }
  }
  return text();
}

function lineFilter(window: Span) {
  const kept: string[] = [];
  let characters = 0;
  /** The lines of the current event. */
  let event: string[] = [];
  /** Names of the open components, from the outermost. */
  let components: string[] = [];
  let wanted: ReadonlySet<string> | undefined;
  /** The current line as far as it was read, if it is kept. */
  let line: string | undefined;
  /** The start of a line of which too little was received to decide whether it is kept. */
  let received = '';
  /** Whether the next chunk continues a line whose start was read. */
  let isInLine = false;

  const isInEvent = () => components[1] === 'VEVENT';

  const enter = (path: string[]) => {
    components = path;
    wanted = properties.get(path.join('/'));
  };

  const keep = (lines: readonly string[]) => {
    kept.push(...lines);
  };

  const checkLimits = (length: number) => {
    characters += length;
    if (kept.length + event.length <= maxLines && characters <= maxCharacters) return;
    throw new CalendarError(
      'The calendar has more than 20,000 lines about coming events. Use several smaller calendars, or one with fewer events.',
    );
  };

  const begin = (name: string) => {
    // An event is never part of another one: the one before has no end and is dropped.
    const parents = name === 'VEVENT' ? components.slice(0, 1) : components;
    enter([...parents, name]);
    if (name === 'VEVENT') event = [];
    if (wanted) (isInEvent() ? event : kept).push(`BEGIN:${name}`);
  };

  const end = (name: string) => {
    const depth = components.lastIndexOf(name);
    if (depth < 0) return;
    enter(components.slice(0, depth + 1));
    if (wanted) (isInEvent() ? event : kept).push(`END:${name}`);
    if (name === 'VEVENT') {
      if (mayBeIn(window, event)) keep(event);
      event = [];
    }
    enter(components.slice(0, depth));
  };

  const endLine = () => {
    if (line === undefined) return;
    const text = Buffer.from(line.trimEnd(), 'latin1')
      .toString('utf8')
      .replace(/^\uFEFF/, '');
    line = undefined;
    const [, keyword, name = ''] = /^(BEGIN|END):\s*([\w-]+)$/i.exec(text) ?? [];
    if (keyword?.toUpperCase() === 'BEGIN') begin(name.toUpperCase());
    else if (keyword) end(name.toUpperCase());
    else (isInEvent() ? event : kept).push(text);
    checkLimits(text.length);
  };

  /** Reads a line, or as much of it as was received: from `start` to `end` of `chunk`. */
  const readLine = (chunk: string, start: number, end: number) => {
    if (isInLine) {
      if (line !== undefined) line += chunk.slice(start, end);
      return;
    }
    const first = chunk.charCodeAt(start);
    if (first === 0x20 || first === 0x09) {
      // A fold (RFC 5545, 3.1). The line before may end in CR.
      if (line !== undefined) line = line.trimEnd() + chunk.slice(start + 1, end);
      return;
    }
    endLine();
    const name = nameIn(chunk, start, end);
    if (name === 'BEGIN' || name === 'END' || wanted?.has(name)) line = chunk.slice(start, end);
  };

  return {
    readChunk(next: string) {
      const chunk = received + next;
      received = '';
      let start = 0;
      for (;;) {
        const end = chunk.indexOf('\n', start);
        if (end < 0) break;
        readLine(chunk, start, end);
        isInLine = false;
        start = end + 1;
      }
      if (!isInLine && chunk.length - start < maxName) {
        received = chunk.slice(start);
        return;
      }
      readLine(chunk, start, chunk.length);
      isInLine = true;
    },
    text() {
      if (received) readLine(received, 0, received.length);
      endLine();
      return kept.map((line) => `${line}\r\n`).join('');
    },
  };
}

/** The name of the property in this line, in capitals. */
function nameIn(chunk: string, start: number, end: number): string {
  // A byte order mark, in UTF-8 read as Latin-1, may precede the first name.
  const from = chunk.startsWith('\xef\xbb\xbf', start) ? start + 3 : start;
  let to = from;
  while (to < end && to - from < maxName) {
    const code = chunk.charCodeAt(to);
    if (code === 0x3a || code === 0x3b) break;
    to++;
  }
  return chunk.slice(from, to).toUpperCase();
}

/** Whether the event in these lines may make its owner busy, or free, in `window`. */
function mayBeIn(window: Span, lines: readonly string[]): boolean {
  const from = window.from - marginMs;
  const to = window.to + marginMs;
  const valueIn = (name: string) => {
    const line = lines.find((line) => line.toUpperCase().startsWith(name));
    // Times have no colon; a parameter may have one.
    return line?.slice(line.lastIndexOf(':') + 1);
  };
  const start = approximateTime(valueIn('DTSTART'));
  if (start === undefined || valueIn('RDATE') !== undefined) return true;
  const end = approximateTime(valueIn('DTEND')) ?? start + lengthOf(valueIn('DURATION'));
  const rule = valueIn('RRULE');
  if (rule !== undefined) {
    const until = approximateTime(/UNTIL=(\w+)/i.exec(rule)?.[1]) ?? Infinity;
    return start <= to && until + (end - start) + maxMoveMs >= from;
  }
  if (start <= to && lines.some(movesFollowing)) return true;
  const replaced = approximateTime(valueIn('RECURRENCE-ID'));
  if (replaced !== undefined && replaced <= to && replaced >= from - maxOccurrenceMs) return true;
  return start <= to && end >= from;
}

/** Whether this line says that the event moves all following occurrences, too. */
const movesFollowing = (line: string) => /^RECURRENCE-ID;.*RANGE="?THISANDFUTURE/i.test(line);

/** A date or a time, read as if it were UTC, in ms since 1970. */
function approximateTime(value: string | undefined): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)|$)/.exec(value?.trim() ?? '');
  if (!match) return undefined;
  const [year = 0, month = 1, day = 1, hours = 0, minutes = 0] = match.slice(1).map(Number);
  return Date.UTC(year, month - 1, day, hours || 0, minutes || 0);
}

/** The length of a duration in ms; that of an all-day event when there is none. */
function lengthOf(duration: string | undefined): number {
  if (duration === undefined) return dayMs;
  try {
    return ICAL.Duration.fromString(duration.trim()).toSeconds() * 1000;
  } catch {
    // A length that cannot be read must not drop the event.
    return Infinity;
  }
}
