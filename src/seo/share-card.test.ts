import { beforeAll, expect, test } from 'vitest';
import { openStudio } from '../../server/build/pictures.ts';
import type { Artist } from '../../server/content/draw.ts';
import { shareCard, shareCopy, shareSize } from './share-card.tsx';

let studio: Artist;
beforeAll(async () => {
  studio = await openStudio();
});

const copies = [
  {},
  { brand: 'Ä', title: 'Calm.', tagline: 'Ops.' },
  {
    title: 'Operations, sorted.',
    brand: 'Zoë O’Möller-Ünal',
    tagline: 'Größer, schöner, déjà vu.',
  },
  {
    brand: 'The Most Extraordinarily Named O’',
    title: 'Systems and operations for online businesses that want it so',
    tagline:
      'Strategic operations partner for scaling digital businesses, in every country of it all.',
    tracks: ['WWWWWWWWWWWW', 'Onboardinggg', 'a b c', 'x', 'Client care'],
    interchange: 'WWWWWWWWWWWWWWWWWWWWWWWW',
  },
  { title: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfab' },
];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The bounding box of each line of text in the picture. */
function textBoxes(svg: string): Box[] {
  const page = new DOMParser().parseFromString(svg, 'text/html');
  return [...page.querySelectorAll('text')].map((text) => {
    const attribute = (name: string) => Number(text.getAttribute(name));
    const group = text.closest('g[transform*=scale]')?.getAttribute('transform') ?? '';
    const [, dx = 0, dy = 0, scale = 1] = (/\((\S+) (\S+)\) scale\((\S+)\)/.exec(group) ?? []).map(
      Number,
    );
    const size = attribute('font-size') * scale;
    const width =
      size *
      studio.measure(text.textContent ?? '', {
        family: text.getAttribute('font-family') as 'Hanken Grotesk',
        weight: attribute('font-weight'),
        spacing: attribute('letter-spacing') / attribute('font-size'),
      });
    const x =
      dx + attribute('x') * scale - (text.getAttribute('text-anchor') === 'middle' ? width / 2 : 0);
    const y = dy + attribute('y') * scale;
    return { left: x, right: x + width, top: y - 0.95 * size, bottom: y + 0.25 * size };
  });
}

test.each(copies)('texts stay inside the share picture and do not overlap: %o', (copy) => {
  const boxes = textBoxes(shareCard(studio.measure, { ...shareCopy, ...copy }).svg);
  expect(boxes.length).toBeGreaterThanOrEqual(9);
  for (const { left, right, top, bottom } of boxes) {
    expect(left).toBeGreaterThanOrEqual(50);
    expect(right).toBeLessThanOrEqual(shareSize.width - 16);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(578);
  }
  const [brand, ...others] = boxes.toSorted((a, b) => a.top - b.top);
  expect(brand?.bottom).toBeLessThanOrEqual(118);
  for (const { top } of others) expect(top).toBeGreaterThanOrEqual(126);
});

test.each(copies)(
  'the share picture is a PNG of 1200 by 630 pixels and less than 120 kB: %o',
  (copy) => {
    const png = studio.draw('/share.png', shareCard(studio.measure, { ...shareCopy, ...copy }));
    expect(png.toString('latin1', 1, 4)).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    expect(png.length).toBeLessThan(120_000);
  },
);

test('the share picture is deterministic for its copy', async () => {
  const other = await openStudio();
  const draw = (studio: Artist, title: string) =>
    studio
      .draw('/share.png', shareCard(studio.measure, { ...shareCopy, title }))
      .toString('base64');
  expect(draw(other, 'Calm.')).toBe(draw(studio, 'Calm.'));
  expect(draw(other, 'Order.')).not.toBe(draw(studio, 'Calm.'));
});
