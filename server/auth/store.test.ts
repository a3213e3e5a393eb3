import { expect, it } from 'vitest';
import type { Statements, Transaction } from '../database/database.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { createAuthStore } from './store.ts';

it.each(engines)('attempts of 500 kinds are stored by one statement on $name', async (engine) => {
  const testDatabase = await engine.create();
  const stores = await testDatabase.open();
  const database = await openDatabase(testDatabase);
  let statements = 0;
  const counted = function* <T>(transaction: Transaction<T>): Statements<T> {
    const executed = transaction();
    let next = executed.next();
    while (!next.done) {
      statements += 1;
      next = executed.next(yield next.value);
    }
    return next.value;
  };
  const auth = createAuthStore({
    ...database,
    write: (transaction) => database.write(() => counted(transaction)),
  });
  const attempts = Array.from({ length: 500 }, (_, n) => ({
    ...({ method: 'password', result: 'throttled', browser: 'Firefox on Linux' } as const),
    address: `10.0.${n >> 8}.${n & 255}`,
    n: 2,
    lastAt: 1,
  }));

  await auth.addAttempts(attempts);
  expect(statements).toBe(1);
  // One call may contain the same kind twice.
  await auth.addAttempts([...attempts, ...attempts]);
  const stored = await stores.auth.attempts(1000);
  expect(stored).toHaveLength(500);
  expect(new Set(stored.map(({ n }) => n))).toEqual(new Set([6]));
  await Promise.all([database.close(), stores.close()]);
  await testDatabase.remove();
});

it.each(engines)('signOutOthers keeps one session and no sign-in link on $name', async (engine) => {
  const testDatabase = await engine.create();
  const { auth, close } = await testDatabase.open();
  await auth.setPasswordHash('hash', 0);
  for (const idHash of ['mine', 'other']) {
    await auth.addSession({ idHash, createdAt: 1, seenAt: 1, browser: '' }, 'hash');
  }
  await auth.setSignInLink({ tokenHash: 'link', expiresAt: 10 });
  await auth.signOutOthers('mine', 2);
  expect((await auth.sessions()).map(({ idHash }) => idHash)).toEqual(['mine']);
  expect(await auth.signedOutAt()).toBe(2);
  const byLink = { idHash: 'new', createdAt: 3, seenAt: 3, browser: '' };
  expect(await auth.addSessionByLink(byLink, 'link')).toBeUndefined();
  await close();
  await testDatabase.remove();
});
