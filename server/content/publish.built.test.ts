/**
 * The built server shows what is published, and after `kill -9` at any moment of a publish the old or the new site.
 * With TEST_LONG there are 20 rounds on each database, and 200 readers during 10 publishes.
 */
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { site as file } from '../../site.config.ts';
import { engines, postgres } from '../testing/engines.ts';
import { pictureOf } from '../testing/picture.ts';
import {
  type ServerProcess,
  seedPassword,
  startServer,
} from '../testing/process/server-process.ts';
import { cookieOf } from '../testing/site.ts';
import { readConfigText } from './config-file.ts';

// Each case starts several processes.
vi.setConfig({ testTimeout: 300_000 });

const rounds = process.env.TEST_LONG ? 20 : 2;
const readers = process.env.TEST_LONG ? 200 : 10;
const publishes = process.env.TEST_LONG ? 10 : 2;
const password = 'plum tractor seldom violet';
const used = process.env.TEST_LONG ? engines : engines.slice(0, 1);

describe.each(used)('on $name', ({ create }) => {
  let database: Awaited<ReturnType<typeof create>>;
  let server: ServerProcess;
  let cookie: string;
  const env = () => ({ DATA_DIR: '/nonexistent', ...database.env, ADMIN_PASSWORD: password });

  beforeEach(async () => {
    database = await create();
    await seedPassword({ DATA_DIR: '', ...database.env }, password);
    await start();
    title = file.hero.title;
  });
  afterEach(async () => {
    await kill();
    await database.remove();
  });

  async function start() {
    server = await startServer(env());
    cookie = cookieOf(await post('/api/admin/login', { password }));
  }
  async function kill() {
    server.child.kill('SIGKILL');
    await server.ended;
  }
  const post = (path: string, body: object) =>
    fetch(server.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: cookie ?? '' },
      body: JSON.stringify(body),
    });
  const get = (path: string) => fetch(server.origin + path, { headers: { cookie } });
  const titleShown = async () => /<h1[^>]*>(.*?)<\/h1>/.exec(await (await get('/')).text())?.[1];

  interface Draft {
    document: typeof file;
    live: { version: number } | null;
    changes: { path: string }[];
  }
  const draft = async () => (await (await get('/api/site/draft')).json()) as Draft;
  const upload = async (bytes: Buffer) => {
    const response = await fetch(`${server.origin}/api/site/photos`, {
      ...{ method: 'POST', headers: { cookie }, body: new Uint8Array(bytes) },
    });
    return ((await response.json()) as { address: string }).address;
  };
  /** What visitors see, whose photo and texts of scripts are there. */
  const shown = async () => {
    const html = await (await get('/')).text();
    const title = await titleShown();
    const photo = /\/photos\/[0-9a-f]{32}\.jpg/.exec(html)?.[0];
    if (photo) expect((await get(photo)).status).toBe(200);
    const words = await get(/\/assets\/words-[\w-]+\.js/.exec(html)?.[0] ?? '');
    return { title, photo, send: /"tagline":"([^"]*)"/.exec(await words.text())?.[1] };
  };

  /** That of the draft. */
  let title: string;
  /** Saves another title; returns the revision to publish. */
  async function save(to: string): Promise<number> {
    const saved = await post('/api/site/draft', {
      patches: [{ path: 'hero.title', from: title, to }],
    });
    const { revision, conflicts } = (await saved.json()) as { revision: number; conflicts: [] };
    expect(conflicts).toEqual([]);
    title = to;
    return revision;
  }

  it('a published text is on the page, after kill -9 too, and in the export', async () => {
    const response = await post('/api/site/publish', { revision: await save('Published here') });
    expect([response.status, await response.json()]).toMatchObject([200, { version: 2 }]);
    expect(await titleShown()).toContain('Published here');
    await kill();
    await start();
    expect(await titleShown()).toContain('Published here');
    if (!database.env.DATA_DIR) return;
    const target = join(database.env.DATA_DIR, 'site.config.ts');
    const admin = spawn(
      process.execPath,
      [resolve('dist/server/admin.js'), 'content', 'export', target],
      {
        env: { PATH: process.env.PATH, ...env() },
      },
    );
    expect(await new Promise((done) => admin.on('close', done))).toBe(0);
    const text = await readFile(target, 'utf8');
    expect(text).toContain('/** The first screen. */');
    expect(await readConfigText(text)).toEqual({
      ...file,
      hero: { ...file.hero, title: 'Published here' },
    });
    expect(await (await get('/api/site/export')).text()).toBe(text);
    await rm(target);
  });

  it(`a site killed during a publish is whole, old or new, and so is its draft, in ${rounds} rounds`, async () => {
    const paths = ['hero.title', 'about.photo', 'brand.tagline'];
    const outcomes: string[] = [];
    let publishMs = 0;
    for (let round = 0; round < rounds; round++) {
      const before = { shown: await shown(), live: (await draft()).live };
      const photo = await upload(await pictureOf('jpeg', 480 + 4 * round, 600 + 5 * round));
      const to = { title: `Round ${round}`, photo, send: `Send ${round}` };
      const tagline = `Left in the draft in round ${round}`;
      const { document } = await draft();
      const saved = await post('/api/site/draft', {
        patches: [
          { path: 'hero.title', from: document.hero.title, to: to.title },
          { path: 'about.photo', from: document.about.photo, to: to.photo },
          { path: 'brand.tagline', from: document.brand.tagline, to: to.send },
          { path: 'tagline', from: document.tagline, to: tagline },
        ],
      });
      const { revision } = (await saved.json()) as { revision: number };
      const startedAt = performance.now();
      const answer = post('/api/site/publish', { revision, paths }).then(
        ({ status }) => status,
        () => undefined,
      );
      // The first one is left alone; the last one has usually ended.
      if (round === 0) await answer;
      else await after((1.2 * publishMs * round) / (rounds - 1));
      publishMs ||= performance.now() - startedAt;
      await kill();
      const status = await answer;
      await start();
      const now = await shown();
      const isOld = isDeepStrictEqual(now, before.shown);
      if (!isOld) expect(now).toEqual(to);
      if (status !== undefined) expect([status, isOld]).toEqual([200, false]);
      const { live, document: kept, changes } = await draft();
      expect(live?.version === before.live?.version).toBe(isOld);
      expect([kept.hero.title, kept.about.photo, kept.brand.tagline, kept.tagline]).toEqual([
        ...[to.title, to.photo, to.send, tagline],
      ]);
      const changed = changes.map(({ path }) => path).filter((path) => path !== 'tagline');
      expect(changed.toSorted()).toEqual(isOld ? paths.toSorted() : []);
      outcomes.push(`${status ?? 'killed'}, ${isOld ? 'old' : 'new'}`);
    }
    console.log(outcomes.join('; '));
  });
});

