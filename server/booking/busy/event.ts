/** Reads one event of a calendar file (RFC 5545). */
import ICAL from 'ical.js';
import { dayMs } from '../../time/units.ts';
import type { Span } from '../slots.ts';
import { isUtc, localOf, type ToUtc } from './occurrences.ts';

/** The time zones of a calendar file. */
export interface Zones {
  /** Of dates. */
  owner: ToUtc;
  /** Of a `TZID`, or of times without one. */
  named: (tzid: string | undefined) => ToUtc;
}

/** A date, or a time by the clock of its zone. */
export interface LocalTime {
  /** In ms since 1970 as if it were UTC. */
  local: number;
  isDate: boolean;
  toUtc: ToUtc;
}

/** What an event says about when its owner is busy. */
export interface BusyEvent {
  uid: string;
  isFree: boolean;
  start: LocalTime;
  /** The end, in ms since 1970, of an occurrence that starts at this local time. */
  endOf: (local: number) => number;
  /** An upper limit for the length of an occurrence. */
  maxLengthMs: number;
  /** The original time of the occurrence of a series that this event replaces. */
  replaces: LocalTime | undefined;
  /** Whether it replaces the occurrences after that, too. */
  movesFollowing: boolean;
  rules: ICAL.Recur[];
  additional: LocalTime[];
  additionalPeriods: Span[];
  excluded: LocalTime[];
}

/** Reads an event. Throws when it is malformed. */
export function readEvent(component: ICAL.Component, zones: Zones): BusyEvent {
  const timesOf = (name: string) =>
    component.getAllProperties(name).flatMap((property) => localTimesIn(property, zones));
  const valueIn = (name: string) =>
    String(component.getFirstPropertyValue(name) ?? '')
      .trim()
      .toUpperCase();
  const [start] = timesOf('dtstart');
  if (!start) throw new TypeError('An event has no start.');
  return {
    uid: String(component.getFirstPropertyValue('uid') ?? ''),
    isFree:
      valueIn('transp') === 'TRANSPARENT' ||
      valueIn('status') === 'CANCELLED' ||
      valueIn('x-microsoft-cdo-busystatus') === 'FREE',
    start,
    ...lengthOf(start, timesOf('dtend')[0], component.getFirstPropertyValue('duration')),
    replaces: timesOf('recurrence-id')[0],
    movesFollowing:
      component.getFirstProperty('recurrence-id')?.getFirstParameter('range')?.toUpperCase() ===
      'THISANDFUTURE',
    rules: component
      .getAllProperties('rrule')
      .map((property) => property.getFirstValue())
      .filter((rule) => rule instanceof ICAL.Recur),
    additional: timesOf('rdate'),
    additionalPeriods: component
      .getAllProperties('rdate')
      .flatMap((property) => periodsIn(property, zones)),
    excluded: timesOf('exdate'),
  };
}

function lengthOf(
  { local: start, isDate, toUtc }: LocalTime,
  end: LocalTime | undefined,
  duration: unknown,
): Pick<BusyEvent, 'endOf' | 'maxLengthMs'> {
  if (isDate) {
    const length = end
      ? end.local - start
      : duration instanceof ICAL.Duration
        ? duration.toSeconds() * 1000
        : dayMs;
    // Some programs write the last day as the end, which is not part of the event (RFC 5545, 3.6.1).
    const days = Math.max(1, Math.ceil(length / dayMs)) * dayMs;
    return { endOf: (local) => toUtc(local + days), maxLengthMs: days + dayMs };
  }
  if (end) {
    const length = end.toUtc(end.local) - toUtc(start);
    return { endOf: (local) => toUtc(local) + length, maxLengthMs: length };
  }
  if (duration instanceof ICAL.Duration) {
    // Days and weeks are by the clock, the rest is elapsed time (RFC 5545, 3.3.6).
    const days = (duration.weeks * 7 + duration.days) * dayMs;
    const rest = duration.toSeconds() * 1000 - days;
    return { endOf: (local) => toUtc(local + days) + rest, maxLengthMs: days + rest + dayMs };
  }
  return { endOf: toUtc, maxLengthMs: 0 };
}

function localTimesIn(property: ICAL.Property, zones: Zones): LocalTime[] {
  return property
    .getValues()
    .filter((value) => value instanceof ICAL.Time)
    .map((time) => localTime(time, property, zones));
}

function localTime(time: ICAL.Time, property: ICAL.Property, zones: Zones): LocalTime {
  const local = localOf(time);
  if (Number.isNaN(local)) throw new RangeError('A time is malformed.');
  if (time.isDate) return { local, isDate: true, toUtc: zones.owner };
  if (isUtc(time)) return { local, isDate: false, toUtc: (local) => local };
  return { local, isDate: false, toUtc: zones.named(property.getFirstParameter('tzid')) };
}

/** The values of a property that have an own length. */
export function periodsIn(property: ICAL.Property, zones: Zones): Span[] {
  return property
    .getValues()
    .filter((value) => value instanceof ICAL.Period)
    .map((period) => {
      const { local, toUtc } = localTime(period.start, property, zones);
      const from = toUtc(local);
      return { from, to: from + period.getDuration().toSeconds() * 1000 };
    });
}
