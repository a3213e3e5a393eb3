/** Rate limits of several instances that share one database. */
import { expect, it } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import { freshStores, postgres } from '../testing/engines.ts';

const { stores, openBeside } = freshStores(postgres);
const passwordHash = () => stores.auth.passwordHash();
const minute = 60_000;
const quota = { max: 20, windowMs: 10 * minute };

/** Opens `n` instances with the test's clock. */
async function openInstances(n: number, now: () => number) {
  const opened = [stores, ...(await Promise.all(Array.from({ length: n - 1 }, openBeside)))];
  const made = opened.map(({ uses }) =>
    createRateLimiters({ uses, secret: 'ours', passwordHash, now }),
  );
  return {
    limiters: made.map(({ limiter }) => limiter),
    throttles: made.map(({ loginThrottle }) => loginThrottle),
    close: () => Promise.all(opened.slice(1).map((one) => one.close())),
  };
}

it('shared rate limiter adds up the uses of a key at all instances', async () => {
  let now = 0;
  const { limiters, close } = await openInstances(4, () => now);
  let allowed = 0;
  for (let n = 0; n < 100; n++) {
    if ((await limiters[n % 4]?.consume('a', quota)) === 0) allowed += 1;
  }
  expect(allowed).toBe(20);
  expect(limiters[0]?.consume('b', quota)).toBe(0);
  now = 10 * minute;
  expect(await limiters[1]?.consume('a', quota)).toBe(0);
  await close();
});

it('shared rate limiter allows an eighth of the quota at a second instance after it is used up at the first', async () => {
  const { limiters, close } = await openInstances(2, () => 0);
  const allowed = [0, 0];
  for (let n = 0; n < 60; n++) {
    const at = n < 30 ? 0 : 1;
    if ((await limiters[at]?.consume('a', quota)) === 0) allowed[at] = (allowed[at] ?? 0) + 1;
  }
  expect(allowed).toEqual([20, 2]);
  await close();
});

it('login throttle counts attempts dated a second ahead and ignores attempts dated a day ahead', async () => {
  let now = 24 * 60 * minute;
  const { throttles, close } = await openInstances(2, () => now);
  const attempt = (n: number, address: string) =>
    throttles[n]?.consume({ addressBlock: address, device: undefined });
  for (let n = 0; n < 90; n++) await attempt(0, `a ${n}`);
  now -= 1000;
  await expect(attempt(1, 'b')).rejects.toThrow('minutes');
  now = 0;
  await expect(attempt(1, 'c')).resolves.toMatchObject({ bucket: 'stranger' });
  await close();
});

it('shared rate limiter adds up bytes that are consumed in large steps at each instance', async () => {
  const { limiters, close } = await openInstances(4, () => 0);
  const bytes = { max: 1000, windowMs: minute };
  let allowed = 0;
  for (let n = 0; n < 40; n++) {
    if ((await limiters[n % 4]?.consume('a', bytes, 90)) === 0) allowed += 90;
  }
  expect(allowed).toBe(990);
  await close();
});

it('shared rate limiter does not query the database for a key far below its quota', async () => {
  const { limiters, close } = await openInstances(1, () => 0);
  const before = stores.work().writes;
  for (let n = 0; n < 2; n++) expect(limiters[0]?.consume('a', quota)).toBe(0);
  expect(limiters[0]?.consume('b', { max: 5, windowMs: minute })).toBe(0);
  expect(stores.work().writes).toBe(before);
  await close();
});

it('shared rate limiter does not query the database for a key that has exceeded its quota', async () => {
  const { limiters, close } = await openInstances(1, () => 0);
  for (let n = 0; n < 20; n++) await limiters[0]?.consume('a', quota);
  const before = stores.work().writes;
  for (let n = 0; n < 100; n++) expect(await limiters[0]?.consume('a', quota)).toBeGreaterThan(0);
  expect(stores.work().writes).toBe(before);
  await close();
});

