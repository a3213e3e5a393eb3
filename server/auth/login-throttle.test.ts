import { describe, expect, it } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import type { UsageStore } from '../rate-limit/shared-limiter.ts';
import { engines, freshStores } from '../testing/engines.ts';

const guessesOn = (
  uses: UsageStore | undefined,
  now: () => number,
  passwordHash = async (): Promise<string | undefined> => 'hash',
) =>
  createRateLimiters({ uses, secret: 'a secret of all instances', passwordHash, now })
    .loginThrottle;

const stranger = (n: number) => ({ addressBlock: `10.0.${n >> 8}.${n & 255}`, device: undefined });
const owner = { addressBlock: '192.0.2.1', device: 'laptop' };

describe.each(engines)('on $name', (engine) => {
  const { stores } = freshStores(engine);
  const guessesAt = (now: () => number) => guessesOn(stores.uses, now);
  /** Each of them asks the disk where instances count together. */
  const [short, long] = engine.name === 'SQLite' ? [1000, 10_000] : [120, 300];
  const many = process.env.TEST_LONG ? long : short;

  it('lets any number of addresses guess ninety times an hour, not more', async () => {
    let now = 0;
    const guesses = guessesAt(() => now);
    const checkedBy = async (addresses: number) => {
      let checked = 0;
      for (let n = 0; n < addresses; n++) {
        try {
          await guesses.consume(stranger(n));
          checked += 1;
        } catch {}
      }
      return checked;
    };
    expect(await checkedBy(many)).toBe(90);
    await expect(guesses.consume(owner)).resolves.toMatchObject({ lane: 'known' });
    now = 60 * 60_000 - 1;
    expect(await checkedBy(many)).toBe(0);
    now += 1;
    expect(await checkedBy(many)).toBe(90);
  });

  it('lets no more through around the end of an hour', async () => {
    let now = 0;
    const guesses = guessesAt(() => now);
    let checked = 0;
    const tries = async (n: number, from: number) => {
      for (let i = 0; i < n; i++) {
        now = from + i;
        try {
          await guesses.consume(stranger(checked));
          checked += 1;
        } catch {}
      }
    };
    await tries(1, 0);
    await tries(89, 59 * 60_000);
    await tries(100, 60 * 60_000);
    expect(checked).toBe(91);
    await tries(100, 119 * 60_000);
    expect(checked).toBe(91 + 89);
  });

  it('does not count what was not checked', async () => {
    const guesses = guessesAt(() => 0);
    for (let n = 0; n < many / 10; n++) await (await guesses.consume(stranger(n % 5))).undo();
    for (let n = 0; n < many / 10; n++) await (await guesses.consume(owner)).undo();
    await expect(guesses.consume(stranger(1))).resolves.toMatchObject({ lane: 'stranger' });
    await expect(guesses.consume(owner)).resolves.toMatchObject({ lane: 'known' });
  });

  it('does not use up the others’ tries with one address’s', async () => {
    const guesses = guessesAt(() => 0);
    for (let n = 0; n < 10; n++) await guesses.consume(stranger(1));
    for (let n = 0; n < many; n++)
      await expect(guesses.consume(stranger(1))).rejects.toThrow('15 minutes');
    for (let n = 0; n < 80; n++) await guesses.consume(stranger(2 + (n >> 3)));
    await expect(guesses.consume(stranger(100))).rejects.toThrow('60 minutes');
  });

  it('begins anew after the right password, and leaves the others’ count', async () => {
    const guesses = guessesAt(() => 0);
    for (let n = 0; n < 89; n++) await guesses.consume(stranger(1 + (n >> 3)));
    for (let n = 0; n < 9; n++) await (await guesses.consume(stranger(50))).forgive();
    await guesses.consume(stranger(60));
    await expect(guesses.consume(stranger(61))).rejects.toThrow('60 minutes');
  });
});

it('remembers a device and the sum of all through a flood of addresses', async () => {
  const guesses = guessesOn(undefined, () => 0);
  for (let n = 0; n < 10; n++) await guesses.consume(owner);
  for (let n = 0; n < 25_000; n++) {
    try {
      await guesses.consume(stranger(n));
    } catch {}
  }
  await expect(guesses.consume({ ...owner, addressBlock: '192.0.2.9' })).rejects.toThrow(
    '60 minutes',
  );
});
