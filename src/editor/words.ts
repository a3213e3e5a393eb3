/** Values of the document in a line of words. */
import { isGroup } from '../../server/contract/document-changes.ts';
import type { Field, Fields } from './fields.ts';

/** A value as the form shows it, in words: of an entry its first text, of a list or record its entries, one per line. */
export function inWords(value: unknown, path: string, fields: Fields): string {
  const { kind, shape } = fields.at(path) ?? {};
  if (value === undefined || value === '') return '';
  if (kind === 'photo') return photoInWords(String(value), shape);
  if (kind === 'dates') return datesInWords(String(value));
  if (kind === 'hours') return hoursInWords(value);
  if (Array.isArray(value)) {
    return value.map((entry, i) => inWords(entry, `${path}.${i}`, fields)).join('\n');
  }
  if (!isGroup(value)) return codeInWords(String(value), kind);
  const entries = Object.entries(value);
  if (kind === 'hoursByDate') {
    return entries
      .map(([date, hours]) => `${dateInWords(date)}: ${hoursInWords(hours)}`)
      .join('\n');
  }
  if (kind === 'attributes') return entries.map(([name, text]) => `${name}: ${text}`).join('\n');
  // An id stands first, but says nothing.
  const texts = entries.flatMap(([key, one]) =>
    key !== 'id' && typeof one === 'string' && one !== '' ? [one] : [],
  );
  return texts[0] ?? '';
}

/** A photo of the build has been replaced by smaller ones, so that only its name can be shown. */
const photoInWords = (address: string, shape: Field['shape']): string => {
  const name = address.slice(1);
  if (name.startsWith('sample-')) return 'a sample picture';
  if (!name.startsWith('photos/')) return `${name}, from the folder public`;
  return shape === 'icon' ? 'a picture' : 'a photo';
};

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** In ms since 1970; NaN of what is no date. `Date.parse` alone takes more than these. */
const timeOf = (date: string): number =>
  /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) : Number.NaN;

/** `Dec 24, 2026` */
export const dateInWords = (date: string): string => {
  const time = timeOf(date);
  return Number.isNaN(time) ? date : days.format(time);
};

/** `Dec 24 – 28, 2026` of `2026-12-24/2026-12-28`. */
function datesInWords(dates: string): string {
  const [first = Number.NaN, last = first] = dates.split('/').map(timeOf);
  // A form may hold a range whose end is before its start.
  return first <= last
    ? days.formatRange(first, last)
    : dates.split('/').map(dateInWords).join(' – ');
}

/** `10:00 – 12:30, 14:00 – 16:00` */
export const hoursInWords = (hours: unknown): string =>
  (Array.isArray(hours) ? hours : [])
    .map((range) => String(range).replace('-', ' – '))
    .join(', ') || 'No calls';

const currencies = new Intl.DisplayNames('en', { type: 'currency', fallback: 'code' });
const languages = new Intl.DisplayNames('en', { type: 'language' });

/** `New York`, `English`, `EUR · Euro`; a text stays as it is. */
export function codeInWords(code: string, kind: Field['kind'] | undefined): string {
  if (kind === 'timeZone') return code.replaceAll('_', ' ');
  if (kind === 'language') return languages.of(code) ?? code;
  if (kind !== 'currency' || !/^[A-Z]{3}$/.test(code)) return code;
  const name = currencies.of(code);
  return name && name !== code ? `${code} · ${name}` : code;
}

export interface Difference {
  /** What stays before and after; shortened to what is next to the change. */
  before: string;
  removed: string;
  added: string;
  after: string;
}

/** The words that differ between two texts, with a few around them. */
export function differenceOf(from: string, to: string): Difference {
  const [old, next] = [from, to].map((text) => text.split(/(?<=\s)/)) as [string[], string[]];
  const most = Math.min(old.length, next.length);
  let start = 0;
  while (start < most && old[start] === next[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === next.at(-1 - end)) end++;
  const around = 3;
  const before = old.slice(0, start);
  const after = old.slice(old.length - end);
  return {
    before: (before.length > around ? '… ' : '') + before.slice(-around).join(''),
    removed: old.slice(start, old.length - end).join(''),
    added: next.slice(start, next.length - end).join(''),
    after: after.slice(0, around).join('') + (after.length > around ? '…' : ''),
  };
}