it('shared rate limiter stores hashed keys and deletes them when their window has ended', async () => {
  let now = 0;
  const { limiters, close } = await openInstances(1, () => now);
  const storedKeys: string[] = [];
  const uses = stores.uses;
  if (!uses) throw new Error('The store shares no counts.');
  const { limiter } = createRateLimiters({
    uses: {
      ...uses,
      add(key, ...rest) {
        storedKeys.push(key);
        return uses.add(key, ...rest);
      },
    },
    secret: 'ours',
    passwordHash,
    now: () => now,
  });
  for (let n = 0; n < 10; n++) await limiter.consume('call 192.0.2.1', quota);
  expect(new Set(storedKeys).size).toBe(1);
  expect(storedKeys[0]).toMatch(/^[\w-]{43}$/);
  now = 10 * minute;
  await uses.deleteExpired(now);
  expect(await uses.add(storedKeys[0] ?? '', 1, { windowMs: 1000, now })).toMatchObject({
    used: 1,
  });
  expect(limiters).toHaveLength(1);
  await close();
});

it('login throttle counts every attempt at all instances', async () => {
  const { throttles, close } = await openInstances(2, () => 0);
  const attempt = (n: number, address: string) =>
    throttles[n % 2]?.consume({ addressBlock: address, device: undefined });
  for (let n = 0; n < 10; n++) await attempt(n, 'a');
  await expect(attempt(10, 'a')).rejects.toThrow('15 minutes');
  await expect(attempt(11, 'a')).rejects.toThrow('15 minutes');
  for (let n = 0; n < 80; n++) await attempt(n, `b ${n}`);
  await expect(attempt(0, 'c')).rejects.toThrow('60 minutes');
  await expect(attempt(1, 'd')).rejects.toThrow('60 minutes');
  await close();
});

it('usage store adds concurrent uses in order', async () => {
  const { uses } = stores;
  const window = { windowMs: minute, now: 0 };
  const add = (key: string, n: number) => uses?.add(key, n, window);
  const usages = await Promise.all([add('a', 3), add('b', 1), add('a', 2), add('a', 1)]);
  expect(usages.map((usage) => usage?.used)).toEqual([3, 1, 5, 6]);
  expect(await add('a', 1)).toEqual({ used: 7, endsAt: minute });
});

it('login throttle resets an address at all instances after the right password at one', async () => {
  const { throttles, close } = await openInstances(2, () => 0);
  const attempt = (n: number) => throttles[n]?.consume({ addressBlock: 'a', device: undefined });
  for (let n = 0; n < 8; n++) await attempt(0);
  const right = await attempt(1);
  await right?.reset();
  for (let n = 0; n < 9; n++) await attempt(0);
  await expect(attempt(0)).resolves.toMatchObject({ bucket: 'stranger' });
  await expect(attempt(0)).rejects.toThrow('15 minutes');
  await close();
});

it('shared rate limiter does not lock a key out when the clock of an instance was ahead', async () => {
  let now = 24 * 60 * minute;
  const { limiters, close } = await openInstances(2, () => now);
  for (let n = 0; n < 30; n++) await limiters[0]?.consume('a', quota);
  now = 0;
  expect(await limiters[1]?.consume('a', quota)).toBe(0);
  for (let n = 0; n < 10; n++) expect(await limiters[1]?.consume('a', quota)).toBe(0);
  await close();
});

it('login throttle does not count attempts that failed while the database was unavailable', async () => {
  let isUnavailable = true;
  const { uses } = stores;
  if (!uses) throw new Error('The store shares no counts.');
  const { loginThrottle } = createRateLimiters({
    uses: {
      ...uses,
      add: (...use) => (isUnavailable ? Promise.reject(new Error('away')) : uses.add(...use)),
    },
    secret: 'ours',
    passwordHash,
    now: () => 0,
  });
  for (const device of [undefined, 'mine']) {
    const attempt = () => loginThrottle.consume({ addressBlock: 'a', device });
    isUnavailable = true;
    for (let n = 0; n < 15; n++) await expect(attempt()).rejects.toThrow('away');
    isUnavailable = false;
    const bucket = device === undefined ? 'stranger' : 'known';
    for (let n = 0; n < 10; n++) await expect(attempt()).resolves.toMatchObject({ bucket });
  }
});
