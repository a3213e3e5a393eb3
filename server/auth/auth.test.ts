import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, openTestSite, password, signIn, type TestSite } from '../testing/site.ts';
import { hashPassword, matches } from './password.ts';
import { absoluteLimit, idleLimit } from './sessions.ts';

const cheap = { cost: 10, rounds: 1 };

describe('password hashes', () => {
  it('match the password that made them and no other', async () => {
    const hash = await hashPassword('Grüße', cheap);
    expect(await matches('Grüße', hash)).toBe(true);
    expect(await matches('Gru\u0308ße', hash)).toBe(true);
    expect(await matches('grüße', hash)).toBe(false);
    expect(await matches('', hash)).toBe(false);
  });

  it('differ each time and hold no trace of the password', async () => {
    const [a, b] = [await hashPassword('secret', cheap), await hashPassword('secret', cheap)];
    expect(a).not.toBe(b);
    expect(a).not.toContain('secret');
  });
});

let site: TestSite;
let clock = Date.now();
let addresses = 0;
const someone = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
const isSignedIn = async (cookie: string) =>
  (await site.fetch('/api/analytics/dashboard', { headers: { cookie } })).status === 200;

beforeAll(async () => {
  site = await openTestSite({ now: () => clock });
});
afterAll(() => site.close());

describe('a session', () => {
  it('opens the dashboard', async () => {
    expect(await isSignedIn(await signIn(site, someone()))).toBe(true);
    expect(await isSignedIn('')).toBe(false);
  });

  it('is dead on the server after the logout, a copied cookie with it', async () => {
    const cookie = await signIn(site, someone());
    const answer = await site.post('/api/admin/logout', undefined, { cookie });
    expect(answer.status).toBe(200);
    expect(cookieOf(answer)).toMatch(/^session=;/);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('is replaced by the next login of the same browser', async () => {
    const first = await signIn(site, someone());
    const second = await signIn(site, { ...someone(), cookie: first });
    expect(await isSignedIn(first)).toBe(false);
    expect(await isSignedIn(second)).toBe(true);
  });

  it('is refused when its cookie was tampered with', async () => {
    const cookie = await signIn(site, someone());
    const [value = '', signature = ''] = cookie.split('; ').filter((c) => c.startsWith('session'));
    const forged = Buffer.from(JSON.stringify({ id: 'mine' })).toString('base64');
    for (const bad of [`session=${forged}; ${signature}`, value, `session=%%%; ${signature}`]) {
      expect(await isSignedIn(bad)).toBe(false);
    }
  });

  it('ends when it was not used for thirty days', async () => {
    const cookie = await signIn(site, someone());
    clock += idleLimit;
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('slides while it is used, up to ninety days', async () => {
    const cookie = await signIn(site, someone());
    for (let used = 0; used + idleLimit / 2 < absoluteLimit; used += idleLimit / 2) {
      expect(await isSignedIn(cookie)).toBe(true);
      clock += idleLimit / 2;
    }
    expect(await isSignedIn(cookie)).toBe(true);
    clock += idleLimit / 2;
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('has a cookie that scripts and other sites cannot use', async () => {
    const answer = await site.post('/api/admin/login', { password }, someone());
    const [device = '', cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^session=.*; path=\/;.*; samesite=lax; httponly/i);
    expect(device).toMatch(/^device=.*; path=\/; .*; httponly; samesite=strict$/i);
  });

  it('has a cookie for https only when the site is https', async () => {
    const secure = await openTestSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
    const answer = await secure.post('/api/admin/login', { password });
    const cookies = answer.headers.getSetCookie();
    expect(cookies).toHaveLength(3);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-(session|device)/);
      expect(cookie).toMatch(/; path=\/;.*; secure/i);
    }
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=31536000');
    await secure.close();
  });
});

const guess = (headers: Record<string, string>, tried = 'x') =>
  site.post('/api/admin/login', { password: tried }, headers);
const deviceIn = (cookie: string) => /device=[^;]+/.exec(cookie)?.[0] ?? '';
const sentence = async (answer: Response) => ((await answer.json()) as { error: string }).error;

describe('guessing', () => {
  it('ends after ten tries of an address, even with the right password', async () => {
    const me = someone();
    for (let n = 0; n < 10; n++) expect((await guess(me)).status).toBe(401);
    const refused = await guess(me, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(15 * 60);
    expect(await sentence(refused)).toBe('Too many tries. Please wait 15 minutes.');
    clock += 15 * 60_000;
    expect((await guess(me, password)).status).toBe(200);
  });

  it('at once is answered at once: one runs, four wait, the rest are refused', async () => {
    const real = await openTestSite({ price: { cost: 15, rounds: 3 } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => real.post('/api/admin/login', { password: 'x' }, someone())),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(401)).toBe(5);
    expect(count(429)).toBe(35);
    await real.close();
  });

  it('from ever new addresses ends after ninety, and the owner’s own browser still gets in', async () => {
    clock += 60 * 60_000;
    const device = deviceIn(await signIn(site, someone()));
    for (let n = 0; n < 90; n++) expect((await guess(someone())).status).toBe(401);

    const stranger = await guess(someone(), password);
    expect(stranger.status).toBe(429);
    expect(Number(stranger.headers.get('retry-after'))).toBe(60 * 60);
    expect(await sentence(stranger)).toMatch(/browser you have signed in with .* 60 minutes\.$/);

    const owner = await guess({ ...someone(), cookie: device }, password);
    expect(owner.status).toBe(200);
    clock += 60 * 60_000;
    expect((await guess(someone(), password)).status).toBe(200);
  });

  it('with a known browser’s cookie has ten tries, and is a stranger’s after that', async () => {
    const me = { ...someone(), cookie: deviceIn(await signIn(site, someone())) };
    for (let n = 0; n < 20; n++) expect((await guess(me)).status).toBe(401);
    expect((await guess(me, password)).status).toBe(429);
    const elsewhere = { ...someone(), cookie: me.cookie };
    expect((await guess(elsewhere, password)).status).toBe(200);
  });

  it('from the owner’s own address does not keep the owner’s browser out', async () => {
    const home = someone();
    const cookie = deviceIn(await signIn(site, home));
    for (let n = 0; n < 11; n++) await guess(home);
    expect((await guess(home, password)).status).toBe(429);
    expect((await guess({ ...home, cookie }, password)).status).toBe(200);
  });
});

describe('a known browser', () => {
  it('is not signed in by that', async () => {
    const device = deviceIn(await signIn(site, someone()));
    expect(device).not.toBe('');
    expect(await isSignedIn(device)).toBe(false);
  });

  it('is still known after the logout', async () => {
    const cookie = await signIn(site, someone());
    const answer = await site.post('/api/admin/logout', undefined, { cookie });
    expect(cookieOf(answer)).not.toContain('device');
  });
});

it('logging out without a session is fine', async () => {
  const answer = await site.post('/api/admin/logout');
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()).toEqual([]);
});
