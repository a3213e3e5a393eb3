/**
 * Cuts fonts to the weights that the site uses, and to some of their subsets (`server/contract/font-subsets.ts`):
 *
 *     import url from '….woff2?subset=basic+western&weights=700-800'
 *
 * During development the whole font is served, because subsetting takes time.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { charactersOf, type FontSubset } from '../contract/font-subsets.ts';

const pattern = /^\0?(.+\.woff2)\?subset=([\w+]+)&weights=(\d+)-(\d+)$/;
const require = createRequire(import.meta.url);

/** Resolves `*.woff2?subset=…` imports; emits each subset once, in the client build. */
export function subsetFonts(): Plugin {
  const subsets = new Map<string, Promise<{ source: Buffer; fileName: string }>>();

  const subset = async (id: string) => {
    const [, path = '', names = '', min, max] = pattern.exec(id) ?? [];
    const characters = names
      .split('+')
      .map((name) => charactersOf(name as FontSubset))
      .join('');
    const source = await subsetFont(await readFile(path), characters, {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: Number(min), max: Number(max) } },
    });
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
    // Only the first word of the family, because each page contains the file name twice.
    const [family] = basename(path).split('-');
    return { source, fileName: `assets/${family}-${hash}.woff2` };
  };

  return {
    name: 'subset-fonts',
    enforce: 'pre',
    resolveId: {
      filter: { id: pattern },
      handler(id) {
        const [path = '', query] = id.split('?');
        return `\0${require.resolve(path)}?${query}`;
      },
    },
    load: {
      filter: { id: pattern },
      async handler(id) {
        const [, path = ''] = pattern.exec(id) ?? [];
        if (this.environment.mode === 'dev') {
          return `export default ${JSON.stringify(`/@fs${path}`)}`;
        }
        const font = subsets.get(id) ?? subset(id);
        subsets.set(id, font);
        const { source, fileName } = await font;
        if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source });
        return `export default ${JSON.stringify(`/${fileName}`)}`;
      },
    },
  };
}
