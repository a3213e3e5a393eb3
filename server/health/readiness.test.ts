/** Readiness of a real site whose database fails. */
import { rename } from 'node:fs/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { databaseFile } from '../stores/data-folder.ts';
import { openTestSite } from '../testing/site.ts';
import { createReadiness } from './readiness.ts';

/** Short timeouts; the results are the same. */
const timing = { busyTimeoutMs: 50, readinessCacheMs: 10 };

it('/readyz is 503 while another program locks the database', async () => {
  const site = await openTestSite({ overrides: { timing } });
  const status = async (path: string) => (await site.fetch(path)).status;
  expect(await status('/readyz')).toBe(200);
  const other = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
  other.exec('BEGIN IMMEDIATE');
  await vi.waitUntil(async () => (await status('/readyz')) === 503, { timeout: 20_000 });
  expect(await status('/healthz')).toBe(200);
  other.exec('ROLLBACK');
  other.close();
  await vi.waitUntil(async () => (await status('/readyz')) === 200, { timeout: 20_000 });
  await site.close();
});

it('/readyz and messages return 503 while the data folder is moved away', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const site = await openTestSite({ log, overrides: { timing: { ...timing, watchMs: 10 } } });
  await rename(site.dataDir, `${site.dataDir}.moved`);
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 503, { timeout: 20_000 });
  const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
  expect((await site.post('/api/contact', message)).status).toBe(503);
  const failures = () =>
    lines.filter((line) => line.includes('database files: lost, and the data could not be saved'));
  await vi.waitUntil(() => failures().length > 0, { timeout: 20_000 });
  await rename(`${site.dataDir}.moved`, site.dataDir);
  expect((await site.post('/api/contact', message)).status).toBe(200);
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 200, { timeout: 20_000 });
  expect(failures()).toHaveLength(1);
  await site.close();
});

it('/readyz is 503 once a newer version has migrated the database', async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line) => void lines.push(line) });
  const site = await openTestSite({ log, overrides: { timing } });
  const other = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
  other.exec('INSERT INTO schema_version (version) VALUES (999)');
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 503, { timeout: 20_000 });
  expect(lines.join('')).toContain('written by a newer version of Shingle (its schema is 999');
  other.exec('DELETE FROM schema_version WHERE version = 999');
  other.close();
  await vi.waitUntil(async () => (await site.fetch('/readyz')).status === 200, { timeout: 20_000 });
  await site.close();
});

it('concurrent and repeated readiness checks share one probe', async () => {
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
