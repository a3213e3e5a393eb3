import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { ensurePassword, type FirstStart } from './first-password.ts';
import { hashPassword, matches } from './password.ts';
import { hashOfToken } from './token.ts';

const hashCost = { cost: 10, rounds: 1 };
const noon = Date.UTC(2026, 2, 10, 12);
const now = () => noon;

describe.each(engines)('first password on $name', (engine) => {
  const { stores, openBeside } = freshStores(engine);
  const ensure = (auth: typeof stores.auth, configured?: string, setupCode?: string) =>
    ensurePassword(auth, { configured, setupCode, now, hashCost });
  const codeOf = (first: FirstStart | undefined) =>
    hashOfToken(first?.setupPath?.split('#')[1] ?? '');
  const isPassword = async (password: string) =>
    matches(password, (await stores.auth.passwordHash()) ?? '');

  it('first password is generated and returned by one of several instances', async () => {
    const { auth, close } = await openBeside();
    const shown = await Promise.all([stores.auth, auth, stores.auth].map((each) => ensure(each)));
    const [first, ...others] = shown.filter(({ password }) => password !== undefined);
    expect(others).toEqual([]);
    expect(await isPassword(first?.password ?? '')).toBe(true);
    expect(codeOf(first)).toBe(await stores.auth.setupCodeHash());
    expect(await ensure(auth)).toEqual({ setupPath: '/setup' });
    expect(codeOf(first)).toBe(await stores.auth.setupCodeHash());
    await close();
  });

  it('set-up code of the environment is not shown, and replaces an unused one at the next start', async () => {
    const first = await ensure(stores.auth, undefined, 'the code of this host');
    expect(first).toEqual({ password: expect.any(String), setupPath: '/setup' });
    expect(await stores.auth.setupCodeHash()).toBe(hashOfToken('the code of this host'));
    expect(await ensure(stores.auth, undefined, 'another code')).toEqual({ setupPath: '/setup' });
    expect(await stores.auth.setupCodeHash()).toBe(hashOfToken('another code'));
  });

  it('set-up is closed by ADMIN_PASSWORD, also where it is the generated password', async () => {
    const { password } = await ensure(stores.auth);
    expect(await ensure(stores.auth, password, 'a code of the host')).toEqual({});
    expect(await stores.auth.setupCodeHash()).toBeUndefined();
    expect(await ensure(stores.auth, undefined, 'a code of the host')).toEqual({});
    expect(await stores.auth.setupCodeHash()).toBeUndefined();
  });

  it('set-up stays closed in a database that had a password before this release', async () => {
    await stores.auth.setPasswordHash(await hashPassword('the one before', hashCost), noon);
    expect(await ensure(stores.auth, undefined, 'a code of the host')).toEqual({});
    expect(await stores.auth.setupCodeHash()).toBeUndefined();
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
      expect(await ensure(stores.auth, configured)).toEqual({});
      const session = { idHash: 'id', createdAt: noon, seenAt: noon, browser: '' };
      const hash = (await stores.auth.passwordHash()) ?? '';
      expect(await stores.auth.addSession(session, hash)).toBe(true);
      unblock();
      expect(await later).toEqual({});
      expect(await stores.auth.session('id')).toMatchObject(session);
      expect(await isPassword(configured)).toBe(true);
      await close();
    },
  );
});