it(`${readers} parallel readers of two instances get whole pages, and their texts of scripts from either one, during ${publishes} publishes`, async () => {
  const database = await postgres.create();
  onTestFinished(database.remove);
  await seedPassword({ DATA_DIR: '', ...database.env }, password);
  const env = { DATA_DIR: '/nonexistent', ...database.env, ADMIN_PASSWORD: password };
  const servers = await Promise.all([startServer(env), startServer(env)]);
  onTestFinished(async () => {
    for (const { child } of servers) child.kill('SIGKILL');
    await Promise.all(servers.map(({ ended }) => ended));
  });
  const [here, there] = servers.map(({ origin }) => origin) as [string, string];
  const post = (path: string, body: object, cookie = '') =>
    fetch(here + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    });
  const cookie = cookieOf(await post('/api/admin/login', { password }));
  /** The number of the version on a page, which the texts of its scripts have, too. */
  const read = async (from: string, other: string) => {
    const page = await fetch(from);
    const html = await page.text();
    const title = /<h1[^>]*>Version (\d+)<\/h1>/.exec(html)?.[1] ?? '0';
    if (page.status !== 200 || !html.endsWith('</body></html>'))
      throw new Error(`A reader got ${page.status}.`);
    const words = await fetch(other + (/\/assets\/words-[\w-]+\.js/.exec(html)?.[0] ?? ''));
    const send = /"tagline":"Version (\d+)"/.exec(await words.text())?.[1] ?? '0';
    if (words.status !== 200 || send !== title)
      throw new Error(`Version ${title} got ${words.status}, texts of version ${send}.`);
    return Number(title);
  };
  let isDone = false;
  const reading = Promise.all(
    Array.from({ length: readers }, async (_, i) => {
      const seen: number[] = [];
      while (!isDone) {
        const version = await (i % 2 ? read(here, there) : read(there, here));
        if (version !== seen.at(-1)) seen.push(version);
      }
      return seen;
    }),
  );
  // It is awaited below; a publish that fails must not leave it unhandled.
  reading.catch(() => {});
  let [title, send] = [file.hero.title, file.brand.tagline];
  try {
    for (let version = 1; version <= publishes; version++) {
      const to = `Version ${version}`;
      const patches = [
        { path: 'hero.title', from: title, to },
        { path: 'brand.tagline', from: send, to },
      ];
      const saved = await post('/api/site/draft', { patches }, cookie);
      const { revision } = (await saved.json()) as { revision: number };
      expect((await post('/api/site/publish', { revision }, cookie)).status).toBe(200);
      [title, send] = [to, to];
      expect(await read(here, there)).toBe(version);
    }
    await expect.poll(() => read(there, here)).toBe(publishes);
  } finally {
    isDone = true;
  }
  const seen = await reading;
  // Each reader saw the versions in their order, and all of them together the first and the last one.
  for (const versions of seen) expect(versions).toEqual(versions.toSorted((a, b) => a - b));
  expect([Math.min(...seen.flat()), Math.max(...seen.flat())]).toEqual([0, publishes]);
});
