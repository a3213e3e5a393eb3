import { expect, it } from 'vitest';
import { createBox } from './box.ts';

const [first, second] = ['a secret of sessions', 'another one of them'];

it('a text is decrypted by the secret that encrypted it', () => {
  const box = createBox(() => [first]);
  const bytes = box.encrypt('email', 'päss 🗝️');
  expect(bytes.includes('päss')).toBe(false);
  expect(box.decrypt('email', bytes)).toEqual({ text: 'päss 🗝️', isCurrent: true });
});

it('the same text is encrypted differently each time', () => {
  const box = createBox(() => [first]);
  expect(box.encrypt('email', 'a').equals(box.encrypt('email', 'a'))).toBe(false);
});

it('a text that an older secret encrypted is decrypted while that one is listed', () => {
  const bytes = createBox(() => [first]).encrypt('email', 'a');
  expect(createBox(() => [second, first]).decrypt('email', bytes)).toEqual({
    ...{ text: 'a', isCurrent: false },
  });
  expect(createBox(() => [second]).decrypt('email', bytes)).toBeUndefined();
});

it('a text is not decrypted under another name', () => {
  const box = createBox(() => [first]);
  expect(box.decrypt('stripe', box.encrypt('email', 'a'))).toBeUndefined();
});

it('damaged bytes are not decrypted', () => {
  const box = createBox(() => [first]);
  const bytes = box.encrypt('email', 'a');
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(box.decrypt('email', damaged)).toBeUndefined();
    expect(box.decrypt('email', bytes.subarray(0, at))).toBeUndefined();
  }
});
