/** Gives the server the lines and comments of the owner's fields and of words, because production has no parser of TypeScript. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { fieldName } from '../../text/field-name.ts';
import { commentsIn, readSource } from './source.ts';

/** Returns the line of each field in the text of a `site.config.ts`, by the name of the field. */
export async function linesOf(text: string): Promise<Record<string, number>> {
  const { site, lineOf } = await readSource(text);
  const entriesOf = (value: unknown, path: PropertyKey[]): [name: string, line: number][] => {
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, field]) => {
      const fieldPath = [...path, Array.isArray(value) ? Number(key) : key];
      return [[fieldName(fieldPath), lineOf(fieldPath)], ...entriesOf(field, fieldPath)];
    });
  };
  return Object.fromEntries(entriesOf(site, []));
}

/** Replaces `server/launch-check/field-lines.ts` and `server/content/field-comments.ts`. */
export function fieldLines(): Plugin {
  return {
    name: 'field-lines',
    applyToEnvironment: ({ name }) => name === 'server',
    load: {
      filter: { id: /\/server\/(launch-check\/field-lines|content\/field-comments)\.ts$/ },
      async handler(id) {
        const file = resolve('site.config.ts');
        this.addWatchFile(file);
        const text = await readFile(file, 'utf8');
        if (id.endsWith('field-lines.ts')) {
          return `export const fieldLines = ${JSON.stringify(await linesOf(text))};`;
        }
        const words = resolve('server/contract/words/en.ts');
        this.addWatchFile(words);
        const comments = {
          ...commentsIn(await readFile(words, 'utf8'), 'en'),
          ...(await readSource(text)).comments,
        };
        return `export const fieldComments = ${JSON.stringify(comments)};`;
      },
    },
  };
}
