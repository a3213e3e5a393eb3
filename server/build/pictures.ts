/** Renders SVG drawings to image files with the site's fonts only, so that every machine gets the same. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import subsetFont from 'subset-font';
import type { Drawing, Pictures } from '../../src/seo/icons.tsx';
import type { Measure } from '../../src/ui/fit-text.ts';
import { escapeHtml } from '../http/pages/template.ts';

const require = createRequire(import.meta.url);

/** The fonts of the drawings, each in one weight. */
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
 * Writes each picture into `folder`, unless the owner provides a file of that name. Returns a map of names
 * to URL paths.
 */
export async function writePictures(folder: string, pictures: Pictures) {
  const renderer = await openRenderer();
  try {
    const addresses = new Map<string, string>();
    for (const [name, draw] of Object.entries(pictures)) {
      const file = renderer.render(name, draw(renderer.measure));
      const path = name.startsWith('assets/') ? hashed(name, file) : name;
      if (!existsSync(join(folder, path))) await writeFile(join(folder, path), file);
      addresses.set(name, `/${path}`);
    }
    return addresses;
  } finally {
    await renderer.close();
  }
}

function hashed(name: string, file: Buffer): string {
  const hash = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return name.replace(/(\.\w+)$/, `-${hash}$1`);
}

export interface Renderer {
  measure: Measure;
  /** Returns the file; the extension of `name` selects its format (.svg, .png or .ico). */
  render(name: string, drawing: Drawing): Buffer;
  /** Deletes the temporary fonts. */
  close(): Promise<void>;
}

/** Opens a renderer with the site's fonts in a temporary folder. The caller closes it. */
export async function openRenderer(): Promise<Renderer> {
  const folder = await mkdtemp(join(tmpdir(), 'typefaces-'));
  const fontFiles = (await Promise.all(fonts.map((font) => writeFont(font, folder)))).flat();
  const load = (svg: string, width?: number) =>
    new Resvg(svg, {
      font: { loadSystemFonts: false, fontFiles },
      ...(width && { fitTo: { mode: 'width', value: width } }),
    });
  const png = ({ svg, width }: Drawing) => load(svg, width).render().asPng();

  return {
    measure(text, { family, weight, spacing }) {
      const size = 100;
      const style = `font-family="${family}" font-weight="${weight}" letter-spacing="${spacing * size}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text y="${size}" font-size="${size}" ${style}>${escapeHtml(text)}</text></svg>`;
      return (load(svg).getBBox()?.width ?? 0) / size;
    },
    render(name, drawing) {
      if (name.endsWith('.svg')) return Buffer.from(drawing.svg);
      return name.endsWith('.ico') ? icoOf(png(drawing), drawing.width) : png(drawing);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

/** Writes one weight of a variable font as TTF files, the format that resvg reads; returns their paths. */
async function writeFont({ files, weight }: (typeof fonts)[number], folder: string) {
  const source = join(dirname(require.resolve(`${files}/package.json`)), 'files');
  const names = (await readdir(source)).filter((name) => name.endsWith('-wght-normal.woff2'));
  return Promise.all(
    // Font fallback follows this order, so the basic Latin file goes first.
    names
      .sort((a, b) => a.length - b.length)
      .map(async (name) => {
        const path = join(folder, name.replace('.woff2', '.ttf'));
        const font = await subsetFont(await readFile(join(source, name)), characters, {
          targetFormat: 'sfnt',
          variationAxes: { wght: weight },
        });
        await writeFile(path, font);
        return path;
      }),
  );
}

/** Wraps one PNG in an ICO file, which browsers request at /favicon.ico. */
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
