import { expect, test } from 'vitest';
import { rendered } from '../testing/rendered.tsx';
import { WholeWords } from './whole-words.tsx';

const html = (text: string) => rendered(<WholeWords>{text}</WholeWords>);

test('short words keep the font size of their heading', () => {
  expect(html('Your business, untangled.')).toBe('Your business, untangled.');
});

test('a long word gets a smaller font size instead of a break', () => {
  expect(html('Infrastructure for entrepreneurs')).toContain('<span');
});

test('a hyphen is a line break opportunity', () => {
  expect(html('Three-in-the-morning calls')).toBe('Three-in-the-morning calls');
});
