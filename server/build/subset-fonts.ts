/**
 * Fonts cut to what this site can show.
 *
 *     import url from '….woff2?subset&weights=700-800'         the owner's words, in those weights
 *     import url from '….woff2?subset&weights=400-700&typed'   and what visitors may type
 *
 * The words are those of `site.config.ts`, whatever their letters. During development it is the
 * whole file, so that nothing waits for a subset.
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

/** Resolves `*.woff2?subset` imports; emits the cut font once, in the client build. */
export function subsetFonts(): Plugin {
  const cut = new Map<string, Promise<{ source: Buffer; fileName: string }>>();

  const subset = async (id: string) => {
    const [, path = '', min, max, typed] = pattern.exec(id) ?? [];
    const words = await readFile('site.config.ts', 'utf8');
    const letters = basicLatin + punctuation + words + (typed ? accented : '');
    const source = await subsetFont(await readFile(path), letters, {
      targetFormat: 'woff2',
      variationAxes: { wght: { min: Number(min), max: Number(max) } },
    });
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
    // Each page carries the names of its fonts twice: the family's first word does.
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
        const font = cut.get(id) ?? subset(id);
        cut.set(id, font);
        const { source, fileName } = await font;
        if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source });
        return `export default ${JSON.stringify(`/${fileName}`)}`;
      },
    },
  };
}
