import { expect, test } from 'vitest';
import type { Face } from '../../server/contract/pictures.ts';
import { type Box, fitText } from './fit-text.ts';

const face: Face = { family: 'Hanken Grotesk', weight: 600, spacing: 0 };
/** Every character is half an em wide. */
const measure = (text: string) => [...text].length / 2;
const box: Box = { width: 100, height: 44, largest: 20, smallest: 10, lineHeight: 1.1 };
const inBox = (text: string, other: Partial<Box> = {}) =>
  fitText(text, face, { ...box, ...other }, measure);

test('a short text has the largest font size', () => {
  expect(inBox('Calm')).toEqual({ lines: ['Calm'], size: 20 });
});

test('a longer text is wrapped into lines of about equal length', () => {
  expect(inBox('one two x y')).toEqual({ lines: ['one two', 'x y'], size: 20 });
});

test('a text that does not fit gets a smaller font size', () => {
  const { lines, size } = inBox('a dozen words that are too long for it');
  expect(size).toBeLessThan(20);
  expect(lines.length * size * 1.1).toBeLessThanOrEqual(44.5);
});

test('a long word reduces the font size and is broken only at the smallest one', () => {
  expect(inBox('Donauschifffahrt').lines).toEqual(['Donauschifffahrt']);
  expect(inBox('Donauschifffahrt').size).toBe(12);
  expect(inBox('Donauschifffahrtsgesellschaft')).toEqual({
    lines: ['Donauschifffahrtsges', 'ellschaft'],
    size: 10,
  });
});

test('a text that is too long at the smallest size ends in an ellipsis', () => {
  const { lines } = inBox('word '.repeat(40));
  expect(lines).toHaveLength(4);
  expect(lines.at(-1)).toMatch(/^word.*…$/);
  for (const line of lines) expect(measure(line) * 10).toBeLessThanOrEqual(100);
});

test('an empty text is one empty line', () => {
  expect(inBox('')).toEqual({ lines: [''], size: 20 });
});
