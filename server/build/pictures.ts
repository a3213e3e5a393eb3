/** Draws the pictures of the build, and prepares what draws those of a publish. */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import subsetFont from 'subset-font';
import { type Artist, openArtist, pictureData } from '../content/draw.ts';
import type { Drawing, Pictures } from '../contract/pictures.ts';

const require = createRequire(import.meta.url);

/**
 * The fonts of the drawings, each in one weight. Bricolage Grotesque calls itself otherwise, and the first font is the
 * one for a name that is not found.
 */
const fonts = [
  { files: '@fontsource-variable/bricolage-grotesque', weight: 800 },
  { files: '@fontsource-variable/hanken-grotesk', weight: 600 },
];

/** The characters to keep of each font: all Latin letters, punctuation and symbols. */
const characters = [
  [0x20, 0x24f],
  [0x1e00, 0x1eff],
  [0x2010, 0x22ff],
]
  .flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
  .map((code) => String.fromCodePoint(code))
  .join('');

/**
 * Draws each picture into `client`, unless the owner provides a file of that name. Returns the addresses of those it
 * drew. Writes the code and the fonts that draw into `renderer`.
 */
export async function writePictures(
  pictures: Pictures,
  { client, renderer }: { client: string; renderer: string },
): Promise<string[]> {
  const [wasm, ttfs] = await Promise.all([readWasm(), makeFonts()]);
  await writeFile(join(renderer, 'resvg.wasm.br'), brotliCompressSync(wasm, compression));
  for (const [i, font] of ttfs.entries()) await writeFile(join(renderer, `${i}.ttf`), font);
  const artist = await openArtist(wasm, ttfs);
  const drawn = Object.entries(pictures).filter(([address]) => !existsSync(join(client, address)));
  for (const [address, draw] of drawn) {
    const drawing = withFiles(draw(artist.measure), client);
    await writeFile(join(client, address), artist.draw(address, drawing));
  }
  return drawn.map(([address]) => address);
}

/** A drawing with the pictures of a folder that it names. */
export const withFiles = ({ svg, width }: Drawing, folder: string): Drawing => ({
  width,
  svg: svg.replace(
    / href="([^"]+)"/g,
    (_, address: string) => ` href="${pictureData(address, readFileSync(join(folder, address)))}"`,
  ),
});

/** What draws the pictures outside of a build. */
export const openStudio = async (): Promise<Artist> =>
  openArtist(await readWasm(), await makeFonts());

/** The highest level would save 4% more in four seconds. */
const compression = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const readWasm = () => readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm'));

/** The fonts in TTF, the format that resvg reads. */
const makeFonts = async () => (await Promise.all(fonts.map(makeFont))).flat();

async function makeFont({ files, weight }: (typeof fonts)[number]) {
  const source = join(dirname(require.resolve(`${files}/package.json`)), 'files');
  const names = (await readdir(source)).filter((name) => name.endsWith('-wght-normal.woff2'));
  return Promise.all(
    // Font fallback follows this order, so the basic Latin file goes first.
    names
      .sort((a, b) => a.length - b.length)
      .map(async (name) =>
        subsetFont(await readFile(join(source, name)), characters, {
          targetFormat: 'sfnt',
          variationAxes: { wght: weight },
        }),
      ),
  );
}
