import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStudio, writePictures } from './pictures.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  await mkdir(join(folder, 'assets'));
});
afterEach(() => rm(folder, { recursive: true }));

const square = () => ({
  svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="red"/></svg>`,
  width: 32,
});
const write = (...addresses: string[]) =>
  writePictures(Object.fromEntries(addresses.map((address) => [address, square])), {
    client: folder,
    renderer: join(folder, 'assets'),
  });

const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('drawing is rendered in the format of its file extension', async () => {
  const addresses = ['/icon.svg', '/icon.png', '/icon.ico'];
  expect(await write(...addresses)).toEqual(addresses);
  expect(await readFile(join(folder, 'icon.svg'), 'utf8')).toBe(square().svg);
  const png = await readFile(join(folder, 'icon.png'));
  expect(sizeOf(png)).toEqual([32, 32]);
  const ico = await readFile(join(folder, 'icon.ico'));
  expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(ico.readUInt32LE(14)).toBe(png.length);
  expect(ico.subarray(ico.readUInt32LE(18))).toEqual(png);
});

test('picture provided by the owner is not overwritten', async () => {
  await writeFile(join(folder, 'icon.png'), 'the owner’s');
  expect(await write('/icon.png', '/other.png')).toEqual(['/other.png']);
  expect(await readFile(join(folder, 'icon.png'), 'utf8')).toBe('the owner’s');
});

test('text is measured in em in its font', async () => {
  const { measure } = await openStudio();
  const face = { family: 'Bricolage Grotesque', weight: 800, spacing: 0 } as const;
  const width = measure('Operations', face);
  expect(width).toBeGreaterThan(4);
  expect(width).toBeLessThan(7);
  expect(measure('Operations', { ...face, spacing: 0.1 })).toBeCloseTo(width + 0.9, 1);
  expect(measure('<Ä & é>', face)).toBeGreaterThan(2);
  const other = measure('Operations', { ...face, family: 'Hanken Grotesk', weight: 600 });
  expect(Math.abs(width - other)).toBeGreaterThan(0.1);
});

test('built site has a share picture of 1200 by 630 pixels below 120 kB', async () => {
  const assets = (await readdir('dist/client/assets')).filter((name) => /^share-/.test(name));
  expect(assets).toHaveLength(1);
  const png = await readFile(join('dist/client/assets', assets[0] ?? ''));
  expect(sizeOf(png)).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(120_000);
});
