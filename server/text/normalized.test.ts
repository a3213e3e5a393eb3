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

it('marks on a letter are cut also when every second is a letter that NFKC makes a mark', () => {
  const uncut = [];
  for (let code = 0; code <= 0x10_ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!/^\p{M}/u.test(character.normalize('NFKD'))) continue;
    const text = normalized(`a${`\u0301${character}`.repeat(40)}`);
    // One of thirty can become two.
    if (/\p{M}{61}/u.test(text.normalize('NFKD'))) uncut.push(code.toString(16));
  }
  expect(uncut).toEqual([]);
});
