import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, openTestSite, password, signIn, type TestSite } from '../testing/site.ts';
import { hashPassword, matches } from './password.ts';
import { absoluteLimit, idleLimit } from './store.ts';

const cheap = { cost: 10, rounds: 1 };

describe('password hashes', () => {
  it('password hash matches only the password it was made from', async () => {
    const hash = await hashPassword('Grüße', cheap);
    expect(await matches('Grüße', hash)).toBe(true);
    expect(await matches('Gru\u0308ße', hash)).toBe(true);
    expect(await matches('grüße', hash)).toBe(false);
    expect(await matches('', hash)).toBe(false);
  });

  it('password hashes of the same password differ and do not contain it', async () => {
    const [a, b] = [await hashPassword('secret', cheap), await hashPassword('secret', cheap)];
    expect(a).not.toBe(b);
    expect(a).not.toContain('secret');
  });
});

let site: TestSite;
let clock = Date.now();
let addresses = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });
const isSignedIn = async (cookie: string) =>
  (await site.fetch('/api/analytics/dashboard', { headers: { cookie } })).status === 200;

beforeAll(async () => {
  site = await openTestSite({ now: () => clock });
});
afterAll(() => site.close());

describe('a session', () => {
  it('session gives access to the dashboard', async () => {
    expect(await isSignedIn(await signIn(site, newAddress()))).toBe(true);
    expect(await isSignedIn('')).toBe(false);
  });

  it('session ends on the server at logout, so a copied cookie is invalid', async () => {
    const cookie = await signIn(site, newAddress());
    const response = await site.post('/api/admin/logout', undefined, { cookie });
    expect(response.status).toBe(200);
    expect(cookieOf(response)).toMatch(/^session=;/);
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('session is replaced by the next login of the same browser', async () => {
    const first = await signIn(site, newAddress());
    const second = await signIn(site, { ...newAddress(), cookie: first });
    expect(await isSignedIn(first)).toBe(false);
    expect(await isSignedIn(second)).toBe(true);
  });

  it('session is rejected when its cookie was tampered with', async () => {
    const cookie = await signIn(site, newAddress());
    const [value = '', signature = ''] = cookie.split('; ').filter((c) => c.startsWith('session'));
    const forged = Buffer.from(JSON.stringify({ id: 'mine' })).toString('base64');
    for (const bad of [`session=${forged}; ${signature}`, value, `session=%%%; ${signature}`]) {
      expect(await isSignedIn(bad)).toBe(false);
    }
  });

  it('session expires after thirty days without use', async () => {
    const cookie = await signIn(site, newAddress());
    clock += idleLimit;
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('session in use is extended, up to ninety days', async () => {
    const cookie = await signIn(site, newAddress());
    for (let used = 0; used + idleLimit / 2 < absoluteLimit; used += idleLimit / 2) {
      expect(await isSignedIn(cookie)).toBe(true);
      clock += idleLimit / 2;
    }
    expect(await isSignedIn(cookie)).toBe(true);
    clock += idleLimit / 2;
    expect(await isSignedIn(cookie)).toBe(false);
  });

  it('session and device cookies are HttpOnly and SameSite', async () => {
    const response = await site.post('/api/admin/login', { password }, newAddress());
    const [device = '', cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^session=.*; path=\/;.*; samesite=lax; httponly/i);
    expect(device).toMatch(/^device=.*; path=\/; .*; httponly; samesite=strict$/i);
  });

  it('session and device cookies are Secure with the __Host- prefix when the site is https', async () => {
    const secure = await openTestSite({ env: { PUBLIC_URL: 'https://www.example.com' } });
    const response = await secure.post('/api/admin/login', { password });
    const cookies = response.headers.getSetCookie();
    expect(cookies).toHaveLength(3);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-(session|device)/);
      expect(cookie).toMatch(/; path=\/;.*; secure/i);
    }
    expect(response.headers.get('strict-transport-security')).toContain('max-age=31536000');
    await secure.close();
  });
});

const logIn = (headers: Record<string, string>, tried = 'x') =>
  site.post('/api/admin/login', { password: tried }, headers);
const deviceIn = (cookie: string) => /device=[^;]+/.exec(cookie)?.[0] ?? '';
const sentence = async (response: Response) => ((await response.json()) as { error: string }).error;

describe('login throttle', () => {
  it('login returns 429 after ten failures from one address, even with the right password', async () => {
    const me = newAddress();
    for (let n = 0; n < 10; n++) expect((await logIn(me)).status).toBe(401);
    const refused = await logIn(me, password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBe(15 * 60);
    expect(await sentence(refused)).toBe('Too many tries. Please wait 15 minutes.');
    clock += 15 * 60_000;
    expect((await logIn(me, password)).status).toBe(200);
  });

  it('login checks one password, queues four and returns 429 to the rest when forty come at once', async () => {
    const real = await openTestSite({ overrides: { hashCost: { cost: 15, rounds: 3 } } });
    const responses = await Promise.all(
      Array.from({ length: 40 }, () =>
        real.post('/api/admin/login', { password: 'x' }, newAddress()),
      ),
    );
    const count = (status: number) =>
      responses.filter((response) => response.status === status).length;
    expect(count(401)).toBe(5);
    expect(count(429)).toBe(35);
    await real.close();
  });

  it('login returns 429 to strangers after ninety failures from many addresses, but not to a known browser', async () => {
    clock += 60 * 60_000;
    const device = deviceIn(await signIn(site, newAddress()));
    for (let n = 0; n < 90; n++) expect((await logIn(newAddress())).status).toBe(401);

    const stranger = await logIn(newAddress(), password);
    expect(stranger.status).toBe(429);
    expect(Number(stranger.headers.get('retry-after'))).toBe(60 * 60);
    expect(await sentence(stranger)).toMatch(/browser you have signed in with .* 60 minutes\.$/);

    const owner = await logIn({ ...newAddress(), cookie: device }, password);
    expect(owner.status).toBe(200);
    clock += 60 * 60_000;
    expect((await logIn(newAddress(), password)).status).toBe(200);
  });

  it('login of a known browser counts as a stranger’s after ten failures', async () => {
    const me = { ...newAddress(), cookie: deviceIn(await signIn(site, newAddress())) };
    for (let n = 0; n < 20; n++) expect((await logIn(me)).status).toBe(401);
    expect((await logIn(me, password)).status).toBe(429);
    const elsewhere = { ...newAddress(), cookie: me.cookie };
    expect((await logIn(elsewhere, password)).status).toBe(200);
  });

  it('login of a known browser succeeds after others used up the attempts of its address', async () => {
    const home = newAddress();
    const cookie = deviceIn(await signIn(site, home));
    for (let n = 0; n < 11; n++) await logIn(home);
    expect((await logIn(home, password)).status).toBe(429);
    expect((await logIn({ ...home, cookie }, password)).status).toBe(200);
  });
});

describe('a known browser', () => {
  it('device cookie alone does not give access to the dashboard', async () => {
    const device = deviceIn(await signIn(site, newAddress()));
    expect(device).not.toBe('');
    expect(await isSignedIn(device)).toBe(false);
  });

  it('logout keeps the device cookie', async () => {
    const cookie = await signIn(site, newAddress());
    const response = await site.post('/api/admin/logout', undefined, { cookie });
    expect(cookieOf(response)).not.toContain('device');
  });
});

it('logout returns 200 without a session', async () => {
  const response = await site.post('/api/admin/logout');
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
});
