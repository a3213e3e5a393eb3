/** Backups of a site that is being written to, and restores that are ended half-way: real processes. */

import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databaseFile } from './data-folder.ts';
import { all } from './database/database.ts';
import { openSqlite } from './database/sqlite.ts';
import { openStores } from './stores.ts';
import { emptyFolder, startServer } from './test-process.ts';
import { browser } from './test-site.ts';

vi.setConfig({ testTimeout: 240_000 });

let folder: string;
beforeEach(async () => {
  folder = await emptyFolder();
});
afterEach(() => rm(folder, { recursive: true }));

/** Types `npm run admin -- <args>` as a process of its own. */
function admin(args: string[], dataDir: string) {
  const child = spawn(process.execPath, [resolve('dist/server/admin.js'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, INIT_CWD: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((done) =>
    child.on('close', (code) => done({ code, output })),
  );
  return { child, ended };
}

/** All that the owner sees of a data folder: messages, figures, sales. */
async function seenIn(dataDir: string) {
  const stores = await openStores({ DATA_DIR: dataDir });
  try {
    const window = { from: 0, to: Date.now() + 86_400_000 };
    const list = await stores.contact.list({ limit: 1_000_000 });
    return {
      names: list.map(({ name }) => name).sort(),
      totals: await stores.analytics.totals(window),
      recount: await stores.analytics.recount(window),
      sources: await stores.analytics.sources(window),
      sales: await stores.analytics.conversions(window, { limit: 1000 }),
      differences: (await stores.analytics.compareCounters()).differences,
    };
  } finally {
    await stores.close();
  }
}

it('a backup taken under load is the site of one instant, and restores to it', async () => {
  const data = join(folder, 'data');
  const server = await startServer({ DATA_DIR: data, TRUST_PROXY: '1' });
  const post = (path: string, n: number, body: unknown) =>
    fetch(server.origin + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': browser,
        origin: server.origin,
        'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
      },
      body: JSON.stringify(body),
    });
  // Each writer sends its messages one after the other: of each, a backup holds all up to some number.
  const acknowledged: number[][] = [[], [], [], []];
  let isOver = false;
  const writers = acknowledged.map(async (mine, writer) => {
    for (let n = 0; !isOver; n++) {
      const visitor = n * acknowledged.length + writer;
      await post('/api/activity', visitor, { type: 'page_view' });
      const message = { name: `${writer}-${n}`, email: 'a@example.com', message: 'm' };
      const answer = await post('/api/contact', visitor, message);
      if (answer.ok) mine.push(n);
    }
  });
  const soFar = () => acknowledged.map((mine) => mine.length);
  await vi.waitUntil(() => soFar().every((n) => n > 20), 30_000);

  const [before, after]: number[][] = [soFar(), []];
  const { code, output } = await admin(['backup', 'loaded.db'], data).ended;
  after?.push(...soFar());
  await vi.waitUntil(() => soFar().every((n, i) => n > (after?.[i] ?? 0)), 30_000);
  isOver = true;
  await Promise.all(writers);
  server.child.kill('SIGTERM');
  await server.ended;
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('add up') });

  const restored = join(folder, 'restored');
  const { code: restoring } = await admin(['restore', 'loaded.db'], restored).ended;
  expect(restoring).toBe(0);
  const seen = await seenIn(restored);
  for (const writer of acknowledged.keys()) {
    const kept = seen.names.filter((name) => name.startsWith(`${writer}-`)).length;
    const all = Array.from({ length: kept }, (_, n) => `${writer}-${n}`).sort();
    expect(seen.names.filter((name) => name.startsWith(`${writer}-`))).toEqual(all);
    // What was acknowledged before it began is in it; what had not been sent when it ended is not.
    expect(kept).toBeGreaterThanOrEqual(before?.[writer] ?? 0);
    expect(kept).toBeLessThanOrEqual((after?.[writer] ?? 0) + 1);
  }
  // A writer's view comes before its message: of one instant, there are as many or one more.
  const surplus = seen.totals.pageViews - seen.names.length;
  expect(surplus).toBeGreaterThanOrEqual(0);
  expect(surplus).toBeLessThanOrEqual(acknowledged.length);
  expect(seen.totals).toEqual(seen.recount);
  expect(seen.differences).toEqual([]);

  // Restored beside the site, at rest, everything is the same as in the site itself.
  await admin(['backup', 'rest.db'], data).ended;
  await admin(['restore', 'rest.db'], restored).ended;
  expect(await seenIn(restored)).toEqual(await seenIn(data));
});

it('is refused beside a running site, in one line', async () => {
  const server = await startServer({ DATA_DIR: folder });
  await admin(['backup', 'mine.db'], folder).ended;
  const { code, output } = await admin(['restore', 'mine.db'], folder).ended;
  expect({ code, output }).toEqual({
    code: 1,
    output: expect.stringMatching(/^The site is running on [^\n]*\n$/),
  });
  server.child.kill('SIGKILL');
  await server.ended;
  // Nothing is left of one that was killed.
  expect((await admin(['restore', 'mine.db'], folder).ended).code).toBe(0);
});

/** After so many files came, went or were renamed: through all the steps, however fast the machine is. */
const moments = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16];

it('ended by kill -9 at any step, a restore leaves the old database or the new one', async () => {
  const data = join(folder, 'data');
  await admin(['demo', '--events', '2000', '--days', '3'], data).ended;
  await admin(['backup', join(folder, 'old.db')], data).ended;
  const stores = await openStores({ DATA_DIR: data });
  await stores.contact.add({
    id: 'new',
    receivedAt: 1,
    name: 'new',
    email: 'a@b.co',
    company: null,
    message: 'm',
  });
  await stores.close();
  await admin(['backup', join(folder, 'new.db')], data).ended;

  let names = 'new';
  const outcomes = new Map<string, number>();
  for (const moment of moments) {
    const target = names === 'new' ? '' : 'new';
    const { child, ended } = admin(['restore', target === 'new' ? 'new.db' : 'old.db'], data);
    let changes = 0;
    const watcher = watch(data, (event) => {
      if (event === 'rename' && ++changes === moment) child.kill('SIGKILL');
    });
    const { code } = await ended;
    watcher.close();
    const found = await seenIn(data);
    expect(found.differences).toEqual([]);
    const became = found.names.join();
    expect(['', 'new']).toContain(became);
    if (code === 0) expect(became).toBe(target);
    const outcome = code === 0 ? 'done' : became === target ? 'killed, new' : 'killed, old';
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    names = became;
  }
  expect(outcomes.get('killed, old') ?? 0).toBeGreaterThan(2);
  // The next one that comes to its end clears up.
  expect((await admin(['restore', 'old.db'], data).ended).code).toBe(0);
  expect((await readdir(data)).filter((name) => name.includes('.part-'))).toEqual([]);
  const database = openSqlite(databaseFile(data));
  const sound = database.readNow(() => all('PRAGMA integrity_check'));
  await database.close();
  expect(sound).toEqual([{ integrity_check: 'ok' }]);
  console.info([...outcomes].map(([what, n]) => `${n} × ${what}`).join(', '));
});
