/** Validates `site.config.ts`, and describes all mistakes at once, each in one sentence. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { inVoice } from '../../content/kinds.ts';
import { siteSchema } from '../../content/schema.ts';
import { fieldName } from '../../text/field-name.ts';
import { readSource, type Source, UnreadableConfig } from './source.ts';

const fileName = 'site.config.ts';

/** Thrown to stop a build. Its output is the sentences alone, without a stack, however it is printed. */
export class SiteMistakes extends Error {
  override readonly name = 'SiteMistakes';

  constructor(sentences: string[]) {
    const them = sentences.length === 1 ? 'this' : 'these';
    super([...sentences, `Nothing was built. Please mend ${them} and start again.`].join('\n'));
    this.stack = this.message;
  }

  [inspect.custom](): string {
    return this.message;
  }
}

/** Throws `SiteMistakes` when the project in `folder` has a `site.config.ts` with mistakes. */
export async function checkSiteConfig(folder = '.'): Promise<void> {
  const sentences = await mistakesIn(folder);
  if (sentences.length > 0) throw new SiteMistakes(sentences);
}

/** Returns one sentence for each mistake in the `site.config.ts` of `folder`, in the order of lines. */
export async function mistakesIn(folder = '.'): Promise<string[]> {
  const exists = (path: string) => existsSync(join(folder, 'public', path));
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch {
    return [`${fileName} is missing. It belongs into the folder of the project.`];
  }
  return mistakesInText(text, exists);
}

/**
 * Returns one sentence for each mistake in the text of a `site.config.ts`, in the order of lines.
 * `exists` looks up a picture in the folder `public`.
 */
export async function mistakesInText(
  text: string,
  exists: (path: string) => boolean,
): Promise<string[]> {
  let source: Source;
  try {
    source = await readSource(text);
  } catch (error) {
    if (!(error instanceof UnreadableConfig)) throw error;
    return [sentence(error.line, error.message)];
  }
  const schema = siteSchema(exists);
  const { error } = schema.safeParse(source.site, { error: inVoice('file') });
  const mistakes = withoutDuplicates(
    (error?.issues ?? []).flatMap((issue) => mistakesOf(issue, schema, source.site)),
  );
  return mistakes
    .map(({ path, message }) => ({
      line: source.lineOf(path),
      text: `${fieldName(path)} ${message}`,
    }))
    .sort((a, b) => a.line - b.line)
    .map(({ line, text }) => sentence(line, text));
}

const sentence = (line: number, text: string) => `${fileName}, line ${line}: ${text}`;

interface Mistake {
  path: PropertyKey[];
  /** The rest of the sentence that starts with the field's name. */
  message: string;
  /** For an unknown field: the path of the field that was probably meant. */
  meant?: PropertyKey[];
}

function mistakesOf(issue: z.core.$ZodIssue, schema: z.ZodType, site: unknown): Mistake[] {
  if (issue.code !== 'unrecognized_keys') {
    return [{ path: issue.path, message: `${issue.message}.` }];
  }
  const known = fieldsAt(schema, issue.path);
  const present = Object.keys(valueAt(site, issue.path) ?? {});
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const free = known.filter((name) => !present.includes(name));
    const meant = nearest(key, free) ?? nearest(key, known);
    if (meant) {
      return { path, message: `is not known. Is it ${meant}?`, meant: [...issue.path, meant] };
    }
    return { path, message: `is not known. Known here are ${listed(known)}.` };
  });
}

/** Reports a misspelled name once: drops the message that the correct name is missing. */
function withoutDuplicates(mistakes: Mistake[]): Mistake[] {
  const meant = new Set(mistakes.map(({ meant }) => meant && fieldName(meant)));
  return mistakes.filter(
    ({ path, message }) => message !== 'is missing.' || !meant.has(fieldName(path)),
  );
}

/** Returns the names of the fields in the group at `path`. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let part: z.core.$ZodType | undefined = schema;
  for (const key of path) {
    if (part instanceof z.ZodObject) part = part.shape[String(key)];
    else if (part instanceof z.ZodArray) part = part.element;
    if (part instanceof z.ZodOptional) part = part.unwrap();
  }
  return part instanceof z.ZodObject ? Object.keys(part.shape) : [];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): object | undefined {
  const found = path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return typeof found === 'object' && found !== null ? found : undefined;
}

const listed = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Returns the candidate with the smallest edit distance to `word`, if that is a likely typo. */
function nearest(word: string, candidates: string[]): string | undefined {
  const [best] = candidates
    .map((name) => ({ name, distance: editDistance(word.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const allowed = Math.max(word.length < 5 ? 1 : 2, Math.floor(word.length / 3));
  return best && best.distance <= allowed ? best.name : undefined;
}

/** The Levenshtein distance: insertions, deletions and substitutions that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  [...a].forEach((character, i) => {
    const next = [i + 1];
    [...b].forEach((other, j) => {
      const changed = (row[j] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}
