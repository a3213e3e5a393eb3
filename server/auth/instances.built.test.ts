/** Two processes with one database share sessions, the password and sign-in links. */
import { expect, it } from 'vitest';
import { postgres } from '../testing/engines.ts';
import {
  type ServerProcess,
  seedPassword,
  startServer,
} from '../testing/process/server-process.ts';
import { cookieOf } from '../testing/site.ts';
import { createLinkToken } from './sign-in-link.ts';

const password = 'a long sentence only you know';

it('sessions, a sign-in link and a password change hold on every instance', async () => {
  const database = await postgres.create();
  await seedPassword({ DATA_DIR: '', ...database.env }, password);
  const start = () => startServer({ ...database.env, TRUST_PROXY: '1' });
  const [one, other] = await Promise.all([start(), start()]);
  try {
    const post = ({ origin }: ServerProcess, path: string, body: object, cookie = '') =>
      fetch(`${origin}/api/admin/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin, cookie },
        body: JSON.stringify(body),
      });
    const logIn = async (instance: ServerProcess) =>
      cookieOf(await post(instance, 'login', { password }));
    const sessionsAt = ({ origin }: ServerProcess, cookie: string) =>
      fetch(`${origin}/api/admin/sessions`, { headers: { cookie } });
    const statuses = async (cookie: string) => {
      const responses = [await sessionsAt(one, cookie), await sessionsAt(other, cookie)];
      return responses.map(({ status }) => status);
    };

    const [mine, theirs, third] = [await logIn(one), await logIn(other), await logIn(other)];
    for (const cookie of [mine, theirs, third]) expect(await statuses(cookie)).toEqual([200, 200]);

    const { sessions } = await (await sessionsAt(other, theirs)).json();
    const { id } = sessions.find(({ isThis }: { isThis: boolean }) => isThis);
    expect((await post(one, 'sessions/end', { id }, mine)).status).toBe(200);
    expect(await statuses(theirs)).toEqual([401, 401]);
    expect((await post(one, 'sessions/end-others', {}, mine)).status).toBe(200);
    expect(await statuses(third)).toEqual([401, 401]);
    expect(await statuses(mine)).toEqual([200, 200]);

    const stores = await database.open();
    const token = await createLinkToken(stores.auth, Date.now());
    await stores.close();
    const opened = await Promise.all(
      [one, other].map((instance) => post(instance, 'sign-in-link', { token })),
    );
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 401]);

    const newPassword = 'plum tractor seldom violet';
    const passwords = { currentPassword: password, newPassword };
    const changed = await post(other, 'password', passwords, mine);
    expect(changed.status).toBe(200);
    expect(await statuses(mine)).toEqual([401, 401]);
    expect(await statuses(cookieOf(changed))).toEqual([200, 200]);
    expect((await post(one, 'login', { password })).status).toBe(401);
    expect((await post(one, 'login', { password: newPassword })).status).toBe(200);
  } finally {
    for (const { child } of [one, other]) child.kill('SIGTERM');
    await Promise.all([one, other].map(({ ended }) => ended));
    await database.remove();
  }
});
