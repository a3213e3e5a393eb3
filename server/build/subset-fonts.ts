/**
 * Subsets fonts to the characters and weights that the site uses.
 *
 *     import url from '….woff2?subset&weights=700-800'         Latin and the text of site.config.ts
 *     import url from '….woff2?subset&weights=400-700&typed'   also accented letters visitors may type
 *
 * During development the whole font is served, because subsetting takes time.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const pattern = /^\0?(.+\.woff2)\?subset&weights=(\d+)-(\d+)(&typed)?$/;
const require = createRequire(import.meta.url);

const basicLatin = String.fromCodePoint(...Array.from({ length: 95 }, (_, i) => 0x20 + i));
const punctuation = '\u00a0–—‘’“”…•©·×→←€£™°«»¡¿';
const accented = 'ÀÁÂÄÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØÙÚÛÜßàáâäãåæçèéêëìíîïñòóôöõøùúûüœŒ';

/** Resolves `*.woff2?subset` imports; emits each subset once, in the client build. */
export function subsetFonts(): Plugin {
  const subsets = new Map<string, Promise<{ source: Buffer; fileName: string }>>();

  const subset = async (id: string) => {
    const [, path = '', min, max, typed] = pattern.exec(id) ?? [];
    const config = await readFile('site.config.ts', 'utf8');
    const characters = basicLatin + punctuation + config + (typed ? accented : '');
    const source = await subsetFont(await readFile(path), characters, {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: Number(min), max: Number(max) } },
    });
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
    // Only the first word of the family, because each page contains the file name twice.
    const [name] = basename(path).split('-');
    return { source, fileName: `assets/${name}-${hash}.woff2` };
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
