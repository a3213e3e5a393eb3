/** The set-up of a fresh site, through the API of two instances on one database. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../database/database.ts';
import { createOwner, engines, type TestOwner } from '../testing/cli-io.ts';
import { openDatabase } from '../testing/engines.ts';
import { cookieOf, openTestSite, signIn, type TestSite } from '../testing/site.ts';

const password = 'plum tractor seldom violet';
const minute = 60_000;

describe.each(engines)('set-up on $name', (engine) => {
  let owner: TestOwner;
  let site: TestSite;
  let code: string;
  let clock: number;
  const opened: TestSite[] = [];

  /** Another instance; with SQLite, of which there is one, a restart. */
  const open = async (env: Record<string, string | undefined> = {}) => {
    if (engine.name === 'SQLite') {
      await Promise.all(opened.splice(0).map((one) => one.close()));
    }
    const one = await openTestSite({
      env: { ...owner.settings, ADMIN_PASSWORD: undefined, ...env },
      now: () => clock,
    });
    opened.push(one);
    return one;
  };
  beforeEach(async () => {
    clock = Date.now();
    owner = await createOwner(engine);
    site = await open();
    code = site.setupCode;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await owner.remove();
  });

  const finish = (input: object = {}, { at = site, headers = {} } = {}) =>
    at.post('/api/setup', { code, password, ...input }, headers);
  const from = (n: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${n}` } });
  const statusOf = async (response: Promise<Response>) => (await response).status;
  const liveConfig = async (cookie: string) => {
    const response = await site.fetch('/api/site/export', { headers: { cookie } });
    return response.text();
  };

  it('set-up replaces the generated password, ends all sessions and signs in', async () => {
    const before = await signIn(site);
    const response = await finish();
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    const dashboard = async (cookie: string) =>
      (await site.fetch('/api/analytics/dashboard', { headers: { cookie } })).status;
    expect(await dashboard(before)).toBe(401);
    expect(await dashboard(cookieOf(response))).toBe(200);
    const logIn = (tried: string) => site.post('/api/admin/login', { password: tried });
    expect(await statusOf(logIn(site.password))).toBe(401);
    expect(await statusOf(logIn(password))).toBe(200);
  });

  it('set-up is gone for ever once it was used, on every instance and after a restart', async () => {
    const other = await open();
    expect(await statusOf(finish({}, { at: other }))).toBe(200);
    await open({ SETUP_CODE: 'a-code-of-the-host' });
    for (const at of opened) {
      for (const tried of [code, 'a-code-of-the-host', '']) {
        const response = await finish({ code: tried }, { at });
        expect([response.status, (await response.json()).code]).toEqual([404, 'NOT_FOUND']);
      }
    }
  });

  it('exactly one of many that set up at once wins', async () => {
    site = await open();
    const [other = site] = opened;
    const tries = Array.from({ length: 8 }, (_, n) => ({
      name: `Racer ${n}`,
      password: `${password} ${n}`,
    }));
    const responses = await Promise.all(
      tries.map((input, n) => finish(input, { at: n % 2 ? other : site, ...from(n) })),
    );
    const winners = responses.flatMap(({ status }, n) => (status === 200 ? [n] : []));
    expect(winners).toHaveLength(1);
    expect(
      responses
        .map(({ status }) => status)
        .sort()
        .slice(1),
    ).toSatisfy((rest: number[]) => rest.every((status) => [404, 429].includes(status)));
    const [winner = 0] = winners;
    const logIn = await site.post('/api/admin/login', { password: `${password} ${winner}` });
    expect(logIn.status).toBe(200);
    expect(await liveConfig(cookieOf(logIn))).toContain(`name: 'Racer ${winner}'`);
  });

  it('an unused code works after a restart and at another instance', async () => {
    const other = await open();
    expect([other.password, other.setupCode]).toEqual(['', '']);
    expect(await statusOf(finish({}, { at: other }))).toBe(200);
  });

  it('set-up stays open after a sign-in with the generated password', async () => {
    await signIn(site);
    expect(await statusOf(finish())).toBe(200);
  });

  it('set-up is closed by a password changed under Settings', async () => {
    const cookie = await signIn(site);
    const passwords = { currentPassword: site.password, newPassword: password };
    expect(await statusOf(site.post('/api/admin/password', passwords, { cookie }))).toBe(200);
    expect(await statusOf(finish())).toBe(404);
  });

  it('set-up is closed by the command password', async () => {
    const stdin = Readable.from([Buffer.from(password)]);
    expect(await owner.admin(['password'], { stdin })).toMatchObject({ code: 0 });
    expect(await statusOf(finish())).toBe(404);
  });

  it('set-up is closed by a password that a release without set-up has set', async () => {
    const database = await openDatabase({ env: owner.settings });
    await database.write(() =>
      run("UPDATE admin_credential SET password_hash = 'another', changed_at = changed_at + 1"),
    );
    await database.close();
    const again = await open({ SETUP_CODE: code });
    expect(await statusOf(finish({}, { at: again }))).toBe(404);
  });

  it('set-up is closed by ADMIN_PASSWORD at the next start', async () => {
    site = await open({ ADMIN_PASSWORD: 'a long sentence only you know' });
    for (const at of opened) expect(await statusOf(finish({}, { at }))).toBe(404);
  });

  it('an address gets 429 for ten minutes after ten wrong codes, and others are let in', async () => {
    const wrong = () => finish({ code: 'wrong' }, from(1));
    const statuses = await Promise.all(Array.from({ length: 12 }, () => statusOf(wrong())));
    expect(statuses.sort()).toEqual([...Array(10).fill(401), 429, 429]);
    const throttled = await finish({}, from(1));
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get('retry-after'))).toBeLessThanOrEqual(600);
    clock += 10 * minute;
    expect(await statusOf(wrong())).toBe(401);
    expect(await statusOf(finish({}, from(2)))).toBe(200);
  });

  it('wrong codes of many addresses get 429 together, and the right code is let in', async () => {
    for (let n = 0; n < 100; n++) {
      expect(await statusOf(finish({ code: 'wrong' }, from(n % 50)))).toBe(401);
    }
    expect(await statusOf(finish({ code: 'wrong' }, from(60)))).toBe(429);
    expect(await statusOf(finish({}, from(61)))).toBe(200);
  });

  it('a weak password is refused, and the set-up stays open', async () => {
    const response = await finish({ name: 'Maya Lindqvist', password: 'MayaLindqvist1' });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        issues: [
          {
            path: 'password',
            message: 'This password is made of words that attackers try first.',
          },
        ],
      }),
    ]);
    expect(await statusOf(finish())).toBe(200);
  });

  it('name, email and time zone are live at once', async () => {
    const texts = { name: 'Maya Lindqvist', email: 'maya@my-domain.com', timeZone: 'Asia/Tokyo' };
    const response = await finish(texts);
    expect(response.status).toBe(200);
    const file = await liveConfig(cookieOf(response));
    for (const text of Object.values(texts)) expect(file).toContain(`'${text}'`);
    const slots = await site.fetch('/api/booking/slots?call=strategy-call');
    expect(await slots.json()).toMatchObject({ timeZone: 'Asia/Tokyo' });
  });

  it('mistakes in the texts are refused per field, and no password is set', async () => {
    const response = await finish({ name: '', email: 'maya', timeZone: 'Mars/Olympus' });
    expect(response.status).toBe(400);
    const { issues } = await response.json();
    expect(issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'email',
      'name',
      'timeZone',
    ]);
    expect(await statusOf(site.post('/api/admin/login', { password: site.password }))).toBe(200);
    expect(await statusOf(finish())).toBe(200);
  });

  it('texts are refused where the file pins the site, and the password alone is set', async () => {
    const pinned = await open({ SITE_CONTENT: 'file' });
    const response = await finish({ name: 'Maya' }, { at: pinned });
    expect([response.status, (await response.json()).code]).toEqual([409, 'CONTENT_IN_FILE']);
    expect(await statusOf(finish({}, { at: pinned }))).toBe(200);
  });

  it('a page of another site, also behind a rebound name, cannot set up', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      expect(await statusOf(finish({}, { headers }))).toBe(403);
    }
    // A rebound name reaches a site without PUBLIC_URL, but its page has no code.
    expect(await statusOf(finish({ code: '' }))).toBe(400);
    expect(await statusOf(finish({ code: 'guessed' }))).toBe(401);
    const named = await open({ PUBLIC_URL: 'https://www.my-domain.com' });
    const rebound = { 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' };
    expect(await statusOf(finish({}, { at: named, headers: rebound }))).toBe(421);
  });

  it('the owner’s log has the set-up, what it published and wrong codes, but no code', async () => {
    await finish({ code: 'wrong' });
    const cookie = cookieOf(await finish({ name: 'Maya Lindqvist' }));
    clock += minute;
    const log = async () => {
      const response = await site.fetch('/api/admin/log', { headers: { cookie } });
      return response.text();
    };
    await expect.poll(log).toContain('wrong set-up code');
    const text = await log();
    expect(text).toContain('set up the site, from');
    expect(text).not.toContain('signed in with the password');
    for (const act of ['set_up', 'site_published', 'signed_in']) expect(text).toContain(`"${act}"`);
    expect(text).not.toContain(code);
  });
});
