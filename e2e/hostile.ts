/** The built site with other texts, for the tests of texts that try to leave their place. */
import { fieldsIn } from '../server/content/document.ts';
import { withWords } from '../server/contract/words/words.ts';
import { site as file } from '../site.config.ts';

/** The site as built, with the words of its language. */
export const built = withWords(file);

export const textAt = (config: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (part, key) => (key === '' ? part : (part as Record<string, unknown>)[key]),
      config,
    );
export const patternOf = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '.*');

/** The site with another text in each field. */
export function withTexts(textOf: (index: number, path: string) => string): typeof built {
  const changed = structuredClone(built);
  for (const [index, path] of fieldsIn(built, 'text').entries()) {
    const keys = path.split('.');
    const parent = textAt(changed, keys.slice(0, -1).join('.')) as Record<string, unknown>;
    parent[keys.at(-1) ?? ''] = textOf(index, path);
  }
  return changed;
}
