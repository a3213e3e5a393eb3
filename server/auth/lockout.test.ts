/** Strangers who use up every password attempt do not lock the owner out. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { cookieOf, openTestSite, password, type TestSite } from '../testing/site.ts';
import { sentenceOf } from '../trpc/errors.ts';

let owner: TestOwner;
let site: TestSite;
let clock: number;
beforeEach(async () => {
  clock = now;
  owner = await createOwner();
  site = await openTestSite({ env: owner.settings, now: () => clock });
});
afterEach(async () => {
  await site.close();
  await owner.remove();
});

let addresses = 0;
const logIn = async (tried: string) => {
  const address = { 'x-forwarded-for': `198.51.100.${addresses++ % 250}` };
  return (await site.post('/api/admin/login', { password: tried }, address)).status;
};
const exhaustAttempts = async () => {
  for (let n = 0; n < 90; n++) expect(await logIn('wrong')).toBe(401);
  expect(await logIn(password)).toBe(429);
};
const newToken = async () => {
  const { out } = await owner.admin(['sign-in-link']);
  return /#sign-in=([\w-]{43})\n$/.exec(out)?.[1] ?? expect.fail(out);
};
const openLink = (token: string, path = '/api/admin/sign-in-link') => site.post(path, { token });
const opensDashboard = async (cookie: string) =>
  (await site.fetch('/api/analytics/dashboard', { headers: { cookie } })).status === 200;

it('a sign-in link and a new password sign the owner in after strangers used up every attempt', async () => {
  await exhaustAttempts();
  for (const path of ['/api/admin/sign-in-link', '/api/trpc/auth.signInWithLink']) {
    const response = await openLink(await newToken(), path);
    expect(response.status).toBe(200);
    expect(cookieOf(response)).toMatch(/device=.*session=/);
    expect(await opensDashboard(cookieOf(response))).toBe(true);
    expect(await logIn(password)).toBe(429);
  }
  const stdin = Readable.from([Buffer.from('a new long secret')]);
  expect(await owner.admin(['password'], { stdin })).toMatchObject({ code: 0 });
  clock += 1000;
  expect(await logIn('a new long secret')).toBe(200);
});

it('a sign-in link works once', async () => {
  const token = await newToken();
  const responses = await Promise.all(Array.from({ length: 5 }, () => openLink(token)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  const again = await openLink(token);
  expect([again.status, await again.json()]).toEqual([
    401,
    { error: sentenceOf('INVALID_SIGN_IN_LINK'), code: 'INVALID_SIGN_IN_LINK' },
  ]);
});

it('a sign-in link expires after 15 minutes', async () => {
  const token = await newToken();
  clock += 15 * 60_000;
  expect((await openLink(token)).status).toBe(401);
  clock -= 1;
  expect((await openLink(token)).status).toBe(200);
});

it('a sign-in link created by a clock that was ahead is invalid once the clock is right', async () => {
  const token = await newToken();
  clock -= 24 * 60 * 60_000;
  expect((await openLink(token)).status).toBe(401);
});

it('a newer sign-in link invalidates the one before', async () => {
  const [first, second] = [await newToken(), await newToken()];
  expect((await openLink(first)).status).toBe(401);
  expect((await openLink(second)).status).toBe(200);
});

it.each([
  ['password', '--generate'],
  ['sessions', '--end-all'],
])('a sign-in link is invalid after %s %s', async (...args) => {
  const token = await newToken();
  expect(await owner.admin(args)).toMatchObject({ code: 0 });
  expect((await openLink(token)).status).toBe(401);
});

it('a wrong sign-in link keeps the session that the browser has', async () => {
  const cookie = cookieOf(await openLink(await newToken()));
  const response = await site.post('/api/admin/sign-in-link', { token: 'wrong' }, { cookie });
  expect(response.status).toBe(401);
  expect(await opensDashboard(cookie)).toBe(true);
});

it('sign-in links are limited to 30 attempts in 10 minutes from one address', async () => {
  for (let n = 0; n < 30; n++) expect((await openLink('wrong')).status).toBe(401);
  const token = await newToken();
  expect((await openLink(token)).status).toBe(429);
  clock += 10 * 60_000;
  expect((await openLink(token)).status).toBe(200);
});
