/** Backups of a site under load, and restores that are killed, in real processes. */

import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { all } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { openSqlite } from '../../database/sqlite/sqlite.ts';
import { databaseFile } from '../../stores/data-folder.ts';
import { openStores } from '../../stores/stores.ts';
import { createOwner, type TestOwner } from '../../testing/cli-io.ts';
import { sampleMessage } from '../../testing/message.ts';
import { seedPassword, startServer } from '../../testing/process/server-process.ts';
import { rawFigures } from '../../testing/raw-figures.ts';
import { browser } from '../../testing/site.ts';

vi.setConfig({ testTimeout: 240_000 });

let owner: TestOwner;
let data: string;
beforeEach(async () => {
  owner = await createOwner();
  data = join(owner.folder, 'data');
});
afterEach(() => owner.remove());

/** Runs `npm run admin -- <args>` in this process. */
const admin = (args: string[], dataDir = data) => owner.admin(args, { env: { DATA_DIR: dataDir } });

/** Runs it in a child process, which can be killed. */
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

/** Reads the messages, figures and sales of a data folder. */
async function contentsOf(dataDir: string) {
  const stores = await openStores({ DATA_DIR: dataDir });
  try {
    const window = { from: 0, to: Date.now() + 86_400_000 };
    const list = await stores.contact.list({ limit: 1_000_000 });
    return {
      names: list.map(({ name }) => name).sort(),
      totals: await stores.analytics.totals(window),
      recount: (await rawFigures(stores.analytics)).totals(window),
      sources: await stores.analytics.sources(window),
      sales: await stores.analytics.sales(window, { limit: 1000 }),
      differences: (await stores.analytics.compareCounters()).differences,
    };
  } finally {
    await stores.close();
  }
}

it('backup taken under load restores a consistent snapshot', async () => {
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
  // Each writer sends its messages in sequence, so a backup contains a prefix of each sequence.
  const acknowledged: number[][] = [[], [], [], []];
  let isOver = false;
  const writers = acknowledged.map(async (sent, writer) => {
    for (let n = 0; !isOver; n++) {
      const visitor = n * acknowledged.length + writer;
      await post('/api/activity', visitor, { type: 'page_view' });
      const message = { name: `${writer}-${n}`, email: 'a@example.com', message: 'm' };
      const response = await post('/api/contact', visitor, message);
      if (response.ok) sent.push(n);
    }
  });
  const soFar = () => acknowledged.map((sent) => sent.length);
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
  const seen = await contentsOf(restored);
  for (const writer of acknowledged.keys()) {
    const stored = seen.names.filter((name) => name.startsWith(`${writer}-`)).length;
    const all = Array.from({ length: stored }, (_, n) => `${writer}-${n}`).sort();
    expect(seen.names.filter((name) => name.startsWith(`${writer}-`))).toEqual(all);
    // It contains what was acknowledged before its start, and nothing that was sent after its end.
    expect(stored).toBeGreaterThanOrEqual(before?.[writer] ?? 0);
    expect(stored).toBeLessThanOrEqual((after?.[writer] ?? 0) + 1);
  }
  // A writer sends its view before its message, so a snapshot has at most one more view per writer.
  const surplus = seen.totals.pageViews - seen.names.length;
  expect(surplus).toBeGreaterThanOrEqual(0);
  expect(surplus).toBeLessThanOrEqual(acknowledged.length);
  expect(seen.totals).toEqual(seen.recount);
  expect(seen.differences).toEqual([]);

  // Without load, the restored backup equals the site.
  await admin(['backup', 'rest.db']);
  await admin(['restore', 'rest.db'], restored);
  expect(await contentsOf(restored)).toEqual(await contentsOf(data));
});

it('restore is rejected with one line while the site runs', async () => {
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
  // A killed process leaves no lock.
  expect((await admin(['restore', 'mine.db'])).code).toBe(0);
});

/** Numbers of file changes after which to kill it: these cover all steps, whatever the machine's speed. */
const moments = process.env.TEST_LONG ? [1, 2, 3, 4, 6, 8, 10, 12, 14, 16] : [1, 2, 3, 4, 8, 12];

it('restore killed at any step leaves the old or the new database', async () => {
  await admin(['demo', '--events', '2000', '--days', '3']);
  await admin(['backup', 'old.db']);
  const oldNames = (await contentsOf(data)).names;
  const newNames = [...oldNames, 'new'].sort();
  const stores = await openStores({ DATA_DIR: data });
  await stores.contact.add(sampleMessage({ name: 'new' }));
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
    const found = await contentsOf(data);
    expect(found.differences).toEqual([]);
    expect([oldNames, newNames]).toContainEqual(found.names);
    const became = found.names.length === newNames.length ? 'new' : '';
    if (code === 0) expect(became).toBe(target);
    const outcome = code === 0 ? 'done' : became === target ? 'killed, new' : 'killed, old';
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    names = became;
  }
  expect(outcomes.get('killed, old') ?? 0).toBeGreaterThan(2);
  // The next complete restore deletes temporary files.
  expect((await admin(['restore', 'old.db'])).code).toBe(0);
  expect((await readdir(data)).filter((name) => name.includes('.part-'))).toEqual([]);
  const database = openSqlite(databaseFile(data));
  const integrity = database.readNow(() => all(sql`PRAGMA integrity_check`));
  await database.close();
  expect(integrity).toEqual([{ integrity_check: 'ok' }]);
  console.info([...outcomes].map(([what, n]) => `${n} × ${what}`).join(', '));
});
