/** Readiness is whether a message could be kept now: asked of a real site on a disk that fails it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { databaseFile } from './data-folder.ts';
import { createReadiness } from './readiness.ts';
import { emptyFolder } from './test-process.ts';
import { openTestSite } from './test-site.ts';

let folder: string;
beforeEach(async () => {
  folder = await emptyFolder();
});
afterEach(() => rm(folder, { recursive: true }));

it('is red while another program keeps the database locked, and green again after', async () => {
  const site = await openTestSite();
  const status = async (path: string) => (await site.fetch(path)).status;
  expect(await status('/readyz')).toBe(200);
  const other = new DatabaseSync(databaseFile(site.dataDir));
  other.exec('BEGIN IMMEDIATE');
  await vi.waitUntil(async () => (await status('/readyz')) === 503, { timeout: 20_000 });
  expect(await status('/healthz')).toBe(200);
  other.exec('ROLLBACK');
  other.close();
  await vi.waitUntil(async () => (await status('/readyz')) === 200, { timeout: 20_000 });
  await site.close();
});

it('/readyz is 503 and messages are refused once the database file is deleted', async () => {
  const site = await openTestSite();
  const file = databaseFile(site.dataDir);
  await rename(file, `${file}.moved`);
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 503, { timeout: 20_000 });
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  expect((await site.post('/api/contact', message)).status).toBe(503);
  await rename(`${file}.moved`, file);
  expect((await site.post('/api/contact', message)).status).toBe(200);
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 200, { timeout: 20_000 });
  await site.close();
});

it('is red once a newer version has changed the database beside this one, and says so', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const site = await openTestSite({ log });
  const other = new DatabaseSync(databaseFile(site.dataDir));
  other.exec('INSERT INTO schema_version (version) VALUES (999)');
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 503, { timeout: 20_000 });
  expect(lines.join('')).toContain('written by a newer version of Shingle (its schema is 999');
  other.exec('DELETE FROM schema_version WHERE version = 999');
  other.close();
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 200, { timeout: 20_000 });
  await site.close();
});

/** The built server on a disk where no file can grow beyond so many kilobytes. */
async function startOnSmallDisk(kilobytes: number) {
  const child: ChildProcess = spawn(
    'bash',
    ['-c', `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$0" dist/server/main.js`, process.execPath],
    {
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: '0',
        DATA_DIR: folder,
        TRUST_PROXY: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  await vi.waitUntil(() => /is ready: \S+?:\d+\n/.test(output), { timeout: 20_000 });
  const port = /is ready: \S+?:(\d+)\n/.exec(output)?.[1];
  return { child, origin: `http://127.0.0.1:${port}`, output: () => output };
}

it('is red once the disk is full, while the process is alive', async () => {
  const { child, origin, output } = await startOnSmallDisk(1200);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  let visitors = 0;
  const send = async (length: number) => {
    visitors += 1;
    const { status } = await fetch(`${origin}/api/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${visitors}` },
      body: JSON.stringify({ name: 'A', email: 'a@b.co', message: 'x'.repeat(length) }),
    });
    return status;
  };
  expect(await send(20_000)).toBe(200);
  // What is too large for the room that is left leaves that room: it is filled with smaller ones.
  for (const length of [20_000, 6000, 1]) {
    let status: number;
    do status = await send(length);
    while (status === 200);
    expect(status).toBe(503);
  }
  await vi.waitUntil(async () => (await fetch(`${origin}/readyz`)).status === 503, {
    timeout: 20_000,
    interval: 500,
  });
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(output()).toMatch(/The disk (is full|of DATA_DIR fails)/);
  child.kill('SIGTERM');
  await new Promise((resolve) => child.on('close', resolve));
});

it('asks once for all who ask at the same time or shortly after', async () => {
  let at = 0;
  const probe = vi.fn(async () => {});
  const isReady = createReadiness(probe, { now: () => at });
  await Promise.all([isReady(), isReady(), isReady()]);
  await isReady();
  expect(probe).toHaveBeenCalledTimes(1);
  at += 2000;
  probe.mockRejectedValueOnce(new Error('full'));
  await expect(isReady()).rejects.toThrow('full');
  await expect(isReady()).rejects.toThrow('full');
  at += 2000;
  await isReady();
  expect(probe).toHaveBeenCalledTimes(3);
});
