import { expect, test } from 'vitest';
import { rendered } from '../testing/rendered.tsx';
import { WholeWords } from './whole-words.tsx';

const html = (words: string) => rendered(<WholeWords>{words}</WholeWords>);

test('short words take the size of their heading', () => {
  expect(html('Your business, untangled.')).toBe('Your business, untangled.');
});

test('a long word is not broken in the middle: the letters are as small as it needs', () => {
  expect(html('Infrastructure for entrepreneurs')).toContain('<span');
});

test('a hyphen is a place to break', () => {
  expect(html('Three-in-the-morning calls')).toBe('Three-in-the-morning calls');
});
