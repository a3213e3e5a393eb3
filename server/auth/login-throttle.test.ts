import { describe, expect, it } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import type { UsageStore } from '../rate-limit/store.ts';
import { engines, freshStores } from '../testing/engines.ts';

const throttleOn = (
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
  const throttleAt = (now: () => number) => throttleOn(stores.uses, now);
  /** Fewer attempts on PostgreSQL, where each is a query. */
  const [short, long] = engine.name === 'SQLite' ? [1000, 10_000] : [120, 300];
  const many = process.env.TEST_LONG ? long : short;

  it('login throttle allows ninety attempts an hour from any number of addresses', async () => {
    let now = 0;
    const throttle = throttleAt(() => now);
    const checkedBy = async (addresses: number) => {
      let checked = 0;
      for (let n = 0; n < addresses; n++) {
        try {
          await throttle.consume(stranger(n));
          checked += 1;
        } catch {}
      }
      return checked;
    };
    expect(await checkedBy(many)).toBe(90);
    await expect(throttle.consume(owner)).resolves.toMatchObject({ bucket: 'known' });
    now = 60 * 60_000 - 1;
    expect(await checkedBy(many)).toBe(0);
    now += 1;
    expect(await checkedBy(many)).toBe(90);
  });

  it('login throttle allows no more attempts around the end of an hour', async () => {
    let now = 0;
    const throttle = throttleAt(() => now);
    let checked = 0;
    const attempt = async (n: number, from: number) => {
      for (let i = 0; i < n; i++) {
        now = from + i;
        try {
          await throttle.consume(stranger(checked));
          checked += 1;
        } catch {}
      }
    };
    await attempt(1, 0);
    await attempt(89, 59 * 60_000);
    await attempt(100, 60 * 60_000);
    expect(checked).toBe(91);
    await attempt(100, 119 * 60_000);
    expect(checked).toBe(91 + 89);
  });

  it('login throttle does not count released attempts', async () => {
    const throttle = throttleAt(() => 0);
    for (let n = 0; n < many / 10; n++) await (await throttle.consume(stranger(n % 5))).release();
    for (let n = 0; n < many / 10; n++) await (await throttle.consume(owner)).release();
    await expect(throttle.consume(stranger(1))).resolves.toMatchObject({ bucket: 'stranger' });
    await expect(throttle.consume(owner)).resolves.toMatchObject({ bucket: 'known' });
  });

  it('login throttle does not count rejected attempts of one address against all strangers', async () => {
    const throttle = throttleAt(() => 0);
    for (let n = 0; n < 10; n++) await throttle.consume(stranger(1));
    for (let n = 0; n < many; n++)
      await expect(throttle.consume(stranger(1))).rejects.toThrow('15 minutes');
    for (let n = 0; n < 80; n++) await throttle.consume(stranger(2 + (n >> 3)));
    await expect(throttle.consume(stranger(100))).rejects.toThrow('60 minutes');
  });

  it('login throttle resets an address after the right password and keeps the count of the others', async () => {
    const throttle = throttleAt(() => 0);
    for (let n = 0; n < 89; n++) await throttle.consume(stranger(1 + (n >> 3)));
    for (let n = 0; n < 9; n++) await (await throttle.consume(stranger(50))).reset();
    await throttle.consume(stranger(60));
    await expect(throttle.consume(stranger(61))).rejects.toThrow('60 minutes');
  });
});

it('login throttle keeps the counts of a device and of all strangers through a flood of addresses', async () => {
  const throttle = throttleOn(undefined, () => 0);
  for (let n = 0; n < 10; n++) await throttle.consume(owner);
  for (let n = 0; n < 25_000; n++) {
    try {
      await throttle.consume(stranger(n));
    } catch {}
  }
  await expect(throttle.consume({ ...owner, addressBlock: '192.0.2.9' })).rejects.toThrow(
    '60 minutes',
  );
});
