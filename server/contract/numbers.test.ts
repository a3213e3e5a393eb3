import { expect, it } from 'vitest';
import { formatNumber, inMegabytes, pluralize } from './numbers.ts';

it.each([
  [0, '0'],
  [1234, '1,234'],
  [12345678, '12,345,678'],
])('formatNumber formats %s', (n, text) => expect(formatNumber(n)).toBe(text));

it('count has its noun in singular or plural', () => {
  expect([0, 1, 1234].map((n) => pluralize(n, 'sale'))).toEqual([
    '0 sales',
    '1 sale',
    '1,234 sales',
  ]);
  expect(pluralize(2, 'reply', 'replies')).toBe('2 replies');
});

it('bytes are in megabytes with one decimal', () => {
  expect([0, 4_404_019].map(inMegabytes)).toEqual(['0.0 MB', '4.2 MB']);
});
