import { describe, expect, it } from 'vitest';
import { engines, freshStores } from '../testing/engines.ts';
import { settlePassword } from './first-password.ts';
import { matches } from './password.ts';

const price = { cost: 10, rounds: 1 };
const noon = Date.UTC(2026, 2, 10, 12);
const now = () => noon;

describe.each(engines)('$name: the password the admin begins with', (engine) => {
  const { stores, openBeside } = freshStores(engine);
  const settle = (auth: typeof stores.auth, wanted?: string) =>
    settlePassword(auth, { wanted, now, price });
  const isPassword = async (password: string) =>
    matches(password, (await stores.auth.passwordHash()) ?? '');

  it('is made up by the first, and shown by nobody else', async () => {
    const { auth, close } = await openBeside();
    const shown = await Promise.all([stores.auth, auth, stores.auth].map((each) => settle(each)));
    const [password = '', ...others] = shown.filter((each) => each !== undefined);
    expect(others).toEqual([]);
    expect(await isPassword(password)).toBe(true);
    expect(await settle(auth)).toBeUndefined();
    await close();
  });

  it.each(['a first password', 'another'])('signs nobody out twice: %s', async (wanted) => {
    if (wanted === 'another') await settle(stores.auth, 'the one before');
    const { auth, close } = await openBeside();
    // The slower one has begun before the faster one is done and lets the owner in.
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = {
      ...auth,
      async replacePasswordHash(...args: Parameters<typeof auth.replacePasswordHash>) {
        await held;
        return auth.replacePasswordHash(...args);
      },
    };
    const later = settle(slow, wanted);
    expect(await settle(stores.auth, wanted)).toBeUndefined();
    const session = { idHash: 'id', createdAt: noon, seenAt: noon, browser: '' };
    const hash = (await stores.auth.passwordHash()) ?? '';
    expect(await stores.auth.addSession(session, hash)).toBe(true);
    go();
    expect(await later).toBeUndefined();
    expect(await stores.auth.session('id')).toEqual(session);
    expect(await isPassword(wanted)).toBe(true);
    await close();
  });
});
