/** Time zones of a calendar file: those that it defines, and those that it only names. */
import ICAL from 'ical.js';
import { dayMs } from '../../time/units.ts';
import { isTimeZone, timeOf } from '../../time/zone.ts';
import type { Span } from '../slots.ts';
import { localOf, occurrencesOf, type ToUtc } from './occurrences.ts';
import { windowsZones } from './windows-zones.ts';

/** Long enough to contain the last change of the clock before the window. */
const changesBeforeMs = 400 * dayMs;

/** The conversion of an IANA time zone. */
export const zoneOf =
  (timeZone: string): ToUtc =>
  (local) => {
    const inDay = local - Math.floor(local / dayMs) * dayMs;
    const date = new Date(local).toISOString().slice(0, 10);
    const minutes = Math.floor(inDay / 60_000);
    return timeOf(date, minutes, timeZone) + (inDay - minutes * 60_000);
  };

/**
 * The IANA name for the `TZID` of a file that does not define it: such a name itself, also at the end of
 * a path such as `/mozilla.org/20050126_1/Europe/Berlin`, or a name of Windows.
 */
export function ianaZoneOf(tzid: string): string | undefined {
  const windows = windowsZones.get(tzid.toLowerCase());
  if (windows) return windows;
  const parts = tzid.split('/').filter(Boolean);
  // "Mars/Cuba" is no zone, but "Cuba" is one.
  const names = tzid.startsWith('/') ? parts.map((_, i) => parts.slice(i).join('/')) : [tzid];
  return names.find(isTimeZone);
}

interface Change {
  /** In ms since 1970. */
  at: number;
  /** Offsets from UTC, in ms. */
  before: number;
  after: number;
}

/** The conversion of a zone that the file defines, for times in `window`. Throws for a malformed one. */
export function definedZone(component: ICAL.Component, window: Span): ToUtc {
  const around = { from: window.from - changesBeforeMs, to: window.to + changesBeforeMs };
  const changes = component
    .getAllSubcomponents()
    .flatMap((observance) => changesOf(observance, around))
    .sort((a, b) => a.at - b.at);
  const [first] = changes;
  if (!first) throw new RangeError('A time zone has no offset.');
  const offsetAt = (at: number) =>
    changes.findLast((change) => change.at <= at)?.after ?? first.before;
  return (local) => {
    // The same rule as `timeOf` has, for times that occur twice or never.
    const before = offsetAt(local - dayMs);
    const after = offsetAt(local + dayMs);
    const candidates = before > after ? [before, after] : [after, before];
    return local - (candidates.find((offset) => offsetAt(local - offset) === offset) ?? before);
  };
}

/** The changes to standard or daylight time, from the last one before `around`. */
function changesOf(observance: ICAL.Component, around: Span): Change[] {
  const start = timeIn(observance, 'dtstart');
  const before = offsetIn(observance, 'tzoffsetfrom');
  const after = offsetIn(observance, 'tzoffsetto');
  const toUtc = (local: number) => local - before;
  const starts = [start];
  for (const property of observance.getAllProperties('rdate')) {
    for (const time of property.getValues())
      if (time instanceof ICAL.Time) starts.push(localOf(time));
  }
  for (const property of observance.getAllProperties('rrule')) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur)) continue;
    if (rule.freq !== 'YEARLY' && rule.freq !== 'MONTHLY') {
      throw new RangeError('A time zone changes too often.');
    }
    for (const local of occurrencesOf(rule, start, around, toUtc)) {
      if (local !== undefined) starts.push(local);
    }
  }
  return starts.map((local) => ({ at: toUtc(local), before, after }));
}

function timeIn(component: ICAL.Component, name: string): number {
  const value = component.getFirstPropertyValue(name);
  if (!(value instanceof ICAL.Time)) throw new TypeError(`${name} has no time.`);
  return localOf(value);
}

function offsetIn(component: ICAL.Component, name: string): number {
  const value = component.getFirstPropertyValue(name);
  if (!(value instanceof ICAL.UtcOffset)) throw new TypeError(`${name} has no offset.`);
  return value.toSeconds() * 1000;
}
