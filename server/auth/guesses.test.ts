import { expect, it } from 'vitest';
import { createGuesses } from './guesses.ts';

const stranger = (n: number) => ({ addressBlock: `10.0.${n >> 8}.${n & 255}`, device: undefined });
const owner = { addressBlock: '192.0.2.1', device: 'laptop' };

it('lets ten thousand addresses guess ninety times an hour, not more', () => {
  let now = 0;
  const guesses = createGuesses(() => now);
  const checkedBy = (addresses: number) => {
    let checked = 0;
    for (let n = 0; n < addresses; n++) {
      try {
        guesses.take(stranger(n));
        checked += 1;
      } catch {}
    }
    return checked;
  };
  expect(checkedBy(10_000)).toBe(90);
  expect(guesses.take(owner).lane).toBe('known');
  now = 60 * 60_000 - 1;
  expect(checkedBy(10_000)).toBe(0);
  now += 1;
  expect(checkedBy(10_000)).toBe(90);
});

it('lets no more through around the end of an hour', () => {
  let now = 0;
  const guesses = createGuesses(() => now);
  let checked = 0;
  const tries = (n: number, from: number) => {
    for (let i = 0; i < n; i++) {
      now = from + i;
      try {
        guesses.take(stranger(checked));
        checked += 1;
      } catch {}
    }
  };
  tries(1, 0);
  tries(89, 59 * 60_000);
  tries(1000, 60 * 60_000);
  expect(checked).toBe(91);
  tries(1000, 119 * 60_000);
  expect(checked).toBe(91 + 89);
});

it('does not count what was not checked', () => {
  const guesses = createGuesses(() => 0);
  for (let n = 0; n < 1000; n++) guesses.take(stranger(n % 5)).undo();
  for (let n = 0; n < 1000; n++) guesses.take(owner).undo();
  expect(guesses.take(stranger(1)).lane).toBe('stranger');
  expect(guesses.take(owner).lane).toBe('known');
});

it('does not use up the others’ tries with one address’s', () => {
  const guesses = createGuesses(() => 0);
  for (let n = 0; n < 10; n++) guesses.take(stranger(1));
  for (let n = 0; n < 200; n++) expect(() => guesses.take(stranger(1))).toThrow('15 minutes');
  for (let n = 0; n < 80; n++) guesses.take(stranger(2 + (n >> 3)));
  expect(() => guesses.take(stranger(100))).toThrow('60 minutes');
});

it('begins anew after the right password, and leaves the others’ count', () => {
  const guesses = createGuesses(() => 0);
  for (let n = 0; n < 89; n++) guesses.take(stranger(1 + (n >> 3)));
  for (let n = 0; n < 9; n++) guesses.take(stranger(50)).forgive();
  guesses.take(stranger(60));
  expect(() => guesses.take(stranger(61))).toThrow('60 minutes');
});

it('remembers a device and the sum of all through a flood of addresses', () => {
  const guesses = createGuesses(() => 0);
  for (let n = 0; n < 10; n++) guesses.take(owner);
  for (let n = 0; n < 50_000; n++) {
    try {
      guesses.take(stranger(n));
    } catch {}
  }
  expect(() => guesses.take({ ...owner, addressBlock: '192.0.2.9' })).toThrow('60 minutes');
});
