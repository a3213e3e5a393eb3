/**
 * Marks in a preview that lead from a text or a photo on the page to its field in the config.
 *
 * A mark is two variation selectors after the first character of the text, or after the place of a value: combining characters, which neither split
 * a word nor have a width, so that the page is laid out as without them. `withFields` turns each into an attribute
 * of the element around the text.
 */

import type { MadePhoto } from '../contract/photos.ts';

/** The first of the 240 variation selectors of Unicode's supplement. */
const first = 0xe0100;
const digits = 240;
const markPattern = /[\u{e0100}-\u{e01ef}]{2}/gu;

/** What a text of the owner's must not have beside a mark. A character with one variation selector is no mark. */
const likeMarks = /^[\u{e0100}-\u{e01ef}]+|[\u{e0100}-\u{e01ef}]{2,}/gu;

/** Stands between two brackets of a text: a draft may have what means something in a template. */
const breaker = '\u{e01ef}';

const markOf = (index: number) =>
  String.fromCodePoint(first + Math.floor(index / digits), first + (index % digits));

const indexOf = (mark: string) => {
  const [high = first, low = first] = [...mark].map(
    (character) => character.codePointAt(0) ?? first,
  );
  return (high - first) * digits + (low - first);
};

/**
 * Returns the config with a mark in each of these texts, given by paths such as `faq.items.1.question`. No text of it
 * is filled like a template.
 */
export function withMarks<Config extends object>(
  config: Config,
  fields: readonly string[],
): Config {
  const marked: Config = JSON.parse(JSON.stringify(config).replace(/\{(?=\{)/g, `{${breaker}`));
  for (const [index, field] of fields.entries()) {
    const path = field.split('.');
    const name = path.pop() ?? '';
    const parent = path.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      marked,
    ) as Record<string, unknown> | undefined;
    const value = parent?.[name];
    if (!parent || typeof value !== 'string') continue;
    const text = value.replace(likeMarks, '');
    // Within a place for a value it would not be one any more.
    const [start = ''] = /^(?:\{\w+\}|.)/su.exec(text) ?? [];
    parent[name] = text && start + markOf(index) + text.slice(start.length);
  }
  return marked;
}

/** Finds the files of a photo also by its marked address, which then marks them. */
export const withPhotoMarks = (photos: Readonly<Record<string, MadePhoto>>) =>
  new Proxy(photos, {
    get(_, key) {
      const [mark = ''] = String(key).match(markPattern) ?? [];
      const photo = photos[String(key).replace(mark, '')];
      return photo && { ...photo, src: photo.src.replace('/', `/${mark}`) };
    },
  });

/** The parts of a document: comments, elements whose content is no text of the page, tags, and texts between them. */
const parts = /<!--[\s\S]*?-->|<(script|style|title)\b[\s\S]*?<\/\1>|<[^>]*>|[^<]+/g;

/**
 * Returns the document without marks, in which `data-field` names the field of a marked text on the element around
 * it, or that of a marked attribute on its element.
 */
export function withFields(html: string, fields: readonly string[]): string {
  const output: string[] = [];
  /** Where in `output` each element around the current part begins. */
  const open: number[] = [];
  const name = (position: number | undefined, mark: string) => {
    const field = fields[indexOf(mark)];
    const tag = position === undefined ? undefined : output[position];
    if (position === undefined || !tag || !field || tag.includes(' data-field=')) return;
    output[position] = tag.replace(/\s*\/?>$/, (end) => ` data-field="${field}"${end.trimStart()}`);
  };
  for (const [part, whole] of html.matchAll(parts)) {
    const [mark] = part.match(markPattern) ?? [];
    const unmarked = part.replace(markPattern, '');
    // Scripts and styles have no character references.
    output.push(unmarked.replaceAll(`{${breaker}`, whole === undefined ? '&#123;' : '{ '));
    if (part.startsWith('</')) open.pop();
    else if (part.startsWith('<') && whole === undefined && !part.startsWith('<!')) {
      if (mark) name(output.length - 1, mark);
      if (!isVoid.test(part)) open.push(output.length - 1);
    } else if (mark && whole === undefined) name(open.at(-1), mark);
  }
  return output.join('');
}

/** Elements without an end tag. */
const isVoid = /\/>$|^<(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b/i;
