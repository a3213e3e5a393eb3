import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRenderer, writePictures } from './pictures.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
  await mkdir(join(folder, 'assets'));
});
afterEach(() => rm(folder, { recursive: true }));

const square = (colour: string) => ({
  svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="${colour}"/></svg>`,
  width: 32,
});

const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

test('drawing is rendered in the format of its file extension', async () => {
  const addresses = await writePictures(folder, {
    'icon.svg': () => square('red'),
    'icon.png': () => square('red'),
    'icon.ico': () => square('red'),
  });
  expect(addresses.get('icon.png')).toBe('/icon.png');
  expect(await readFile(join(folder, 'icon.svg'), 'utf8')).toBe(square('red').svg);
  const png = await readFile(join(folder, 'icon.png'));
  expect(sizeOf(png)).toEqual([32, 32]);
  const ico = await readFile(join(folder, 'icon.ico'));
  expect([...ico.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 32, 32]);
  expect(ico.readUInt32LE(14)).toBe(png.length);
  expect(ico.subarray(ico.readUInt32LE(18))).toEqual(png);
});

test('picture below assets has a content hash in its name', async () => {
  const addressOf = async (colour: string) =>
    (await writePictures(folder, { 'assets/a.png': () => square(colour) })).get('assets/a.png');
  const red = await addressOf('red');
  expect(red).toMatch(/^\/assets\/a-[\da-f]{8}\.png$/);
  expect(await addressOf('red')).toBe(red);
  expect(await addressOf('blue')).not.toBe(red);
  expect(await readdir(join(folder, 'assets'))).toHaveLength(2);
});

test('picture provided by the owner is not overwritten', async () => {
  await writeFile(join(folder, 'icon.png'), 'the owner’s');
  await writePictures(folder, { 'icon.png': () => square('red') });
  expect(await readFile(join(folder, 'icon.png'), 'utf8')).toBe('the owner’s');
});

test('text is measured in em in its font', async () => {
  const renderer = await openRenderer();
  const face = { family: 'Bricolage Grotesque', weight: 800, spacing: 0 } as const;
  const width = renderer.measure('Operations', face);
  expect(width).toBeGreaterThan(4);
  expect(width).toBeLessThan(7);
  expect(renderer.measure('Operations', { ...face, spacing: 0.1 })).toBeCloseTo(width + 0.9, 1);
  expect(renderer.measure('<Ä & é>', face)).toBeGreaterThan(2);
  await renderer.close();
});

test('built site has a share picture of 1200 by 630 pixels below 120 kB', async () => {
  const assets = (await readdir('dist/client/assets')).filter((name) => /^share-/.test(name));
  expect(assets).toHaveLength(1);
  const png = await readFile(join('dist/client/assets', assets[0] ?? ''));
  expect(sizeOf(png)).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(120_000);
});
