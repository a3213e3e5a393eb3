/** The owner's texts for the browser's scripts, as a module of their own. */
import { createHash } from 'node:crypto';
import { wordsUrl } from '../../server/contract/pages.ts';
import { withWords } from '../../server/contract/words/words.ts';

/** Returns the module with these groups of the config, and its address, which changes with its content. */
export function wordsOf(
  site: object,
  groups: readonly string[],
): { address: string; text: string } {
  const values = withWords(site) as Record<string, unknown>;
  const text = groups
    .map((group) => `export const ${group} = ${JSON.stringify(values[group])};`)
    .join('\n');
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
  return { address: `/assets/words-${hash}.js`, text };
}

/** The import map of a page whose scripts have their texts at this address. */
export const importMap = (address: string): string =>
  JSON.stringify({ imports: { [wordsUrl]: address } });
