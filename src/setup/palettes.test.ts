import { expect, test } from 'vitest';
import { minTextContrast } from '../../server/contract/contrast.ts';
import { site } from '../../site.config.ts';
import { coloursFrom, contrastOf, palettes } from './palettes.ts';

test.each(Object.keys(palettes))('the lines of the set %s are readable in both modes', (name) => {
  const { light, dark } = contrastOf(palettes[name] ?? expect.fail());
  expect(Math.min(light, dark)).toBeGreaterThanOrEqual(minTextContrast);
});

test('the first set has the colours of a fresh site', () => {
  expect(Object.values(palettes)[0]).toEqual(site.colours);
});

test.each(['#FFFFFF', '#000000', '#FFFF00', '#0000FF', '#808080', '#1D4ED8', '#FFCC66'])(
  'a set made of %s is readable in both modes, and its buttons have that colour',
  (colour) => {
    const colours = coloursFrom(colour);
    const { light, dark } = contrastOf(colours);
    expect(Math.min(light, dark)).toBeGreaterThanOrEqual(minTextContrast);
    expect(colours.primary).toEqual({ light: colour, dark: colour });
    const values = JSON.stringify(colours).match(/"#[^"]*"/g) ?? [];
    expect(values).toHaveLength(10);
    for (const value of values) expect(value).toMatch(/^"#[0-9A-F]{6}"$/);
  },
);

test('a colour that is readable on paper is that of the first line', () => {
  expect(coloursFrom('#1D4ED8').lines.management.light).toBe('#1D4ED8');
});
