/**
 * Fonts cut to the letters this site can show.
 *
 * `import url from '….woff2?subset'` gives the address of a font that holds Latin letters, the usual
 * accents and punctuation, and whatever else the owner's own words in `site.config.ts` use. During
 * development it is the whole file, so that nothing waits for a subset.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

const suffix = '.woff2?subset';
const require = createRequire(import.meta.url);

const range = (first: number, last: number) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));

// Basic Latin, Latin-1 letters, the ligatures and marks of Western European typography.
const everyday = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ŒœŠšŽžŸıŁłĆćĘęŃńŚśŹźŻż–—‘’‚“”„†•…‹›€™−×→←↗`;

/** Resolves `*.woff2?subset` imports; emits the cut font once, in the client build. */
export function subsetFonts(): Plugin {
  const cut = new Map<string, Promise<{ source: Buffer; fileName: string }>>();

  const subset = async (path: string) => {
    const words = await readFile('site.config.ts', 'utf8');
    const source = await subsetFont(await readFile(path), everyday + words, {
      targetFormat: 'woff2',
    });
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
    const name = path.replace(/^.*\//, '').replace(/\.woff2$/, '');
    return { source, fileName: `assets/${name}-${hash}.woff2` };
  };

  return {
    name: 'subset-fonts',
    enforce: 'pre',
    resolveId(id) {
      if (id.endsWith(suffix)) return `\0${require.resolve(id.slice(0, -'?subset'.length))}?subset`;
    },
    async load(id) {
      if (!id.startsWith('\0') || !id.endsWith(suffix)) return;
      const path = id.slice(1, -'?subset'.length);
      if (this.environment.mode === 'dev') return `export default ${JSON.stringify(`/@fs${path}`)}`;
      const font = cut.get(path) ?? subset(path);
      cut.set(path, font);
      const { source, fileName } = await font;
      if (this.environment.name === 'client') this.emitFile({ type: 'asset', fileName, source });
      return `export default ${JSON.stringify(`/${fileName}`)}`;
    },
  };
}
