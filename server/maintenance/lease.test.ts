/** Whose the night's work is, where instances share a database. */
import { expect, it } from 'vitest';
import { freshStores, postgres } from '../testing/engines.ts';

const { stores, openBeside } = freshStores(postgres);
const hour = 60 * 60_000;
const three = Date.UTC(2026, 2, 11, 3);
const lease = 3 * hour;

it('belongs to one of many that ask at the same moment', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, openBeside));
  const all = [stores, ...others];
  // Their clocks differ by seconds.
  const turns = await Promise.all(
    all.map(({ night }, n) => night.acquire({ now: three + 1000 * n, since: three, lease })),
  );
  expect(turns.toSorted()).toEqual(['ours', 'theirs', 'theirs', 'theirs']);

  const worker = all[turns.indexOf('ours')];
  await worker?.night.write({ at: three, trouble: ['Something is wrong.'] });
  for (const { night } of all) {
    expect(await night.acquire({ now: three + hour, since: three, lease })).toBe('done');
    expect(await night.read()).toEqual({ at: three, trouble: ['Something is wrong.'] });
  }
  expect(
    await stores.night.acquire({ now: three + 24 * hour, since: three + 24 * hour, lease }),
  ).toBe('ours');
  await Promise.all(others.map((other) => other.close()));
});

it('passes to another when whoever took it has vanished', async () => {
  const other = await openBeside();
  expect(await other.night.acquire({ now: three, since: three, lease })).toBe('ours');
  expect(await stores.night.acquire({ now: three + hour, since: three, lease })).toBe('theirs');
  expect(await stores.night.acquire({ now: three + lease, since: three, lease })).toBe('ours');
  expect(await other.night.acquire({ now: three + lease, since: three, lease })).toBe('theirs');
  await other.close();
});

it('is not put off for ever by a clock that was far ahead', async () => {
  const other = await openBeside();
  const future = three + 365 * 24 * hour;
  expect(await other.night.acquire({ now: future, since: future, lease })).toBe('ours');
  expect(await stores.night.acquire({ now: three, since: three, lease })).toBe('ours');
  await other.night.write({ at: future, trouble: [] });
  expect(await stores.night.acquire({ now: three, since: three, lease })).toBe('ours');
  await other.close();
});
