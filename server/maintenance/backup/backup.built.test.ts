/** Backups of a site that is being written to, and restores that are ended half-way: real processes. */

import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databaseFile } from '../../app/data-folder.ts';
import { openStores } from '../../app/stores.ts';
import { all } from '../../database/database.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { createOwner, type TestOwner } from '../../testing/cli-io.ts';
import { seedPassword, startServer } from '../../testing/process/server-process.ts';
import { browser } from '../../testing/site.ts';

vi.setConfig({ testTimeout: 240_000 });

let owner: TestOwner;
let data: string;
beforeEach(async () => {
  owner = await createOwner();
  data = join(owner.folder, 'data');
});
afterEach(() => owner.remove());

/** Types `npm run admin -- <args>` in this process: for what is neither killed nor beside a load. */
const admin = (args: string[], dataDir = data) => owner.admin(args, { env: { DATA_DIR: dataDir } });

/** The same as a process of its own. */
function adminProcess(args: string[]) {
  const child = spawn(process.execPath, [resolve('dist/server/admin.js'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: data, INIT_CWD: owner.folder },
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
  await mkdir(data);
  await seedPassword({ DATA_DIR: data });
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
  const { code, output } = await adminProcess(['backup', 'loaded.db']).ended;
  after?.push(...soFar());
  await vi.waitUntil(() => soFar().every((n, i) => n > (after?.[i] ?? 0)), 30_000);
  isOver = true;
  await Promise.all(writers);
  server.child.kill('SIGTERM');
  await server.ended;
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('add up') });

  const restored = join(owner.folder, 'restored');
  expect(await admin(['restore', 'loaded.db'], restored)).toMatchObject({ code: 0 });
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
  await admin(['backup', 'rest.db']);
  await admin(['restore', 'rest.db'], restored);
  expect(await seenIn(restored)).toEqual(await seenIn(data));
});

it('is refused beside a running site, in one line', async () => {
  await mkdir(data);
  await seedPassword({ DATA_DIR: data });
  const server = await startServer({ DATA_DIR: data });
  await admin(['backup', 'mine.db']);
  expect(await admin(['restore', 'mine.db'])).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The site is running on [^\n]*\n$/),
  });
  server.child.kill('SIGKILL');
  await server.ended;
  // Nothing is left of one that was killed.
  expect((await admin(['restore', 'mine.db'])).code).toBe(0);
});

/** After so many files came, went or were renamed: through all the steps, however fast the machine is. */
const moments = process.env.TEST_LONG ? [1, 2, 3, 4, 6, 8, 10, 12, 14, 16] : [1, 2, 3, 4, 8, 12];

it('ended by kill -9 at any step, a restore leaves the old database or the new one', async () => {
  await admin(['demo', '--events', '2000', '--days', '3']);
  await admin(['backup', 'old.db']);
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
  await admin(['backup', 'new.db']);

  let names = 'new';
  const outcomes = new Map<string, number>();
  for (const moment of moments) {
    const target = names === 'new' ? '' : 'new';
    const { child, ended } = adminProcess(['restore', target === 'new' ? 'new.db' : 'old.db']);
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
  expect((await admin(['restore', 'old.db'])).code).toBe(0);
  expect((await readdir(data)).filter((name) => name.includes('.part-'))).toEqual([]);
  const database = openSqlite(databaseFile(data));
  const sound = database.readNow(() => all('PRAGMA integrity_check'));
  await database.close();
  expect(sound).toEqual([{ integrity_check: 'ok' }]);
  console.info([...outcomes].map(([what, n]) => `${n} × ${what}`).join(', '));
});
