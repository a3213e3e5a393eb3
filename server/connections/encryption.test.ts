import { expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const [first, second] = ['a secret of sessions', 'another one of them'];

it('a text is decrypted by the secret that encrypted it', () => {
  const encryption = createEncryption(() => [first]);
  const bytes = encryption.encrypt('email', 'päss 🗝️');
  expect(bytes.includes('päss')).toBe(false);
  expect(encryption.decrypt('email', bytes)).toEqual({ text: 'päss 🗝️', isCurrent: true });
});

it('the same text is encrypted differently each time', () => {
  const encryption = createEncryption(() => [first]);
  expect(encryption.encrypt('email', 'a').equals(encryption.encrypt('email', 'a'))).toBe(false);
});

it('a text that an older secret encrypted is decrypted while that one is listed', () => {
  const bytes = createEncryption(() => [first]).encrypt('email', 'a');
  expect(createEncryption(() => [second, first]).decrypt('email', bytes)).toEqual({
    ...{ text: 'a', isCurrent: false },
  });
  expect(createEncryption(() => [second]).decrypt('email', bytes)).toBeUndefined();
});

it('a text is not decrypted under another name', () => {
  const encryption = createEncryption(() => [first]);
  expect(encryption.decrypt('stripe', encryption.encrypt('email', 'a'))).toBeUndefined();
});

it('damaged bytes are not decrypted', () => {
  const encryption = createEncryption(() => [first]);
  const bytes = encryption.encrypt('email', 'a');
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(encryption.decrypt('email', damaged)).toBeUndefined();
    expect(encryption.decrypt('email', bytes.subarray(0, at))).toBeUndefined();
  }
});
