/** Who waits, who is refused and who comes next while one password is checked. */
import { expect, it } from 'vitest';
import { createPasswords, hashPassword } from './password.ts';

it('checks a known browser’s next, and keeps four places for it whatever strangers do', async () => {
  const hash = await hashPassword('right', { cost: 10, rounds: 1 });
  let open = (_: unknown) => {};
  const held = new Promise((resolve) => {
    open = resolve;
  });
  const passwords = createPasswords({
    passwordHash: async () => {
      await held;
      return hash;
    },
  });
  const order: string[] = [];
  const enter = (name: string, lane: 'known' | 'stranger', password = 'wrong') =>
    passwords.match(password, lane).then(
      (found) => void order.push(`${name} ${found === hash}`),
      () => void order.push(`${name} refused`),
    );
  const all = [
    ...[0, 1, 2, 3, 4, 5].map((n) => enter(`stranger ${n}`, 'stranger')),
    ...[0, 1, 2, 3, 4].map((n) => enter(`owner ${n}`, 'known', 'right')),
  ];
  await expect
    .poll(() => order, { timeout: 20_000 })
    .toEqual(['stranger 5 refused', 'owner 4 refused']);
  open(undefined);
  await Promise.all(all);
  expect(order.slice(2)).toEqual([
    'stranger 0 false',
    ...[0, 1, 2, 3].map((n) => `owner ${n} true`),
    ...[1, 2, 3, 4].map((n) => `stranger ${n} false`),
  ]);
});

it('opens again after a check that failed', async () => {
  const passwords = createPasswords({ passwordHash: () => Promise.reject(new Error('no disk')) });
  for (let n = 0; n < 9; n++) {
    await expect(passwords.match('x', 'stranger')).rejects.toThrow('no disk');
  }
});
