/**
 * Makes pictures of drawings, with the typefaces of the site and no others: the same on every
 * machine.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import subsetFont from 'subset-font';
import type { Drawing, Measure, Pictures } from '../contract/pictures.ts';

const require = createRequire(import.meta.url);

/** The typefaces as the drawings use them: each in one weight. */
const faces = [
  { files: '@fontsource-variable/bricolage-grotesque', weight: 800 },
  { files: '@fontsource-variable/hanken-grotesk', weight: 600 },
];

/** Whatever a text of the owner's may have of the typefaces: Latin letters of all kinds, and signs. */
const letters = [
  [0x20, 0x24f],
  [0x1e00, 0x1eff],
  [0x2010, 0x22ff],
]
  .flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
  .map((code) => String.fromCodePoint(code))
  .join('');

/**
 * Writes each picture into `folder`, unless the owner has put one of that name there. Returns their
 * addresses on the site by their names.
 */
export async function writePictures(folder: string, pictures: Pictures) {
  const studio = await openStudio();
  try {
    const addresses = new Map<string, string>();
    for (const [name, draw] of Object.entries(pictures)) {
      const file = studio.render(name, draw(studio.measure));
      const path = name.startsWith('assets/') ? hashed(name, file) : name;
      if (!existsSync(join(folder, path))) await writeFile(join(folder, path), file);
      addresses.set(name, `/${path}`);
    }
    return addresses;
  } finally {
    await studio.close();
  }
}

function hashed(name: string, file: Buffer): string {
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return name.replace(/(\.\w+)$/, `-${hash}$1`);
}

export interface Studio {
  measure: Measure;
  /** The finished file; the ending of its name says of what kind. */
  render(name: string, drawing: Drawing): Buffer;
  close(): Promise<void>;
}

/** Lays the typefaces out. To be closed: they stand in a folder of their own until then. */
export async function openStudio(): Promise<Studio> {
  const folder = await mkdtemp(join(tmpdir(), 'typefaces-'));
  const fontFiles = (await Promise.all(faces.map((face) => instances(face, folder)))).flat();
  const drawn = (svg: string, width?: number) =>
    new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles },
      ...(width && { fitTo: { mode: 'width', value: width } }),
    });
  const png = ({ svg, width }: Drawing) => drawn(svg, width).render().asPng();

  return {
    measure(text, { family, weight, spacing }) {
      const size = 100;
      const style = `font-family="${family}" font-weight="${weight}" letter-spacing="${spacing * size}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text y="${size}" font-size="${size}" ${style}>${escaped(text)}</text></svg>`;
      return (drawn(svg).getBBox()?.width ?? 0) / size;
    },
    render(name, drawing) {
      if (name.endsWith('.svg')) return Buffer.from(drawing.svg);
      return name.endsWith('.ico') ? icoOf(png(drawing), drawing.width) : png(drawing);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** The files of a variable typeface, each as one of its weights: the form that the renderer reads. */
async function instances({ files, weight }: (typeof faces)[number], folder: string) {
  const source = join(dirname(require.resolve(`${files}/package.json`)), 'files');
  const names = (await readdir(source)).filter((name) => name.endsWith('-wght-normal.woff2'));
  return Promise.all(
    // What has a letter is asked in this order: the Latin one first.
    names
      .sort((a, b) => a.length - b.length)
      .map(async (name) => {
        const path = join(folder, name.replace('.woff2', '.ttf'));
        const font = await subsetFont(await readFile(join(source, name)), letters, {
          targetFormat: 'sfnt',
          variationAxes: { wght: weight },
        });
        await writeFile(path, font);
        return path;
      }),
  );
}

/** One PNG in the wrapper that browsers ask for at /favicon.ico. */
function icoOf(png: Buffer, width: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one picture
  header.writeUInt8(width, 6);
  header.writeUInt8(width, 7);
  header.writeUInt16LE(1, 10); // colour planes
  header.writeUInt16LE(32, 12); // bits for each pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
