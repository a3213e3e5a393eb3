import { expect, it } from 'vitest';
import { system } from '../../src/theme/theme.ts';
import { backgrounds } from '../contract/contrast.ts';
import { site } from '../testing/sample-config.ts';
import { colourFindings } from './colours.ts';

const { colours } = site;

it('the sample colours have no findings', () => {
  expect(colourFindings(colours)).toEqual([]);
});

it('a primary colour has no finding, because its text follows from it', () => {
  const primary = { light: '#1E3A8A', dark: '#808080' };
  expect(colourFindings({ ...colours, primary, primaryHover: primary })).toEqual([]);
});

it('the colours to compare with equal those of the theme', () => {
  const inTheme = (name: string) => {
    const conditions = system.tokens.getByName(`colors.${name}`)?.extensions.conditions;
    return { light: conditions?.base, dark: conditions?._dark };
  };
  const [page, tinted, inverted] = ['bg', 'bg.tint', 'bg.inverted'].map(inTheme);
  const colours = (mode: 'light' | 'dark') => backgrounds[mode].map(({ colour }) => colour);
  expect(colours('light')).toEqual([page?.light, tinted?.light]);
  // The sections that are dark in both modes.
  expect(colours('dark')).toEqual([page?.dark, tinted?.dark, inverted?.light, inverted?.dark]);
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
    line('#1D4ED8', '#1D4ED8'),
    /^colours\.lines\.management\.dark is #1D4ED8, hard to see against .*Make it lighter\.$/,
  ],
])('the launch check reports a colour with too little contrast: case %#', (changed, sentence) => {
  const sentences = colourFindings(changed).map(({ where, text }) => `${where} ${text}`);
  expect(sentences).toEqual([
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ]);
});
