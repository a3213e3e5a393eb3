/** Values of the document in a line of words. */
import { isGroup } from '../../server/contract/document-changes.ts';

/** The first words of a value: of an entry its first text, of a list its texts. */
export function shortText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(shortText).filter(Boolean).join(' · ');
  if (!isGroup(value)) return String(value ?? '');
  // An id stands first, but says nothing.
  const texts = Object.entries(value).flatMap(([key, one]) =>
    key !== 'id' && typeof one === 'string' && one !== '' ? [one] : [],
  );
  return texts[0] ?? '';
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
