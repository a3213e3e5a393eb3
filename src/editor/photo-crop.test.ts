import { describe, expect, it } from 'vitest';
import { photoShapes } from '../../server/contract/photos.ts';
import { changed, maxZoom, middle, partOf, widthsOf } from './photo-crop.ts';

const { portrait, face } = photoShapes;
const wide = { width: 4000, height: 3000 };
const tall = { width: 1000, height: 4000 };

it('a crop shows as much of the middle as has the ratio of the shape', () => {
  expect(partOf(wide, portrait, middle)).toEqual({ width: 2400, height: 3000, left: 800, top: 0 });
  expect(partOf(tall, portrait, middle)).toEqual({ width: 1000, height: 1250, left: 0, top: 1375 });
  expect(partOf(wide, face, middle)).toEqual({ width: 3000, height: 3000, left: 500, top: 0 });
});

it('a crop moves by shares of its size, up to the edges of the picture', () => {
  const moved = changed(wide, portrait, middle, { right: 0.1, down: 0.1 });
  expect(partOf(wide, portrait, moved)).toMatchObject({ left: 1040, top: 0 });
  const far = changed(wide, portrait, moved, { right: 9 });
  expect(partOf(wide, portrait, far).left).toBe(1600);
  // At the edge nothing is stored that must be taken back first.
  const back = changed(wide, portrait, far, { right: -0.1 });
  expect(partOf(wide, portrait, back).left).toBeCloseTo(1360);
});

describe('zoom', () => {
  it('keeps the middle of the crop where it is', () => {
    const zoomed = changed(wide, portrait, middle, { zoom: 2 });
    expect(partOf(wide, portrait, zoomed)).toEqual({
      ...{ width: 1200, height: 1500, left: 1400, top: 750 },
    });
    const moved = changed(wide, portrait, zoomed, { down: 0.5 });
    expect(partOf(wide, portrait, moved).top).toBe(1500);
    expect(changed(wide, portrait, moved, { zoom: 1 })).toEqual(middle);
  });

  it('ends where the crop has the fewest pixels that the shape needs', () => {
    expect(maxZoom(wide, portrait)).toBe(5);
    expect(maxZoom(wide, face)).toBe(8);
    expect(maxZoom({ width: 480, height: 600 }, portrait)).toBe(1);
    expect(changed(wide, portrait, middle, { zoom: 99 }).zoom).toBe(5);
    expect(changed(wide, portrait, middle, { zoom: 0 }).zoom).toBe(1);
  });
});

it('no crop leaves the picture, and each has the ratio of the shape, after any changes', () => {
  for (const picture of [wide, tall, { width: 481, height: 601 }, { width: 4096, height: 601 }]) {
    let crop = middle;
    for (let i = 0; i < 500; i++) {
      const random = (n: number) => Math.sin(i * 7 + n);
      const change = { zoom: 1 + 9 * random(1) ** 2, right: 3 * random(2), down: 3 * random(3) };
      crop = changed(picture, portrait, crop, change);
      const part = partOf(picture, portrait, crop);
      expect(part.width / part.height).toBeCloseTo(0.8);
      expect(Math.min(part.left, part.top)).toBeGreaterThanOrEqual(0);
      expect(part.left + part.width).toBeLessThanOrEqual(picture.width + 1e-9);
      expect(part.top + part.height).toBeLessThanOrEqual(picture.height + 1e-9);
      expect(part.width).toBeGreaterThanOrEqual(480 - 1e-9);
    }
  }
});

it('a photo is stored in the widths of its shape that need no more pixels than the crop has', () => {
  const size = (width: number) => ({ width, height: width * 1.25 });
  expect(widthsOf(size(2400), portrait)).toEqual([960, 480]);
  expect(widthsOf(size(959.6), portrait)).toEqual([960, 480]);
  expect(widthsOf(size(959), portrait)).toEqual([480]);
  expect(widthsOf(size(479.9999), portrait)).toEqual([480]);
  expect(widthsOf(size(300), face)).toEqual([128]);
});
