/** The password and the sessions, as the owner changes them in the browser. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cookieOf, openTestSite, password, signIn, type TestSite } from '../testing/site.ts';

let site: TestSite;
let clock = Date.now();
let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

let current: string;
const next = () => `plum tractor seldom violet ${++addresses}`;

beforeAll(async () => {
  site = await openTestSite({ env: { ADMIN_PASSWORD: undefined }, now: () => clock });
  current = site.password;
});
afterAll(() => site.close());

const logIn = async (headers: Record<string, string> = newAddress()) => {
  const response = await site.post('/api/admin/login', { password: current }, headers);
  expect(response.status).toBe(200);
  return cookieOf(response);
};
const isSignedIn = async (cookie: string) =>
  (await site.fetch('/api/admin/sessions', { headers: { cookie } })).status === 200;
const change = (
  cookie: string,
  input: { currentPassword?: string; newPassword?: string },
  headers = newAddress(),
) =>
  site.post(
    '/api/admin/password',
    { currentPassword: current, newPassword: next(), ...input },
    { cookie, ...headers },
  );
const sessionsOf = async (cookie: string) => {
  const response = await site.fetch('/api/admin/sessions', { headers: { cookie } });
  const { sessions } = (await response.json()) as {
    sessions: { id: string; browser: string; createdAt: string; seenAt: string; isThis: boolean }[];
  };
  return sessions;
};
const deviceIn = (cookie: string) => /device=[^;]+/.exec(cookie)?.[0] ?? '';

it('password change signs other browsers out and keeps this one signed in', async () => {
  const [mine, other] = [await logIn(), await logIn()];
  const newPassword = next();
  const response = await change(mine, { newPassword });
  expect(response.status).toBe(200);
  const renewed = cookieOf(response);
  expect(await isSignedIn(renewed)).toBe(true);
  expect(await isSignedIn(mine)).toBe(false);
  expect(await isSignedIn(other)).toBe(false);
  const before = await site.post('/api/admin/login', { password: current }, newAddress());
  expect(before.status).toBe(401);
  current = newPassword;
  expect(await isSignedIn(await logIn())).toBe(true);
});

it('password change rejects a wrong current password without ending the session', async () => {
  const mine = await logIn();
  const response = await change(mine, { currentPassword: 'wrong' });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({ code: 'WRONG_CURRENT_PASSWORD' });
  expect(await isSignedIn(mine)).toBe(true);
  expect(await isSignedIn(await logIn())).toBe(true);
});

it.each([
  ['short', /has 5 characters; use 12 or more/],
  ['Password1234!', /made of words that attackers try first/],
  ['111111111111', /repeats the same few characters|only digits/],
])('password change rejects the weak password %s', async (newPassword, sentence) => {
  const mine = await logIn();
  const response = await change(mine, { newPassword });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'VALIDATION',
    issues: [{ path: 'newPassword', message: expect.stringMatching(sentence) }],
  });
  expect(await isSignedIn(mine)).toBe(true);
});

it('password change is throttled like a login', async () => {
  const mine = await logIn();
  const attempts = [];
  for (let n = 0; n < 30; n++) {
    const { status } = await change(
      mine,
      { currentPassword: 'wrong' },
      { 'x-forwarded-for': '203.0.113.9' },
    );
    attempts.push(status);
  }
  // Ten of the known device, then ten of its address.
  expect(attempts).toEqual([...Array(20).fill(403), ...Array(10).fill(429)]);
  clock += 60 * 60_000;
});

it('password change is refused without a session and from another site', async () => {
  expect((await change('', {})).status).toBe(401);
  const mine = await logIn();
  const foreign = await change(mine, {}, {
    ...newAddress(),
    origin: 'https://evil.example',
  } as never);
  expect(foreign.status).toBe(403);
  expect(await isSignedIn(await logIn())).toBe(true);
});

it('password change is refused while ADMIN_PASSWORD is set', async () => {
  const fixed = await openTestSite();
  const cookie = await signIn(fixed);
  const input = { currentPassword: password, newPassword: next() };
  const response = await fixed.post('/api/admin/password', input, { cookie });
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: 'PASSWORD_IN_ENVIRONMENT' });
  const listed = await fixed.fetch('/api/admin/sessions', { headers: { cookie } });
  expect(await listed.json()).toMatchObject({
    fixedPassword: expect.stringMatching(/^ADMIN_PASSWORD is set/),
  });
  await fixed.close();
});

it('sessions lists the signed-in browsers and marks this one, without a usable id', async () => {
  const mine = await logIn();
  await site.post('/api/admin/sessions/end-others', undefined, { cookie: mine });
  await logIn();
  const sessions = await sessionsOf(mine);
  expect(sessions.map(({ browser }) => browser)).toEqual(['Chrome on Linux', 'Chrome on Linux']);
  expect(sessions.filter(({ isThis }) => isThis)).toHaveLength(1);
  const cookieId = Buffer.from(/session=([^;]+)/.exec(mine)?.[1] ?? '', 'base64').toString();
  for (const { id, createdAt } of sessions) {
    expect(cookieId).not.toContain(id);
    expect(createdAt).toBe(new Date(clock).toISOString());
  }
});

it('sessions omits a session that has expired', async () => {
  const old = await logIn();
  clock += 31 * 24 * 60 * 60_000;
  const mine = await logIn();
  expect(await isSignedIn(old)).toBe(false);
  expect((await sessionsOf(mine)).every(({ seenAt }) => Date.parse(seenAt) === clock)).toBe(true);
});

it('one session is signed out, and the others stay', async () => {
  const [mine, other, third] = [await logIn(), await logIn(), await logIn()];
  const id = (await sessionsOf(other)).find(({ isThis }) => isThis)?.id;
  const response = await site.post('/api/admin/sessions/end', { id }, { cookie: mine });
  expect(response.status).toBe(200);
  expect(await Promise.all([mine, other, third].map(isSignedIn))).toEqual([true, false, true]);
});

it('all other sessions are signed out, and only this browser stays a known device', async () => {
  const [mine, other] = [await logIn(), await logIn()];
  const response = await site.post('/api/admin/sessions/end-others', undefined, { cookie: mine });
  expect(response.status).toBe(200);
  expect(await Promise.all([mine, other].map(isSignedIn))).toEqual([true, false]);
  const device = deviceIn(cookieOf(response));
  const address = newAddress();
  const tryLogin = (headers: Record<string, string>) =>
    site.post('/api/admin/login', { password: 'wrong' }, { ...address, ...headers });
  for (let n = 0; n < 10; n++) await tryLogin({});
  // The quota of the address is used up: only a known device has one of its own.
  expect((await tryLogin({ cookie: deviceIn(other) })).status).toBe(429);
  expect((await tryLogin({ cookie: deviceIn(mine) })).status).toBe(429);
  expect((await tryLogin({ cookie: device })).status).toBe(401);
});

it('a session is not signed out from another site or by a stranger', async () => {
  const mine = await logIn();
  const headers = { cookie: mine, origin: 'https://evil.example' };
  expect((await site.post('/api/admin/sessions/end-others', undefined, headers)).status).toBe(403);
  expect((await site.post('/api/admin/sessions/end', { id: 'a' })).status).toBe(401);
  expect((await site.fetch('/api/admin/sessions')).status).toBe(401);
});
