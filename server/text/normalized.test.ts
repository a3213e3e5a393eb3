import { expect, it } from 'vitest';
import { normalized } from './normalized.ts';

it.each([
  ['Ⓥⓘⓐ https：／／x', 'Via https://x'],
  ['e\u0301le\u0300ve', 'élève'],
  ['ก็ด้้้้้้้้', 'ก็ด้้้้้้้้'],
])('%s is normalized as %s', (text, plain) => expect(normalized(text)).toBe(plain));

it('thousands of marks on a letter, which would hold up the server for seconds, are cut to thirty', () => {
  const text = `a${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}b`;
  expect(normalized(text)).toHaveLength(31);
});
