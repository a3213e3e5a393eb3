/** The queue of logins that wait while one password is checked. */
import { expect, it } from 'vitest';
import { createPasswords, hashPassword } from './password.ts';

it('password queue checks known devices before strangers and lets four logins of each wait', async () => {
  const hash = await hashPassword('right', { cost: 10, rounds: 1 });
  let unblock = (_: unknown) => {};
  const blocked = new Promise((resolve) => {
    unblock = resolve;
  });
  const passwords = createPasswords({
    passwordHash: async () => {
      await blocked;
      return hash;
    },
    replacePasswordHash: async () => true,
  });
  const order: string[] = [];
  const logIn = (name: string, bucket: 'known' | 'stranger', password = 'wrong') =>
    passwords.match(password, bucket).then(
      (found) => void order.push(`${name} ${found === hash}`),
      () => void order.push(`${name} refused`),
    );
  const all = [
    ...[0, 1, 2, 3, 4, 5].map((n) => logIn(`stranger ${n}`, 'stranger')),
    ...[0, 1, 2, 3, 4].map((n) => logIn(`owner ${n}`, 'known', 'right')),
  ];
  await expect
    .poll(() => order, { timeout: 20_000 })
    .toEqual(['stranger 5 refused', 'owner 4 refused']);
  unblock(undefined);
  await Promise.all(all);
  expect(order.slice(2)).toEqual([
    'stranger 0 false',
    ...[0, 1, 2, 3].map((n) => `owner ${n} true`),
    ...[1, 2, 3, 4].map((n) => `stranger ${n} false`),
  ]);
});

it('password queue continues after a check that failed', async () => {
  const noDisk = () => Promise.reject(new Error('no disk'));
  const store = { passwordHash: noDisk, replacePasswordHash: noDisk };
  const passwords = createPasswords(store);
  for (let n = 0; n < 9; n++) {
    await expect(passwords.match('x', 'stranger')).rejects.toThrow('no disk');
  }
});
