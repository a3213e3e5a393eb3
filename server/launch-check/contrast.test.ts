import { expect, it } from 'vitest';
import { system } from '../../src/theme/theme.ts';
import { site } from '../testing/sample-config.ts';
import { colourFindings, contrast, themeColours } from './contrast.ts';

const { colours } = site;

it('contrast computes the WCAG ratio', () => {
  expect(contrast('#000000', '#FFFFFF')).toBe(21);
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  expect(contrast('#FFFFFF', '#777777')).toBeCloseTo(4.48, 2);
});

it('the sample colours have no findings', () => {
  expect(colourFindings(colours)).toEqual([]);
});

it('the colours to compare with equal those of the theme', () => {
  const inTheme = (name: string) => {
    const conditions = system.tokens.getByName(`colors.${name}`)?.extensions.conditions;
    return { light: conditions?.base, dark: conditions?._dark };
  };
  expect(themeColours).toEqual({
    page: inTheme('bg'),
    tinted: inTheme('bg.tint'),
    inverted: inTheme('bg.inverted'),
    primaryText: inTheme('primary.text'),
  });
});

const line = (light: string, dark: string) => ({
  ...colours,
  lines: { ...colours.lines, management: { light, dark } },
});

it.each([
  [
    line('#F2B90C', '#86A8FF'),
    'colours.lines.management.light is #F2B90C, hard to see against the tinted background (#E6EDEB): its contrast is 1.5, and 4.5 is needed. Make it darker.',
  ],
  [
    // Lighter than the background, but even white has too little contrast to it.
    line('#FFF000', '#86A8FF'),
    /^colours\.lines\.management\.light is #FFF000, .* Make it darker\.$/,
  ],
  [
    // Darker than its text, but even black has too little contrast to it.
    { ...colours, primary: { ...colours.primary, light: '#000000' } },
    /^colours\.primary\.light is #000000, .* Make it lighter\.$/,
  ],
  [
    line('#1D4ED8', '#1D4ED8'),
    /^colours\.lines\.management\.dark is #1D4ED8, hard to see against .*Make it lighter\.$/,
  ],
  [
    { ...colours, primary: { ...colours.primary, light: '#7A3B9A' } },
    /^colours\.primary\.light is #7A3B9A, hard to see against its own text \(#0E1B2A\): .* Make it lighter\.$/,
  ],
  [
    { ...colours, primaryHover: { light: '#5A5A00', dark: '#F2B90C' } },
    /^colours\.primaryHover\.light is #5A5A00, .* Make it lighter\.$/,
  ],
])('the launch check reports a colour with too little contrast: case %#', (changed, sentence) => {
  const sentences = colourFindings(changed).map(({ where, text }) => `${where} ${text}`);
  expect(sentences).toEqual([
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ]);
});
