/** The lease of the nightly job between instances that share a database. */
import { expect, it } from 'vitest';
import { freshStores, postgres } from '../testing/engines.ts';

const { stores, openBeside } = freshStores(postgres);
const hour = 60 * 60_000;
const three = Date.UTC(2026, 2, 11, 3);
const leaseMs = 3 * hour;

it('lease is acquired by one of several concurrent instances', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, openBeside));
  const all = [stores, ...others];
  // Clock skew of seconds between the instances.
  const results = await Promise.all(
    all.map(({ nightlyLease }, n) =>
      nightlyLease.acquire({ now: three + 1000 * n, since: three, leaseMs }),
    ),
  );
  expect(results.toSorted()).toEqual(['acquired', 'held', 'held', 'held']);

  const worker = all[results.indexOf('acquired')];
  await worker?.nightlyLease.write({ at: three, problems: ['Something is wrong.'] });
  for (const { nightlyLease } of all) {
    expect(await nightlyLease.acquire({ now: three + hour, since: three, leaseMs })).toBe('done');
    expect(await nightlyLease.read()).toEqual({ at: three, problems: ['Something is wrong.'] });
  }
  expect(
    await stores.nightlyLease.acquire({
      now: three + 24 * hour,
      since: three + 24 * hour,
      leaseMs,
    }),
  ).toBe('acquired');
  await Promise.all(others.map((other) => other.close()));
});

it('another instance acquires the lease after it has expired', async () => {
  const other = await openBeside();
  expect(await other.nightlyLease.acquire({ now: three, since: three, leaseMs })).toBe('acquired');
  expect(await stores.nightlyLease.acquire({ now: three + hour, since: three, leaseMs })).toBe(
    'held',
  );
  expect(await stores.nightlyLease.acquire({ now: three + leaseMs, since: three, leaseMs })).toBe(
    'acquired',
  );
  expect(await other.nightlyLease.acquire({ now: three + leaseMs, since: three, leaseMs })).toBe(
    'held',
  );
  await other.close();
});

it('lease dated far in the future by a wrong clock is ignored', async () => {
  const other = await openBeside();
  const future = three + 365 * 24 * hour;
  expect(await other.nightlyLease.acquire({ now: future, since: future, leaseMs })).toBe(
    'acquired',
  );
  expect(await stores.nightlyLease.acquire({ now: three, since: three, leaseMs })).toBe('acquired');
  await other.nightlyLease.write({ at: future, problems: [] });
  expect(await stores.nightlyLease.acquire({ now: three, since: three, leaseMs })).toBe('acquired');
  await other.close();
});
