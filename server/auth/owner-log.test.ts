/** The owner's log: what was done with the owner's rights, as the owner reads it. */
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { run } from '../database/database.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { createOwner, now } from '../testing/cli-io.ts';
import { engines } from '../testing/engines.ts';
import { site as sample } from '../testing/sample-config.ts';
import { openTestSite, signIn } from '../testing/site.ts';

const browser = 'Chrome on Linux';
const address = '192.0.2.7';

interface Entry {
  at: string;
  act: string;
  browser?: string;
  detail?: string;
}

describe.each(engines)('on $name', (engine) => {
  let database: Awaited<ReturnType<typeof engine.create>>;
  beforeEach(async () => {
    database = await engine.create();
  });
  afterEach(() => database.remove());

  it('log lists the acts of the owner, the newest first and without a secret', async () => {
    let clock = now;
    const site = await openTestSite({
      env: { ...database.env, ADMIN_PASSWORD: undefined },
      now: () => clock++,
    });
    const from = { 'x-forwarded-for': address };
    await site.post('/api/admin/login', { password: 'a wrong secret' }, from);
    let cookie = await signIn(site, from);
    const post = (path: string, body: object) => site.post(path, body, { cookie, ...from });
    await post('/api/admin/confirm', { password: site.password });
    const created = await post('/api/keys', { name: 'Sheet', scopes: ['read:messages'] });
    const { id, key } = (await created.json()) as { id: string; key: string };
    const byKey = { authorization: `Bearer ${key}` };
    await site.post('/api/contact', { name: 'Ada', email: 'ada@example.com', message: 'Hello' });
    for (const headers of [{ cookie }, byKey]) {
      for (const method of ['HEAD', 'GET']) {
        await site.fetch('/api/messages.csv', { method, headers });
      }
    }
    await (await site.fetch('/api/backup', { headers: { cookie } })).arrayBuffer();
    await post('/api/keys/revoke', { id });
    await post('/api/keys/revoke', { id });
    const { checkout } = sample.links;
    const patches = [
      { path: 'links.checkout', from: checkout, to: 'https://buy.example.com/x' },
      { path: 'tagline', from: sample.tagline, to: 'New' },
    ];
    await post('/api/site/draft', { patches });
    await post('/api/site/publish', { revision: 1 });
    await post('/api/admin/password', {
      currentPassword: site.password,
      newPassword: 'plum tractor seldom violet',
    });
    cookie = await signIn({ ...site, password: 'plum tractor seldom violet' }, from);

    const entries = async () => {
      const response = await site.fetch('/api/admin/log', { headers: { cookie } });
      expect(response.status).toBe(200);
      return ((await response.json()) as { entries: Entry[] }).entries;
    };
    // Refused attempts are stored once a second.
    await vi.waitFor(async () => expect(await entries()).toHaveLength(10), 20_000);
    const listed = await entries();
    expect(listed.map(({ at }) => at)).toEqual(
      listed
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(listed.map(({ at: _, ...entry }) => entry)).toEqual([
      {
        act: 'signed_in',
        browser,
        detail: `signed in with the password, 3 times, from ${address}`,
      },
      { act: 'password_changed', browser },
      { act: 'site_published', browser, detail: '2 changes, links.checkout' },
      { act: 'key_revoked', browser, detail: id },
      { act: 'backup_downloaded', browser, detail: expect.stringMatching(/^backup-.*\.db$/) },
      { act: 'file_downloaded', browser, detail: 'messages.csv' },
      { act: 'key_created', browser, detail: id },
      { act: 'password_confirmed', browser },
      { act: 'sign_in_refused', browser, detail: `wrong password, from ${address}` },
      { act: 'password_changed', detail: 'generated' },
    ]);
    const text = JSON.stringify(listed);
    for (const secret of [site.password, 'wrong secret', 'plum', key, 'ada@', 'buy.example']) {
      expect(text).not.toContain(secret);
    }
    expect((await site.fetch('/api/admin/log')).status).toBe(401);
    await site.close();
  });

  it('log is read page by page, also where many acts have one time', async () => {
    const stores = await database.open();
    for (let n = 0; n < 60; n++) {
      await stores.auth.logAct({ at: now, act: 'file_downloaded', browser, detail: `${n}` });
    }
    const attempt = { method: 'password', result: 'wrong', browser, n: 1, lastAt: now } as const;
    const addresses = Array.from({ length: 60 }, (_, n) => `10.0.0.${n}`);
    await stores.auth.addAttempts(addresses.map((address) => ({ ...attempt, address })));
    await stores.close();
    const site = await openTestSite({ env: database.env, now: () => now });
    const cookie = await signIn(site);
    const details: (string | undefined)[] = [];
    const lengths: number[] = [];
    for (let before: string | undefined = ''; before !== undefined; ) {
      const query = before && `?before=${encodeURIComponent(before)}`;
      const response = await site.fetch(`/api/admin/log${query}`, { headers: { cookie } });
      const page = (await response.json()) as { entries: Entry[]; next?: string };
      details.push(...page.entries.map(({ detail }) => detail));
      lengths.push(page.entries.length);
      before = page.next;
    }
    // Beside those above: the password of the start and the sign-in.
    expect(lengths).toEqual([50, 50, 22]);
    expect(new Set(details).size).toBe(122);
    const wrong = await site.fetch('/api/admin/log?before=x', { headers: { cookie } });
    expect(wrong.status).toBe(400);
    await site.close();
  });
});

it('a download goes on when the log cannot be stored', async () => {
  const site = await openTestSite();
  const cookie = await signIn(site);
  const beside = openSqlite(databaseFile(site.dataDir));
  await beside.write(() => run('DROP TABLE owner_log'));
  await beside.close();
  expect((await site.fetch('/api/messages.csv', { headers: { cookie } })).status).toBe(200);
  await site.close();
});

it('log holds what commands did', async () => {
  const owner = await createOwner();
  const stdin = Readable.from([Buffer.from('plum tractor seldom violet')]);
  await owner.admin(['password'], { stdin });
  await owner.admin(['content', 'use-file']);
  const command = { at: now, browser: null };
  expect(await owner.inside(({ auth }) => auth.entries(9))).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        ...{ ...command, act: 'password_changed', detail: 'npm run admin -- password' },
      }),
      expect.objectContaining({
        ...{ ...command, act: 'site_published' },
        detail: 'site.config.ts, by npm run admin -- content use-file',
      }),
    ]),
  );
  await owner.remove();
});
