import { expect, it } from 'vitest';
import { freshStores } from '../testing/engines.ts';
import { hourMs } from '../time/units.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import type { KeyStore } from './store.ts';

const { stores, openBeside } = freshStores();

it('an API key is accepted while its use cannot be stored, which the next use tries again', async () => {
  const attempts: ((error: Error) => void)[] = [];
  const keys = createApiKeys({
    store: {
      ...stores.keys,
      // A disk that hangs, then fails.
      setUsedAt: () => new Promise<void>((_, reject) => attempts.push(reject)),
    },
    conversionKey: undefined,
    now: () => 1,
  });
  const { id, key } = await keys.create({ name: 'Zapier', scopes: ['read:bookings'] });
  for (let n = 0; n < 3; n++) expect(await keys.match(key)).toMatchObject({ id });
  expect(attempts).toHaveLength(1);
  attempts[0]?.(new Error('disk I/O error'));
  await expect.poll(() => keys.match(key).then(() => attempts.length)).toBe(2);
});

it('a flood of wrong API keys reads the list of keys once a second', async () => {
  let clock = 1;
  let reads = 0;
  const counted =
    <Args extends unknown[], Result>(read: (...args: Args) => Result) =>
    (...args: Args) => {
      reads += 1;
      return read(...args);
    };
  const { all, find } = stores.keys;
  const keys = createApiKeys({
    store: { ...stores.keys, all: counted(all), find: counted(find) },
    conversionKey: undefined,
    now: () => clock,
  });
  const { key } = await keys.create({ name: 'Zapier', scopes: ['read:bookings'] });
  const flood = async () => {
    reads = 0;
    for (let n = 0; n < 50; n++) {
      const wrong = key.slice(0, -2) + String(n).padStart(2, '0');
      if (wrong !== key) expect(await keys.match(wrong, { isThrottled: true })).toBeUndefined();
      await keys.hasAny('write:conversions');
    }
    return reads;
  };
  expect(await flood()).toBe(1);
  expect(await flood()).toBe(0);
  clock += 1000;
  expect(await flood()).toBe(1);
  const second = await keys.create({ name: 'Make', scopes: ['read:bookings'] });
  expect(await keys.match(second.key, { isThrottled: true })).toMatchObject({ id: second.id });
  await keys.revoke(second.id);
  expect(await keys.match(second.key, { isThrottled: true })).toBeUndefined();
});

it('the last use of an API key is stored again after the clock was set back', async () => {
  let clock = 30 * hourMs;
  const keys = createApiKeys({ store: stores.keys, conversionKey: undefined, now: () => clock });
  const { id, key } = await keys.create({ name: 'Zapier', scopes: ['read:bookings'] });
  const usedAt = async () => (await keys.list()).find((one) => one.id === id)?.usedAt;
  for (const hours of [30, 6]) {
    clock = hours * hourMs;
    await keys.match(key);
    await expect.poll(usedAt).toBe(hours * hourMs);
  }
});

it('a failed read of the keys is not cached', async () => {
  let isLost = true;
  const all = () => (isLost ? Promise.reject(new Error('lost')) : stores.keys.all());
  const store = { ...stores.keys, all };
  const keys = createApiKeys({ store, conversionKey: undefined, now: () => 0 });
  await expect(keys.hasAny('read:bookings')).rejects.toThrow('lost');
  isLost = false;
  await keys.hasAny('read:bookings');
});

/** Calls `use` with the services of two instances. The test sets their clock by `wait`. */
async function withTwoInstances(
  use: (instances: { here: ApiKeys; there: ApiKeys; wait: (ms: number) => void }) => Promise<void>,
) {
  let clock = 1;
  const beside = await openBeside();
  const open = (store: KeyStore) =>
    createApiKeys({ store, conversionKey: undefined, now: () => clock });
  const wait = (ms: number) => {
    clock += ms;
  };
  await use({ here: open(stores.keys), there: open(beside.keys), wait }).finally(beside.close);
}

it('an API key is accepted within a second when another instance created it', () =>
  withTwoInstances(async ({ here, there, wait }) => {
    expect(await there.hasAny('read:bookings')).toBe(false);
    const { id, key } = await here.create({ name: 'Zapier', scopes: ['read:bookings'] });
    expect(await there.match(key)).toMatchObject({ id });
    wait(1000);
    expect(await there.match(key, { isThrottled: true })).toMatchObject({ id });
    expect(await there.hasAny('read:bookings')).toBe(true);
  }));

it('an API key is refused at once when another instance revoked it', () =>
  withTwoInstances(async ({ here, there, wait }) => {
    const { id, key } = await here.create({ name: 'Zapier', scopes: ['read:bookings'] });
    expect(await there.match(key, { isThrottled: true })).toMatchObject({ id });
    await here.revoke(id);
    for (const isThrottled of [true, false]) {
      expect(await there.match(key, { isThrottled })).toBeUndefined();
    }
    // Whether there is any key is known from the list, which is read once a second.
    wait(1000);
    expect(await there.hasAny('read:bookings')).toBe(false);
  }));
