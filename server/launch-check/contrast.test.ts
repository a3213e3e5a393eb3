import { expect, it } from 'vitest';
import { system } from '../../src/theme/theme.ts';
import { site } from '../testing/sample-config.ts';
import { colourFindings, contrast, grounds } from './contrast.ts';

const { colours } = site;

it('computes the ratio of WCAG', () => {
  expect(contrast('#000000', '#FFFFFF')).toBe(21);
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  expect(contrast('#FFFFFF', '#777777')).toBeCloseTo(4.48, 2);
});

it('has nothing to say about the colours of the samples', () => {
  expect(colourFindings(colours)).toEqual([]);
});

it('knows the grounds of the theme', () => {
  const inTheme = (name: string) => {
    const conditions = system.tokens.getByName(`colors.${name}`)?.extensions.conditions;
    return { light: conditions?.base, dark: conditions?._dark };
  };
  expect(grounds).toEqual({
    paper: inTheme('bg'),
    tint: inTheme('bg.tint'),
    ink: inTheme('bg.ink'),
    signText: inTheme('sign.ink'),
  });
});

const line = (light: string, dark: string) => ({
  ...colours,
  lines: { ...colours.lines, management: { light, dark } },
});

it.each([
  [
    line('#F2B90C', '#86A8FF'),
    'colours.lines.management.light is #F2B90C, hard to see against the tinted paper (#E6EDEB): its contrast is 1.5, and 4.5 is needed. Make it darker.',
  ],
  [
    line('#1D4ED8', '#1D4ED8'),
    /^colours\.lines\.management\.dark is #1D4ED8, hard to see against .*Make it lighter\.$/,
  ],
  [
    { ...colours, sign: { ...colours.sign, light: '#7A3B9A' } },
    /^colours\.sign\.light is #7A3B9A, hard to see against its own text \(#0E1B2A\): .* Make it lighter\.$/,
  ],
  [
    { ...colours, signHover: { light: '#5A5A00', dark: '#F2B90C' } },
    /^colours\.signHover\.light is #5A5A00, .* Make it lighter\.$/,
  ],
])('names a colour that cannot be read: case %#', (changed, sentence) => {
  const sentences = colourFindings(changed).map(({ where, text }) => `${where} ${text}`);
  expect(sentences).toEqual([
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ]);
});
