import { expect, test } from 'vitest';
import { keysAfter } from './entry-keys.ts';

const [a, b, c] = [{ text: 'a' }, { text: 'b' }, { text: 'c' }];
const known = { entries: [a, b, c], keys: [0, 1, 2] };

test.each([
  ['edited', [a, { text: 'B' }, c], [0, 1, 2]],
  ['moved', [c, a, b], [2, 0, 1]],
  ['removed', [a, c], [0, 2]],
  ['added', [a, b, c, { text: 'd' }], [0, 1, 2, 3]],
  [
    'moved by another tab while one is edited here',
    [{ text: 'b' }, { text: 'A' }, { text: 'c' }],
    [1, 3, 2],
  ],
])('entries keep their keys when one is %s', (_, entries, keys) => {
  expect(keysAfter(known, entries)).toEqual(keys);
});

test('equal entries have keys of their own', () => {
  const twins = { entries: [{ text: '' }, { text: '' }], keys: [0, 1] };
  expect(keysAfter(twins, [{ text: '' }, { text: '' }, { text: '' }])).toEqual([0, 1, 2]);
});
