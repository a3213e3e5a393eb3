/** The hours of a week as spans, and what drawing and the keys make of them. */
import { timeInWords, timesInWords } from '../../server/contract/times.ts';

export const days = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

export type Day = (typeof days)[number];

/** As the document has them: `{ tuesday: ['10:00-12:30'] }`. A day that is missing has none. */
export type Hours = Readonly<Partial<Record<Day, readonly string[]>>>;

/** In minutes after midnight. */
export interface Span {
  from: number;
  to: number;
}

/** Spans are drawn in steps of these minutes. */
const step = 15;

const dayEnd = 24 * 60;

/** `Tuesday` */
export const dayInWords = (day: Day): string => `${day.charAt(0).toUpperCase()}${day.slice(1)}`;

/** The spans of ranges such as `10:00-12:30`, in order, with those joined that overlap. A text that is no range is left out. */
export const spansOf = (ranges: unknown): Span[] =>
  joined((Array.isArray(ranges) ? ranges : []).flatMap((range) => spanOf(String(range)) ?? []));

/** The ranges that are none, in words: `10:00–08:00`. */
export const unreadableIn = (ranges: readonly string[] = []): string[] =>
  ranges.filter((range) => !spanOf(range)).map((range) => range.replace('-', '–'));

/** The range of a span, as the document has it. */
export const rangeOf = ({ from, to }: Span): string => `${clock(from)}-${clock(to)}`;

function spanOf(range: string): Span | undefined {
  const [, start, end] = /^(\d\d:\d\d) ?[-–] ?(\d\d:\d\d)$/.exec(range) ?? [];
  if (start === undefined || end === undefined) return undefined;
  const span = { from: minutesOf(start), to: minutesOf(end) };
  return span.from < span.to && span.to <= dayEnd ? span : undefined;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return minutes < 60 ? hours * 60 + minutes : Number.NaN;
}

const clock = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((n) => String(n).padStart(2, '0')).join(':');

/** The spans in order. Those that overlap or touch are one. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else all.push({ from, to });
  }
  return all;
}

export const isSame = (one: Span | undefined, other: Span | undefined): boolean =>
  one?.from === other?.from && one?.to === other?.to;

/** The spans of a day with one more, in place of `old` where it is given. */
export const withSpan = (spans: readonly Span[], span: Span, old?: Span): Span[] =>
  joined([...spans.filter((one) => !old || !isSame(one, old)), span]);

/** The nearest step to a time. */
export const snapped = (minutes: number): number => Math.round(minutes / step) * step;

/** What is drawn from one time to another, to the nearest steps; undefined when it is too short. */
export function drawn(start: number, end: number): Span | undefined {
  const [from = 0, to = 0] = [start, end]
    .map((one) => within(snapped(one), 0, dayEnd))
    .sort((a, b) => a - b);
  return from < to ? { from, to } : undefined;
}

/** A span with another start or end, at least one step long, or as long as before at another time of the day. */
export function changed({ from, to }: Span, part: 'from' | 'to' | 'both', minutes: number): Span {
  if (part === 'from') return { from: within(from + minutes, 0, to - step), to };
  if (part === 'to') return { from, to: within(to + minutes, from + step, dayEnd) };
  const by = within(minutes, -from, dayEnd - to);
  return { from: from + by, to: to + by };
}

const within = (value: number, least: number, most: number) =>
  Math.max(least, Math.min(most, value));

/** What is added without a time: 10:00 to 12:00, or two hours from the hour after the last span. */
export function nextSpan(spans: readonly Span[]): Span {
  const end = spans.at(-1)?.to ?? 9 * 60;
  const from = Math.min(21 * 60, (Math.floor(end / 60) + 1) * 60);
  return { from, to: from + 120 };
}

/** The part of the day that is shown: 8:00 to 20:00, or more where the hours need it. */
export function shownPart(hours: Hours): Span {
  const all = days.flatMap((day) => spansOf(hours[day]));
  return {
    from: Math.min(8 * 60, ...all.map(({ from }) => Math.floor(from / 60) * 60)),
    to: Math.max(20 * 60, ...all.map(({ to }) => Math.ceil(to / 60) * 60)),
  };
}

/** The hours of a week in all: 17.5. */
export const hoursOf = (hours: Hours = {}): number =>
  days.flatMap((day) => spansOf(hours[day])).reduce((sum, { from, to }) => sum + to - from, 0) / 60;

const minuteMs = 60_000;

/** `2:00 PM` */
export const minutesInWords = (minutes: number): string => timeInWords(minutes * minuteMs, 'UTC');

/** `2:00–4:30 PM` */
export const spanInWords = ({ from, to }: Span): string =>
  timesInWords(from * minuteMs, to * minuteMs, 'UTC');

/** `10:00–12:30, 2:00–4:30`, or `Closed` */
export const dayHoursInWords = (ranges: unknown): string =>
  spansOf(ranges).map(shortSpan).join(', ') || 'Closed';

/** `2:00–4:30` */
export const shortSpan = (span: Span): string => spanInWords(span).replace(/ [AP]M/g, '');

/** `Tuesday 10:00 AM to 12:30 PM` */
export const nameOf = (day: Day, { from, to }: Span): string =>
  `${dayInWords(day)} ${minutesInWords(from)} to ${minutesInWords(to)}`;
