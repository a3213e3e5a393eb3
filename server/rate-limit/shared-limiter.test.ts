/** Two instances on one database: what one has counted, the other knows. */
import { expect, it } from 'vitest';
import { createRateLimiters } from '../app/rate-limiters.ts';
import { freshStores, postgres } from '../testing/engines.ts';

const { stores, openBeside } = freshStores(postgres);
const passwordHash = () => stores.auth.passwordHash();
const minute = 60_000;
const allowance = { max: 20, windowMs: 10 * minute };

/** So many instances, whose clock is the test's. */
async function instances(n: number, now: () => number) {
  const opened = [stores, ...(await Promise.all(Array.from({ length: n - 1 }, openBeside)))];
  const made = opened.map(({ uses }) =>
    createRateLimiters({ uses, secret: 'ours', passwordHash, now }),
  );
  return {
    limiters: made.map(({ limiter }) => limiter),
    guesses: made.map(({ loginThrottle: guesses }) => guesses),
    close: () => Promise.all(opened.slice(1).map((one) => one.close())),
  };
}

it('adds up what an address does at all of them', async () => {
  let now = 0;
  const { limiters, close } = await instances(4, () => now);
  let taken = 0;
  for (let n = 0; n < 100; n++) {
    if ((await limiters[n % 4]?.consume('a', allowance)) === 0) taken += 1;
  }
  expect(taken).toBe(20);
  expect(limiters[0]?.consume('b', allowance)).toBe(0);
  now = 10 * minute;
  expect(await limiters[1]?.consume('a', allowance)).toBe(0);
  await close();
});

it('gives whoever has used it up at one an eighth at another, and no more', async () => {
  const { limiters, close } = await instances(2, () => 0);
  const taken = [0, 0];
  for (let n = 0; n < 60; n++) {
    const at = n < 30 ? 0 : 1;
    if ((await limiters[at]?.consume('a', allowance)) === 0) taken[at] = (taken[at] ?? 0) + 1;
  }
  expect(taken).toEqual([20, 2]);
  await close();
});

it('counts guesses of a clock that is a second ahead, and none of one that is a day ahead', async () => {
  let now = 24 * 60 * minute;
  const { guesses, close } = await instances(2, () => now);
  const guess = (n: number, address: string) =>
    guesses[n]?.consume({ addressBlock: address, device: undefined });
  for (let n = 0; n < 90; n++) await guess(0, `a ${n}`);
  now -= 1000;
  await expect(guess(1, 'b')).rejects.toThrow('minutes');
  now = 0;
  await expect(guess(1, 'c')).resolves.toMatchObject({ lane: 'stranger' });
  await close();
});

it('adds up bytes, however many come at once at each of them', async () => {
  const { limiters, close } = await instances(4, () => 0);
  const bytes = { max: 1000, windowMs: minute };
  let taken = 0;
  for (let n = 0; n < 40; n++) {
    if ((await limiters[n % 4]?.consume('a', bytes, 90)) === 0) taken += 90;
  }
  expect(taken).toBe(990);
  await close();
});

it('asks the database nothing about an address that stays far below its allowance', async () => {
  const { limiters, close } = await instances(1, () => 0);
  const before = stores.work().jobs;
  for (let n = 0; n < 2; n++) expect(limiters[0]?.consume('a', allowance)).toBe(0);
  expect(limiters[0]?.consume('b', { max: 5, windowMs: minute })).toBe(0);
  expect(stores.work().jobs).toBe(before);
  await close();
});

it('asks it no more about one that is beyond it', async () => {
  const { limiters, close } = await instances(1, () => 0);
  for (let n = 0; n < 20; n++) await limiters[0]?.consume('a', allowance);
  const before = stores.work().jobs;
  for (let n = 0; n < 100; n++)
    expect(await limiters[0]?.consume('a', allowance)).toBeGreaterThan(0);
  expect(stores.work().jobs).toBe(before);
  await close();
});

