/** Writes and reads the text of a `site.config.ts`. */

import { type Group, isGroup } from '../contract/document-changes.ts';
import { AppError } from '../errors.ts';
import { uploadsIn } from './photos.ts';

const photoAdvice =
  'Save these photos of the site in the folder public, such as public/photos/<name>.jpg:';

/** The longest line that a list or a group is written in. */
const maxWidth = 100;

/** The text of a `site.config.ts` with this document. `comments` are those above its fields, as in `field-comments.ts`. */
export function configText(document: Group, comments: Record<string, string>): string {
  const photos = uploadsIn(document);
  const header =
    commentOf(comments[''], '') +
    commentOf(photos.length > 0 ? [photoAdvice, ...photos].join('\n') : undefined, '');
  return `${header}export const site = ${textOf(document, { path: '', indent: '', comments })};\n`;
}

interface Place {
  path: string;
  indent: string;
  comments: Record<string, string>;
}

function textOf(value: unknown, place: Place): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) {
    const entries = value.map((entry, i) =>
      partOf('', entry, { ...place, path: `${place.path}.${i}` }),
    );
    return enclosed(['[', ']'], entries, place);
  }
  if (!isGroup(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    return partOf(`${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: `, field, {
      ...place,
      path,
    });
  });
  return enclosed(['{', '}'], fields, place);
}

/** A field or an entry below its comment. */
const partOf = (name: string, value: unknown, { path, indent, comments }: Place): string => {
  const inner = `${indent}  `;
  return (
    commentOf(comments[path], inner) +
    inner +
    name +
    textOf(value, { path, indent: inner, comments })
  );
};

/** The parts in brackets: in one line where they fit there, without comments, unless they are a group of many fields. */
function enclosed(
  [open, close]: readonly [string, string],
  parts: string[],
  { path, indent }: Place,
) {
  const line = parts.map((part) => part.trim()).join(', ');
  const isFlat = open === '[' || parts.length < 3 || /\.\d+$/.test(path);
  const isShort = indent.length + path.length + line.length < maxWidth;
  if (path !== '' && isFlat && isShort && !/\n|\/\*\*/.test(line)) {
    return open === '{' && line !== '' ? `{ ${line} }` : open + line + close;
  }
  const gap = path === '' ? ',\n\n' : ',\n';
  return `${open}\n${parts.join(gap)},\n${indent}${close}`;
}

function commentOf(text: string | undefined, indent: string): string {
  if (text === undefined) return '';
  const line = `${indent}/** ${text} */\n`;
  if (!text.includes('\n')) return line;
  const lines = text.split('\n').map((one) => `${indent} * ${one}`.trimEnd());
  return [`${indent}/**`, ...lines, `${indent} */`, ''].join('\n');
}

/** A string literal, with single quotes if the text has none. */
function quoted(text: string): string {
  const escaped = JSON.stringify(text);
  if (text.includes("'")) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"')}'`;
}

/** The document in the text of a `site.config.ts`, which it runs. Throws `COMMAND_FAILED` when there is none. */
export async function readConfigText(text: string): Promise<unknown> {
  let site: unknown;
  try {
    ({ site } = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`
    ));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : error;
    throw new AppError('COMMAND_FAILED', `The file cannot be read as a site.config.ts: ${reason}.`);
  }
  // Without what is no JSON.
  if (isGroup(site)) return JSON.parse(JSON.stringify(site));
  throw new AppError('COMMAND_FAILED', 'The line "export const site = {" is missing in the file.');
}
