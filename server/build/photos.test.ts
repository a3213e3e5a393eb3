import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WantedPhoto } from '../../src/ui/photo.tsx';
import { makePhotos, photoMistakes } from './photos.ts';

const place = 'Taken at home, 52.5 N 13.4 E';

/**
 * A photo as phones write it: 240 x 192 with an EXIF rotation of 90 degrees clockwise. Upright it is
 * 192 x 240, red above blue. It is small because AVIF takes seconds for larger ones.
 */
function photo({ width = 240, height = 192 } = {}) {
  const half = { width: width / 2, height, channels: 3 } as const;
  return sharp({ create: { ...half, width, background: '#0000ff' } })
    .composite([{ input: { create: { ...half, background: '#ff0000' } }, gravity: 'west' }])
    .withExif({ IFD0: { Orientation: '6', ImageDescription: place } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

let folder: string;
let client: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shingle-photos-'));
  client = mkdtempSync(join(tmpdir(), 'shingle-client-'));
});
afterEach(() => {
  for (const path of [folder, client]) rmSync(path, { recursive: true });
});

const wanted: WantedPhoto = {
  key: 'me',
  path: ['about', 'photo'],
  address: '/me.jpg',
  shape: { width: 96, height: 120, widths: [96, 144, 288] },
};

const make = async () => {
  const { me } = await makePhotos({ wanted: [wanted], client, folder });
  if (!me) throw new Error('Nothing was made.');
  return me;
};

/** Parses a `srcset` into a map of widths to URL paths. */
const candidates = (srcSet: string): Record<string, string> =>
  Object.fromEntries(srcSet.split(', ').map((one) => one.split(' ').reverse()));

describe('photo', () => {
  it('photo is converted to AVIF and WebP in each width without upscaling and to JPEG', async () => {
    writeFileSync(join(folder, 'me.jpg'), await photo());
    const { sources, src } = await make();
    expect(sources.map(({ type }) => type)).toEqual(['image/avif', 'image/webp']);
    for (const { type, srcSet } of sources) {
      const files = candidates(srcSet);
      expect(Object.keys(files)).toEqual(['96w', '144w']);
      for (const [width, address] of Object.entries(files)) {
        expect(address).toMatch(/^\/assets\/me-\d+-[0-9a-f]{8}\.(avif|webp)$/);
        const { format, width: w, height } = await sharp(join(client, address)).metadata();
        expect({ type: `image/${format === 'heif' ? 'avif' : format}`, w, height }).toEqual({
          type,
          w: Number.parseInt(width, 10),
          height: (Number.parseInt(width, 10) * 5) / 4,
        });
      }
    }
    expect(src).toMatch(/^\/assets\/me-144-[0-9a-f]{8}\.jpg$/);
  });

  it('photo is rotated upright and its EXIF metadata is removed', async () => {
    const original = await photo();
    expect(original.includes(place)).toBe(true);
    writeFileSync(join(folder, 'me.jpg'), original);
    const { sources, src } = await make();
    const addresses = [src, ...sources.flatMap(({ srcSet }) => Object.values(candidates(srcSet)))];
    for (const address of addresses) {
      const bytes = readFileSync(join(client, address));
      expect(bytes.includes('Taken at home')).toBe(false);
      const { exif, orientation } = await sharp(bytes).metadata();
      expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined });
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      const at = (y: number) => {
        const start = (Math.floor(info.height * y) * info.width + info.width / 2) * info.channels;
        return [data[start], data[start + 2]];
      };
      const [topRed = 0, topBlue = 255] = at(0.1);
      const [bottomRed = 255, bottomBlue = 0] = at(0.9);
      expect(topRed).toBeGreaterThan(200);
      expect(topBlue).toBeLessThan(60);
      expect(bottomRed).toBeLessThan(60);
      expect(bottomBlue).toBeGreaterThan(200);
    }
  });

  it('original photo is not in the build', async () => {
    const original = await photo();
    for (const where of [folder, client]) writeFileSync(join(where, 'me.jpg'), original);
    await make();
    expect(existsSync(join(client, 'me.jpg'))).toBe(false);
    expect(existsSync(join(folder, 'me.jpg'))).toBe(true);
  });

  it('small photo is never upscaled', async () => {
    writeFileSync(join(folder, 'me.jpg'), await photo({ width: 100, height: 80 }));
    const { sources } = await make();
    for (const { srcSet } of sources) expect(Object.keys(candidates(srcSet))).toEqual(['80w']);
  });

  it('transparent photo keeps its transparency', async () => {
    const clear = { width: 192, height: 240, channels: 4, background: '#00000000' } as const;
    writeFileSync(join(folder, 'me.jpg'), await sharp({ create: clear }).png().toBuffer());
    const { src } = await make();
    expect(src).toMatch(/\.png$/);
    expect((await sharp(join(client, src)).stats()).isOpaque).toBe(false);
  });
});

it('makePhotos writes no files without photos', async () => {
  expect(await makePhotos({ wanted: [], client, folder })).toEqual({});
  expect(readdirSync(client)).toEqual([]);
});

describe('photo mistakes', () => {
  it('missing photo is reported with its field', async () => {
    expect(await photoMistakes([wanted], folder)).toEqual([
      'about.photo is "/me.jpg", but there is no such picture in the folder public.',
    ]);
  });

  it.each([
    ['text', 'Hello'],
    ['nothing', ''],
    ['the head of an iPhone’s HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ])('photo file with %s is reported with its field', async (_, bytes) => {
    writeFileSync(join(folder, 'me.jpg'), bytes, 'latin1');
    const path = ['testimonials', 'quotes', 1, 'photo'];
    expect(await photoMistakes([{ ...wanted, path }], folder)).toEqual([
      'testimonials.quotes (2nd).photo is "/me.jpg", but that file is not a picture for the web. Please save it as JPG or PNG.',
    ]);
  });

  it('photo that was copied only in part is reported', async () => {
    for (const encoded of [
      await photo(),
      await sharp(await photo())
        .png()
        .toBuffer(),
    ]) {
      writeFileSync(join(folder, 'me.jpg'), encoded.subarray(0, -60));
      expect(await photoMistakes([wanted], folder)).toEqual([
        'about.photo is "/me.jpg", but that file is damaged, or was copied only in part. Please copy it again.',
      ]);
    }
  });

  it('valid photo is not reported', async () => {
    writeFileSync(join(folder, 'me.jpg'), await photo());
    expect(await photoMistakes([wanted], folder)).toEqual([]);
  });
});