it('keeps names that nobody can read, and only as long as they count', async () => {
  let now = 0;
  const { limiters, close } = await instances(1, () => now);
  const seen: string[] = [];
  const uses = stores.uses;
  if (!uses) throw new Error('There is nothing to share.');
  const { limiter } = createRateLimiters({
    uses: {
      ...uses,
      add(key, ...rest) {
        seen.push(key);
        return uses.add(key, ...rest);
      },
    },
    secret: 'ours',
    passwordHash,
    now: () => now,
  });
  for (let n = 0; n < 10; n++) await limiter.consume('call 192.0.2.1', allowance);
  expect(new Set(seen).size).toBe(1);
  expect(seen[0]).toMatch(/^[\w-]{43}$/);
  now = 10 * minute;
  await uses.deleteExpired(now);
  expect(await uses.add(seen[0] ?? '', 1, { per: 1000, now })).toMatchObject({ used: 1 });
  expect(limiters).toHaveLength(1);
  await close();
});

it('counts every single guess of a password at all of them', async () => {
  const { guesses, close } = await instances(2, () => 0);
  const guess = (n: number, address: string) =>
    guesses[n % 2]?.consume({ addressBlock: address, device: undefined });
  for (let n = 0; n < 10; n++) await guess(n, 'a');
  await expect(guess(10, 'a')).rejects.toThrow('15 minutes');
  await expect(guess(11, 'a')).rejects.toThrow('15 minutes');
  for (let n = 0; n < 80; n++) await guess(n, `b ${n}`);
  await expect(guess(0, 'c')).rejects.toThrow('60 minutes');
  await expect(guess(1, 'd')).rejects.toThrow('60 minutes');
  await close();
});

it('adds up as many uses as come at once, each by its turn', async () => {
  const { uses } = stores;
  const window = { per: minute, now: 0 };
  const add = (key: string, n: number) => uses?.add(key, n, window);
  const answers = await Promise.all([add('a', 3), add('b', 1), add('a', 2), add('a', 1)]);
  expect(answers.map((all) => all?.used)).toEqual([3, 1, 5, 6]);
  expect(await add('a', 1)).toEqual({ used: 7, endsAt: minute });
});

it('forgets wrong passwords at all of them once one was right at one', async () => {
  const { guesses, close } = await instances(2, () => 0);
  const guess = (n: number) => guesses[n]?.consume({ addressBlock: 'a', device: undefined });
  for (let n = 0; n < 8; n++) await guess(0);
  const right = await guess(1);
  await right?.forgive();
  for (let n = 0; n < 9; n++) await guess(0);
  await expect(guess(0)).resolves.toMatchObject({ lane: 'stranger' });
  await expect(guess(0)).rejects.toThrow('15 minutes');
  await close();
});

it('does not lock anybody out when the clock of an instance was ahead', async () => {
  let now = 24 * 60 * minute;
  const { limiters, close } = await instances(2, () => now);
  for (let n = 0; n < 30; n++) await limiters[0]?.consume('a', allowance);
  now = 0;
  expect(await limiters[1]?.consume('a', allowance)).toBe(0);
  for (let n = 0; n < 10; n++) expect(await limiters[1]?.consume('a', allowance)).toBe(0);
  await close();
});

it('counts no guess that was refused since the database was away', async () => {
  let isAway = true;
  const { uses } = stores;
  if (uses === undefined) throw new Error('there is but one instance');
  const { loginThrottle: guesses } = createRateLimiters({
    uses: {
      ...uses,
      add: (...use) => (isAway ? Promise.reject(new Error('away')) : uses.add(...use)),
    },
    secret: 'ours',
    passwordHash,
    now: () => 0,
  });
  for (const device of [undefined, 'mine']) {
    const guess = () => guesses.consume({ addressBlock: 'a', device });
    isAway = true;
    for (let n = 0; n < 15; n++) await expect(guess()).rejects.toThrow('away');
    isAway = false;
    const lane = device === undefined ? 'stranger' : 'known';
    for (let n = 0; n < 10; n++) await expect(guess()).resolves.toMatchObject({ lane });
  }
});
