import { once } from 'node:events';
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOwner } from '../testing/cli-io.ts';
import { engines } from '../testing/engines.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';

const now = Date.UTC(2026, 10, 21, 2, 30);
const message = { name: 'Ada', email: 'ada@example.com', message: 'Keep this' };

describe.each(engines)('on $name', (engine) => {
  it('a downloaded backup restores the messages of the site', async () => {
    const database = await engine.create();
    const site = await openTestSite({ env: database.env, now: () => now });
    const owner = await createOwner();
    try {
      await site.post('/api/contact', message);
      const response = await site.fetch('/api/backup', {
        headers: { cookie: await signIn(site), 'sec-fetch-site': 'same-origin' },
      });
      expect(response.status).toBe(200);
      const content = Buffer.from(await response.arrayBuffer());
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-disposition': 'attachment; filename="backup-2026-11-21T02-30-00Z.db"',
        'content-length': String(content.length),
        'cache-control': 'no-store',
      });
      await writeFile(join(owner.folder, 'copy.db'), content);
      const env = { DATA_DIR: join(owner.folder, 'restored') };
      expect(await owner.admin(['restore', 'copy.db'], { env })).toMatchObject({ code: 0 });
      expect((await owner.admin(['messages'], { env })).out).toContain('Keep this');
    } finally {
      await owner.remove();
      await site.close();
      await database.remove();
    }
  });
});

it('backup download succeeds when making it takes longer than the timeout of a socket', async () => {
  const site = await openTestSite({
    limits: { socketTimeoutMs: 1000 },
    async backUpTo(file) {
      // An idle connection that was opened later is closed by the timeout.
      await once(connect(Number(new URL(site.origin).port), '127.0.0.1'), 'close');
      await writeFile(file, 'backup');
    },
  });
  const response = await site.fetch('/api/backup', { headers: { cookie: await signIn(site) } });
  expect(await response.text()).toBe('backup');
  await site.close();
});

describe('the download', () => {
  let site: TestSite;
  let cookie: string;
  beforeEach(async () => {
    site = await openTestSite({ now: () => now });
    cookie = await signIn(site);
  });
  afterEach(() => site.close());

  const folder = () => join(site.dataDir, 'backups');
  const filesIn = (path: string) => readdir(path).catch(() => []);
  const download = (headers = {}, method = 'GET') =>
    site.fetch('/api/backup', { method, headers: { cookie, ...headers } });

  it('backup download is refused without a session, for a link on another site and for a prefetch', async () => {
    const statuses = async (...headers: object[]) =>
      Promise.all(headers.map(async (one) => (await download(one)).status));
    expect(await statuses({ cookie: '' })).toEqual([401]);
    expect(
      await statuses(
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { 'sec-purpose': 'prefetch' },
      ),
    ).toEqual([403, 403, 403, 403]);
    expect(await filesIn(folder())).toEqual([]);
  });

  it('HEAD of the backup download makes no backup', async () => {
    for (let n = 0; n < 8; n++) expect((await download({}, 'HEAD')).status).toBe(200);
    expect((await download()).status).toBe(200);
  });

  it('backup download is made one at a time and six times an hour', async () => {
    const both = await Promise.all([download(), download()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429]);
    for (let n = 0; n < 5; n++) expect((await download()).status).toBe(200);
    const refused = await download();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
  });

  it('backup download leaves no file behind, also when it is cancelled', async () => {
    await (await download()).arrayBuffer();
    expect(await filesIn(folder())).toEqual([]);
    await new Promise<void>((resolve, reject) => {
      const request = get(`${site.origin}/api/backup`, { headers: { cookie } }, (response) => {
        response.on('error', () => {});
        response.once('data', () => {
          request.destroy();
          resolve();
        });
      });
      request.on('error', reject);
    });
    expect(await filesIn(folder())).toEqual([]);
    expect((await download()).status).toBe(200);
  });

  it('backup download says why no backup can be made, and leaves no file', async () => {
    await rm(join(site.dataDir, 'shingle.db'));
    const response = await download();
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: expect.stringMatching(
        /^The backup could not be made\. The database .* is missing or empty.*restore lists its backups/,
      ),
      code: 'BACKUP_FAILED',
    });
    expect(await filesIn(folder())).toEqual([]);
  });

  it('settings and the download say what is missing when the disk has no room for a backup', async () => {
    // A sparse file larger than the disk, which SQLite reads as before.
    await truncate(join(site.dataDir, 'shingle.db'), 8e12);
    const reason =
      /^The disk has too little room: 7,629,\d{3}\.\d MB are needed in .*Please free some space\.$/;
    const response = await site.fetch('/api/settings/backups', { headers: { cookie } });
    expect((await response.json()).problem).toMatch(reason);
    const { error } = await (await download()).json();
    expect(error.replace('The backup could not be made. ', '')).toMatch(reason);
  });

  it('settings list the backups by name, newest first', async () => {
    const list = async () =>
      (await site.fetch('/api/settings/backups', { headers: { cookie } })).json();
    expect(await list()).toEqual({ isNightly: true, backups: [] });
    await mkdir(folder());
    await writeFile(join(folder(), 'nightly-2026-11-20.db'), 'x');
    expect(await list()).toEqual({
      isNightly: true,
      backups: [{ name: 'nightly-2026-11-20.db', bytes: 1, at: expect.any(String) }],
    });
  });
});
