/** Reads when the owner is busy from a calendar file (RFC 5545). */
import ICAL from 'ical.js';
import { dayMs } from '../../time/units.ts';
import type { Span } from '../slots.ts';
import { CalendarError } from './errors.ts';
import { type BusyEvent, type LocalTime, periodsIn, readEvent, type Zones } from './event.ts';
import { occurrencesOf, type ToUtc } from './occurrences.ts';
import { timeSlices } from './time-slices.ts';
import { definedZone, ianaZoneOf, zoneOf } from './zones.ts';

/** Maximum spans of a calendar. */
const maxSpans = 10_000;

/** Local times differ from UTC by up to 14 hours. */
const marginMs = dayMs;

/** The window in which to look for busy times, in ms since 1970, and how to read them. */
export interface BusyOptions extends Span {
  /** The owner's IANA time zone: of dates, and of times without a zone. */
  timeZone: string;
  /** Whether this event is a booking of the product, which is not read back from a calendar. */
  isOwn: (uid: string) => boolean;
}

/**
 * Returns the times in the window when the owner is busy, merged and in ascending order. Malformed events
 * are skipped. Rejects with a `CalendarError` when the text is not a whole calendar, or has more than
 * 10,000 busy times. Works in slices, so that the event loop stays free.
 */
export async function busySpans(icalText: string, options: BusyOptions): Promise<Span[]> {
  checkCalendar(icalText);
  const yieldIfDue = timeSlices();
  let spans: Span[] = [];
  for (const calendar of icalText.split(/^END:VCALENDAR/im)) {
    const zones = await fileZones(calendar, options, yieldIfDue);
    const events: BusyEvent[] = [];
    for (const text of componentsIn(calendar, 'VEVENT')) {
      const event = skipMalformed(() => readEvent(parse(text), zones));
      if (event && !options.isOwn(event.uid)) events.push(event);
      await yieldIfDue();
    }
    for (const period of freeBusyPeriods(calendar)) {
      const busy = skipMalformed(() => periodsIn(ICAL.Property.fromString(period), zones)) ?? [];
      spans.push(...busy.flatMap((span) => clipped(span, options) ?? []));
      if (spans.length > 2 * maxSpans) spans = merged(spans);
      await yieldIfDue();
    }
    const replaced = replacedTimes(events);
    for (const event of events) {
      if (event.isFree) continue;
      const series = event.movesFollowing
        ? events.find(({ uid, replaces }) => uid === event.uid && !replaces)
        : event;
      const occurrences = spansOf(event, series, replaced.get(event.uid) ?? [], options);
      for (;;) {
        const next = skipMalformed(() => occurrences.next());
        if (!next || next.done) break;
        if (next.value) spans.push(next.value);
        if (spans.length > 2 * maxSpans) spans = merged(spans);
        await yieldIfDue();
      }
    }
  }
  return merged(spans);
}

function checkCalendar(text: string) {
  if (!/^\uFEFF?\s*BEGIN:VCALENDAR/i.test(text)) {
    throw new CalendarError(
      'The address leads to something other than a calendar file. Copy the iCal address from the settings of the calendar: it often ends in .ics.',
    );
  }
  if (!/^END:VCALENDAR\s*$/im.test(text.slice(-100))) {
    throw new CalendarError(
      'The calendar file is incomplete: it has no END:VCALENDAR. If this happens again, publish the calendar anew and use its new address.',
    );
  }
}

/** Sorts spans and joins those that touch. */
function merged(spans: Span[]): Span[] {
  const result: Span[] = [];
  for (const { from, to } of spans.sort((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  if (result.length <= maxSpans) return result;
  throw new CalendarError(
    'The calendar has more than 10,000 busy times. Remove events that repeat within hours, or use a calendar with fewer events.',
  );
}

/** The texts of the components with this name. */
function* componentsIn(calendar: string, name: string): Generator<string> {
  const pattern = new RegExp(`^BEGIN:${name}\\s*$[^]*?^END:${name}\\s*$`, 'gim');
  for (const [text] of calendar.matchAll(pattern)) yield text;
}

/** The busy periods of the VFREEBUSY components, as a property each, since a line may have thousands. */
function* freeBusyPeriods(calendar: string): Generator<string> {
  for (const component of componentsIn(calendar, 'VFREEBUSY')) {
    for (const [, parameters = '', periods = ''] of component.matchAll(
      /^FREEBUSY(;.*)?:(.*)$/gim,
    )) {
      if (/;FBTYPE="?FREE"?(?:;|$)/i.test(parameters)) continue;
      for (const period of periods.split(',')) yield `FREEBUSY${parameters}:${period.trim()}`;
    }
  }
}

const parse = (text: string) => new ICAL.Component(ICAL.parse(text));

function skipMalformed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof CalendarError) throw error;
    return undefined;
  }
}

