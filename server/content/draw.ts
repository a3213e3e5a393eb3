/** Draws SVG as image files with the site's fonts only, so that every machine gets the same. */
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import type { Drawing, Measure } from '../contract/pictures.ts';
import { escapeHtml } from '../text/html.ts';

export interface Artist {
  measure: Measure;
  /** Returns the file; the extension of `address` selects its format (.svg, .png or .ico). */
  draw(address: string, drawing: Drawing): Buffer;
}

/** Characters that XML cannot have, not even escaped. */
const notXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A process can start it only once. */
let started: Promise<void> | undefined;

/**
 * Starts what draws, which takes about 50 MB until its process ends.
 *
 * @param wasm the code of resvg
 * @param fontBuffers the fonts in TTF. A character that a font lacks is taken from the first one that has it.
 */
export async function openArtist(wasm: Uint8Array, fontBuffers: Uint8Array[]): Promise<Artist> {
  started ??= initWasm(wasm);
  await started;
  const load = (svg: string, width?: number) =>
    new Resvg(svg.replace(notXml, ''), {
      font: { fontBuffers },
      ...(width && { fitTo: { mode: 'width', value: width } }),
    });
  const png = ({ svg, width }: Drawing): Buffer => {
    const loaded = load(svg, width);
    const image = loaded.render();
    const bytes = Buffer.from(image.asPng());
    image.free();
    loaded.free();
    return bytes;
  };
  const widths = new Map<string, number>();
  const widthOf = (svg: string): number => {
    const loaded = load(svg);
    const width = loaded.getBBox()?.width ?? 0;
    loaded.free();
    return width;
  };
  return {
    measure(text, { family, weight, spacing }) {
      const size = 100;
      const style = `font-family="${family}" font-weight="${weight}" letter-spacing="${spacing * size}"`;
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><text y="${size}" font-size="${size}" ${style}>${escapeHtml(text)}</text></svg>`;
      const width = widths.get(svg) ?? widthOf(svg) / size;
      widths.set(svg, width);
      return width;
    },
    draw(address, drawing) {
      if (address.endsWith('.svg')) return Buffer.from(drawing.svg);
      return address.endsWith('.ico') ? icoOf(png(drawing), drawing.width) : png(drawing);
    },
  };
}

/** The address of a JPEG or PNG that has its bytes in it: what draws reads no other. */
export const pictureData = (path: string, bytes: Uint8Array): string =>
  `data:image/${path.endsWith('.png') ? 'png' : 'jpeg'};base64,${Buffer.from(bytes).toString('base64')}`;

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
