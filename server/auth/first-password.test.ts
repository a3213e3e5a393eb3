import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { ensurePassword } from './first-password.ts';
import { matches } from './password.ts';

const hashCost = { cost: 10, rounds: 1 };
const noon = Date.UTC(2026, 2, 10, 12);
const now = () => noon;

describe.each(engines)('first password on $name', (engine) => {
  const { stores, openBeside } = freshStores(engine);
  const ensure = (auth: typeof stores.auth, configured?: string) =>
    ensurePassword(auth, { configured, now, hashCost });
  const isPassword = async (password: string) =>
    matches(password, (await stores.auth.passwordHash()) ?? '');

  it('first password is generated and returned by one of several instances', async () => {
    const { auth, close } = await openBeside();
    const shown = await Promise.all([stores.auth, auth, stores.auth].map((each) => ensure(each)));
    const [password = '', ...others] = shown.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(await isPassword(password)).toBe(true);
    expect(await ensure(auth)).toBeUndefined();
    await close();
  });

  it.each(['a first password', 'another'])(
    'sessions stay when a slower instance sets the same password: %s',
    async (configured) => {
      if (configured === 'another') await ensure(stores.auth, 'the one before');
      const { auth, close } = await openBeside();
      // The slower instance starts before the faster one has set the password and a session starts.
      let unblock = () => {};
      const blocked = new Promise<void>((resolve) => {
        unblock = resolve;
      });
      const slow = {
        ...auth,
        async replacePasswordHash(...args: Parameters<typeof auth.replacePasswordHash>) {
          await blocked;
          return auth.replacePasswordHash(...args);
        },
      };
      const later = ensure(slow, configured);
      expect(await ensure(stores.auth, configured)).toBeUndefined();
      const session = { idHash: 'id', createdAt: noon, seenAt: noon, browser: '' };
      const hash = (await stores.auth.passwordHash()) ?? '';
      expect(await stores.auth.addSession(session, hash)).toBe(true);
      unblock();
      expect(await later).toBeUndefined();
      expect(await stores.auth.session('id')).toMatchObject(session);
      expect(await isPassword(configured)).toBe(true);
      await close();
    },
  );
});
