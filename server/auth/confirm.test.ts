/** Sensitive acts ask a session for the password when it was typed more than ten minutes ago. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { downloads } from '../http/downloads.ts';
import { engines, postgres } from '../testing/engines.ts';
import { site as sample } from '../testing/sample-config.ts';
import { openTestSite, password, signIn, type TestSite } from '../testing/site.ts';
import type { AuthStore } from './store.ts';

const minute = 60_000;

let clock = Date.now();
let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

const answer = async (response: Response) => ({
  status: response.status,
  code: response.ok ? undefined : JSON.parse(await response.text()).code,
});
const refused = { status: 403, code: 'CONFIRM_PASSWORD' };
const done = { status: 200 };

const confirm = (site: TestSite, cookie: string, tried = password, headers = newAddress()) =>
  site.post('/api/admin/confirm', { password: tried }, { cookie, ...headers });

const newKey = { name: 'Sheet', scopes: ['read:messages', 'read:bookings', 'read:analytics'] };
const files = Object.keys(downloads);
const openFile = '/api/analytics/activity.csv';

describe('on one instance', () => {
  let site: TestSite;
  let cookie: string;
  beforeAll(async () => {
    site = await openTestSite({ now: () => clock });
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    cookie = await signIn(site, newAddress());
  });

  const createKey = () => site.post('/api/keys', newKey, { cookie });
  const get = (path: string, headers: Record<string, string> = { cookie }, method = 'GET') =>
    site.fetch(path, { method, headers });

  it('a key is created within ten minutes of the sign-in, later only after the password', async () => {
    clock += 10 * minute;
    expect(await answer(await createKey())).toMatchObject(done);
    clock += 1;
    expect(await answer(await createKey())).toEqual(refused);
    expect(await answer(await confirm(site, cookie))).toMatchObject(done);
    clock += 10 * minute;
    expect(await answer(await createKey())).toMatchObject(done);
    clock += 1;
    expect(await answer(await createKey())).toEqual(refused);
  });

  it.each([...files.filter((path) => path !== openFile), '/api/backup'])(
    '%s asks a session for the password',
    async (path) => {
      clock += 11 * minute;
      expect(await answer(await get(path))).toEqual(refused);
      expect((await get(path, { cookie }, 'HEAD')).status).toBe(403);
      await confirm(site, cookie);
      expect((await get(path, { cookie }, 'HEAD')).status).toBe(200);
      expect(await answer(await get(path))).toMatchObject(done);
    },
  );

  it('the activity file, which has no personal data, needs no password', async () => {
    clock += 11 * minute;
    expect(await answer(await get(openFile))).toMatchObject(done);
  });

  it('an API key is asked for no password', async () => {
    const { key } = (await (await createKey()).json()) as { key: string };
    clock += 11 * minute;
    for (const path of files) {
      expect(await answer(await get(path, { authorization: `Bearer ${key}` }))).toMatchObject(done);
    }
  });

  it('native tRPC clients are asked for the password too', async () => {
    clock += 11 * minute;
    const response = await site.post('/api/trpc/keys.create', newKey, { cookie });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      error: { data: { errorCode: 'CONFIRM_PASSWORD' } },
    });
  });

  it('a time in the future, of a clock that was ahead, confirms nothing', async () => {
    clock += 60 * minute;
    await confirm(site, cookie);
    clock -= 30 * minute;
    expect(await answer(await createKey())).toEqual(refused);
    clock += 30 * minute;
  });

  it('confirm rejects a wrong password, and keeps the session', async () => {
    clock += 11 * minute;
    expect(await answer(await confirm(site, cookie, 'wrong'))).toEqual({
      ...{ status: 401, code: 'INVALID_PASSWORD' },
    });
    expect(await answer(await createKey())).toEqual(refused);
    expect((await get('/api/keys')).status).toBe(200);
  });

  it('confirm requires a session', async () => {
    expect(await answer(await confirm(site, ''))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    await site.post('/api/admin/logout', undefined, { cookie });
    expect(await answer(await confirm(site, cookie))).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('confirm and login share the counts of the login throttle', async () => {
    const address = newAddress();
    const statuses = [];
    for (let n = 0; n < 15; n++) {
      statuses.push((await confirm(site, cookie, 'wrong', address)).status);
    }
    const logIn = () => site.post('/api/admin/login', { password: 'wrong' }, address);
    // Ten of the known device, then five of its address.
    for (let n = 0; n < 6; n++) statuses.push((await logIn()).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    const last = await confirm(site, cookie, password, address);
    expect(last.headers.get('retry-after')).toBeTruthy();
    expect(await answer(last)).toEqual({ status: 429, code: 'LOGIN_RATE_LIMITED' });
    clock += 60 * minute;
  });

  it('saving a draft and publishing a text ask for no password, a checkout link does', async () => {
    clock += 11 * minute;
    const owner = (path: string, body?: object) => site.post(`/api/site/${path}`, body, { cookie });
    const change = (path: string, from: string, to: string) =>
      owner('draft', { patches: [{ path, from, to }] });
    await change('hero.title', sample.hero.title, 'New');
    expect(await answer(await owner('publish', { revision: 1 }))).toMatchObject(done);
    const saved = await change(
      'links.checkout',
      sample.links.checkout,
      'https://buy.example.com/x',
    );
    const { revision } = (await saved.json()) as { revision: number };
    expect(await answer(await owner('publish', { revision }))).toEqual(refused);
    await confirm(site, cookie);
    expect(await answer(await owner('publish', { revision }))).toMatchObject(done);
    clock += 11 * minute;
    expect(await answer(await owner('restore', { version: 2 }))).toMatchObject(done);
    expect(await answer(await owner('restore', { version: 2, publish: true }))).toEqual(refused);
    await confirm(site, cookie);
    expect(await answer(await owner('restore', { version: 2, publish: true }))).toMatchObject(done);
  });
});

describe('on two instances', () => {
  let close = async () => {};
  afterEach(() => close());

  it('a session that is confirmed on one is confirmed on the other', async () => {
    const database = await postgres.create();
    const open = () => openTestSite({ env: database.env, now: () => clock });
    const [one, other] = [await open(), await open()];
    close = async () => {
      await Promise.all([one.close(), other.close()]);
      await database.remove();
    };
    const cookie = await signIn(one, newAddress());
    const createKey = () => other.post('/api/keys', newKey, { cookie });
    clock += 11 * minute;
    expect(await answer(await createKey())).toEqual(refused);
    await confirm(one, cookie);
    expect(await answer(await createKey())).toMatchObject(done);
  });
});

const actsOf = async (auth: AuthStore) => (await auth.entries(9)).map(({ act }) => act);

it.each(engines)('a session that has ended cannot be confirmed on $name', async (engine) => {
  const database = await engine.create();
  const { auth, close } = await database.open();
  const confirmed = (at: number) => ({
    ...{ at, act: 'password_confirmed' as const, browser: 'Firefox on Linux', detail: null },
  });
  await auth.setPasswordHash('hash', 0);
  await auth.addSession({ idHash: 'mine', createdAt: 1, seenAt: 1, browser: '' }, 'hash');
  expect(await auth.session('mine')).toMatchObject({ confirmedAt: 1 });
  expect(await auth.confirmSession('mine', confirmed(5))).toBe(true);
  expect(await auth.session('mine')).toMatchObject({ createdAt: 1, confirmedAt: 5 });
  await auth.setPasswordHash('new', 6);
  expect(await actsOf(auth)).toEqual([
    'password_changed',
    'password_confirmed',
    'password_changed',
  ]);
  expect(await auth.confirmSession('mine', confirmed(7))).toBe(false);
  expect(await actsOf(auth)).toHaveLength(3);
  await close();
  await database.remove();
});
