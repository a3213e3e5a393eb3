import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { pictureOf } from '../testing/picture.ts';
import { readPictureHeader } from './picture-header.ts';

const extended = () =>
  sharp({ create: { width: 480, height: 600, channels: 3, background: 'red' } })
    .withMetadata({ density: 72 })
    .webp()
    .toBuffer();
const progressive = () =>
  sharp({ create: { width: 480, height: 600, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Copyright: 'me' } })
    .jpeg({ progressive: true })
    .toBuffer();

const pictures: [string, string, () => Promise<Buffer>][] = [
  ['a JPEG', 'jpg', () => pictureOf('jpeg', 480, 600)],
  ['a progressive JPEG with EXIF', 'jpg', progressive],
  ['a PNG', 'png', () => pictureOf('png', 480, 600)],
  ['a lossy WebP', 'webp', () => pictureOf('webp', 480, 600)],
  ['a transparent WebP', 'webp', () => pictureOf('webp', 480, 600, { alpha: 0.5 })],
  [
    'a lossless WebP',
    'webp',
    async () =>
      sharp(await pictureOf('png', 480, 600))
        .webp({ lossless: true })
        .toBuffer(),
  ],
  ['a WebP with metadata', 'webp', extended],
];

describe.each(pictures)('of %s', (_, type, make) => {
  it(`header says the type ${type} and the size`, async () => {
    expect(readPictureHeader(await make())).toEqual({ type, width: 480, height: 600 });
  });

  it('header is refused where bytes are missing or follow the end', async () => {
    const bytes = await make();
    const html = Buffer.from('<script>alert(1)</script>');
    expect(readPictureHeader(Buffer.concat([bytes, html]))).toBeUndefined();
    expect(readPictureHeader(Buffer.concat([html, bytes]))).toBeUndefined();
    for (let length = 0; length < bytes.length; length++) {
      expect(readPictureHeader(bytes.subarray(0, length))).toBeUndefined();
    }
  });

  it('header of damaged bytes has a possible size, or is refused', async () => {
    const bytes = await make();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const damaged = Buffer.from(bytes);
      // Most of the header is in the first bytes.
      for (let n = 0; n < 3; n++) damaged[random(Math.min(64, bytes.length))] = random(256);
      const { width = 1, height = 1 } = readPictureHeader(damaged) ?? {};
      expect([width, height].every((side) => side >= 1 && side <= 4096)).toBe(true);
    }
  });
});

it('header is refused for a picture of more pixels than phones decode, and for one of none', async () => {
  const png = await pictureOf('png', 480, 600);
  for (const side of [0, 4097, 0xffffffff]) {
    const lying = Buffer.from(png);
    lying.writeUInt32BE(side, 16);
    expect(readPictureHeader(lying)).toBeUndefined();
  }
});

it.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'],
  ['GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
  ['a JPEG without a frame', '\xff\xd8\xff\xd9'],
  ['a JPEG whose segment has no length', '\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\0\0\0\0\xff\xd9'],
])('header is refused for %s', (_, text) => {
  expect(readPictureHeader(Buffer.from(text, 'latin1'))).toBeUndefined();
});
