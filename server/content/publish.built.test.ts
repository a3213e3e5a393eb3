/**
 * The built server shows what is published, and after `kill -9` at any moment of a publish the old or the new site.
 * With TEST_LONG there are 20 rounds on each database.
 */
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { site as file } from '../../site.config.ts';
import { engines } from '../testing/engines.ts';
import {
  type ServerProcess,
  seedPassword,
  startServer,
} from '../testing/process/server-process.ts';
import { cookieOf } from '../testing/site.ts';
import { readConfigText } from './config-file.ts';

// Each case starts several processes.
vi.setConfig({ testTimeout: 300_000 });

const rounds = process.env.TEST_LONG ? 20 : 3;
const password = 'plum tractor seldom violet';
/** Longer than a publish takes, in ms. */
const longest = 900;

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

  it(`a site killed during a publish shows the old or the new one, in ${rounds} rounds`, async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = await titleShown();
      const to = `Round ${round}`;
      const revision = await save(to);
      const answer = post('/api/site/publish', { revision }).then(
        ({ status }) => status,
        () => undefined,
      );
      await after((longest * round) / rounds);
      await kill();
      const status = await answer;
      await start();
      const shown = await titleShown();
      const { live } = (await (await get('/api/site/draft')).json()) as { live: unknown };
      expect([before, expect.stringContaining(to)]).toContainEqual(shown);
      if (status === 200) expect(shown).toContain(to);
      if (live === null) expect(shown).toBe(before);
      outcomes.push(`${status ?? 'killed'}, ${shown === before ? 'old' : 'new'}`);
    }
    console.log(outcomes.join('; '));
  });
});
