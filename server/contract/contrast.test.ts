import { expect, it } from 'vitest';
import { contrast, textOn } from './contrast.ts';

it('contrast computes the WCAG ratio', () => {
  expect(contrast('#000000', '#FFFFFF')).toBe(21);
  expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  expect(contrast('#FFFFFF', '#777777')).toBeCloseTo(4.48, 2);
});

it.each([
  ['#FFCF33', '#0E1B2A'],
  ['#1E3A8A', '#F7F9F8'],
  ['#000000', '#F7F9F8'],
  ['#FFFFFF', '#0E1B2A'],
  ['#8B5CF6', '#000000'],
  ['#E11D48', '#FFFFFF'],
])('text on %s is legible in %s', (colour, text) => {
  expect(textOn(colour)).toBe(text);
  expect(contrast(colour, text)).toBeGreaterThanOrEqual(4.5);
});
