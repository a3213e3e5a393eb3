import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStudio, type Studio } from '../../server/build/pictures.ts';
import { shareCard, shareSize, shareWords } from './share-card.tsx';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

const words = [
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

interface Place {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where each line of text stands in the picture. */
function placesIn(svg: string): Place[] {
  const page = new DOMParser().parseFromString(svg, 'text/html');
  return [...page.querySelectorAll('text')].map((text) => {
    const is = (name: string) => Number(text.getAttribute(name));
    const group = text.closest('g[transform*=scale]')?.getAttribute('transform') ?? '';
    const [, dx = 0, dy = 0, scale = 1] = (/\((\S+) (\S+)\) scale\((\S+)\)/.exec(group) ?? []).map(
      Number,
    );
    const size = is('font-size') * scale;
    const width =
      size *
      studio.measure(text.textContent ?? '', {
        family: text.getAttribute('font-family') as 'Hanken Grotesk',
        weight: is('font-weight'),
        spacing: is('letter-spacing') / is('font-size'),
      });
    const x =
      dx + is('x') * scale - (text.getAttribute('text-anchor') === 'middle' ? width / 2 : 0);
    const y = dy + is('y') * scale;
    return { left: x, right: x + width, top: y - 0.95 * size, bottom: y + 0.25 * size };
  });
}

test.each(words)('no text leaves the picture or lies on another: %o', (some) => {
  const places = placesIn(shareCard(studio.measure, { ...shareWords, ...some }).svg);
  expect(places.length).toBeGreaterThanOrEqual(9);
  for (const { left, right, top, bottom } of places) {
    expect(left).toBeGreaterThanOrEqual(50);
    expect(right).toBeLessThanOrEqual(shareSize.width - 16);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(578);
  }
  const [brand, ...others] = places.toSorted((a, b) => a.top - b.top);
  expect(brand?.bottom).toBeLessThanOrEqual(118);
  for (const { top } of others) expect(top).toBeGreaterThanOrEqual(126);
});

test.each(words)('the finished picture has its size, and is light: %o', (some) => {
  const png = studio.render('share.png', shareCard(studio.measure, { ...shareWords, ...some }));
  expect(png.toString('latin1', 1, 4)).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(png.length).toBeLessThan(120_000);
});

test('the same words make the same picture, others another', async () => {
  const again = await openStudio();
  const drawn = (by: Studio, title: string) =>
    by.render('share.png', shareCard(by.measure, { ...shareWords, title })).toString('base64');
  expect(drawn(again, 'Calm.')).toBe(drawn(studio, 'Calm.'));
  expect(drawn(again, 'Order.')).not.toBe(drawn(studio, 'Calm.'));
  await again.close();
});