async function fileZones(
  calendar: string,
  { timeZone, ...window }: BusyOptions,
  yieldIfDue: () => Promise<void>,
): Promise<Zones> {
  const defined = new Map<string, ToUtc>();
  for (const text of componentsIn(calendar, 'VTIMEZONE')) {
    skipMalformed(() => {
      const component = parse(text);
      const tzid = component.getFirstPropertyValue('tzid');
      if (tzid) defined.set(String(tzid), definedZone(component, window));
    });
    await yieldIfDue();
  }
  const byName = (tzid: string) => {
    const iana = ianaZoneOf(tzid);
    return defined.get(tzid) ?? (iana === undefined ? undefined : zoneOf(iana));
  };
  const ofCalendar = /^X-WR-TIMEZONE(?:;[^:\r\n]*)?:(.+)$/im.exec(calendar)?.[1]?.trim();
  const owner = zoneOf(timeZone);
  const floating = (ofCalendar && byName(ofCalendar)) || owner;
  return { owner, named: (tzid) => (tzid && byName(tzid)) || floating };
}

/** The original times of the occurrences that other events replace, by the UID of the series. */
function replacedTimes(events: readonly BusyEvent[]): Map<string, LocalTime[]> {
  const times = new Map<string, LocalTime[]>();
  for (const { uid, replaces } of events) {
    if (!replaces) continue;
    const ofSeries = times.get(uid);
    if (ofSeries) ofSeries.push(replaces);
    else times.set(uid, [replaces]);
  }
  return times;
}

/**
 * Yields the spans of an event in the window, and undefined for each occurrence outside it. An event that
 * moves occurrences of a series repeats as that does.
 */
function* spansOf(
  event: BusyEvent,
  series: BusyEvent | undefined,
  replaced: readonly LocalTime[],
  window: Span,
): Generator<Span | undefined> {
  const { start, endOf, maxLengthMs } = event;
  const range = { from: window.from - maxLengthMs, to: window.to };
  const isExcluded = exclusion(event, event.replaces ? [] : replaced);

  const spanAt = ({ local, toUtc }: Pick<LocalTime, 'local' | 'toUtc'>): Span | undefined => {
    if (local < range.from - marginMs || local > range.to + marginMs) return undefined;
    const from = toUtc(local);
    if (isExcluded(from, local)) return undefined;
    return clipped({ from, to: endOf(local) }, window);
  };

  yield spanAt(start);
  for (const time of event.additional) {
    // The length of the event is by the clock of its own zone.
    const from = time.toUtc(time.local);
    const length = endOf(start.local) - start.toUtc(start.local);
    if (time.toUtc === start.toUtc) yield spanAt(time);
    else if (!isExcluded(from, time.local)) yield clipped({ from, to: from + length }, window);
  }
  for (const period of event.additionalPeriods) {
    if (!isExcluded(period.from, period.from)) yield clipped(period, window);
  }
  // An event that replaces one occurrence does not repeat, whatever it says.
  if (!series || (event.replaces && !event.movesFollowing)) return;
  const { toUtc } = series.start;
  const first = event.replaces ? localIn(event.replaces, toUtc) : start.local;
  const shift = start.local - first;
  const shifted = { from: range.from - shift, to: range.to - shift };
  for (const rule of series.rules) {
    for (const local of occurrencesOf(rule, series.start.local, shifted, toUtc)) {
      if (local === undefined || local < first) yield undefined;
      else yield spanAt({ local: local + shift, toUtc: start.toUtc });
    }
  }
}

/** A time by the clock of another zone. */
function localIn(time: LocalTime, toUtc: ToUtc): number {
  const at = time.toUtc(time.local);
  const near = at + (at - toUtc(at));
  return at + (near - toUtc(near));
}

/**
 * Whether an occurrence is excluded or replaced. Dates exclude all occurrences of their day: Exchange
 * writes them for events with a time, too.
 */
function exclusion(event: BusyEvent, replaced: readonly LocalTime[]) {
  const times = new Set<number>();
  const days = new Set<number>();
  for (const { local, isDate, toUtc } of [...event.excluded, ...replaced]) {
    if (isDate || event.start.isDate) days.add(Math.floor(local / dayMs));
    else times.add(toUtc(local));
  }
  return (from: number, local: number) => times.has(from) || days.has(Math.floor(local / dayMs));
}

/** The part of a span that is in the window, if there is one. */
function clipped(span: Span, window: Span): Span | undefined {
  const from = Math.max(span.from, window.from);
  const to = Math.min(span.to, window.to);
  return from < to ? { from, to } : undefined;
}
