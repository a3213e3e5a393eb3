/** Deletes and replaces the files of the database under a running site: no acknowledged message is lost. */
import { execFile } from 'node:child_process';
import { copyFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, vi } from 'vitest';
import { lockFile } from '../../database/sqlite/folder-lock.ts';
import { databaseFile } from '../../stores/data-folder.ts';
import { cookieOf, password } from '../site.ts';
import { refusedServer, type ServerProcess, seededFolder, startServer } from './server-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const messages = 40;

/** The ends of the names of files that are deleted, and how the site ends. */
const losses = [
  { lost: ['-wal'], signal: 'SIGKILL' },
  { lost: ['', '-wal', '-shm'], signal: 'SIGKILL' },
  ...(process.env.TEST_LONG
    ? ([
        { lost: ['-shm'], signal: 'SIGTERM' },
        { lost: [''], signal: 'SIGKILL' },
      ] as const)
    : []),
] as const;

async function openHost() {
  const folder = await seededFolder(password);
  const settings = { DATA_DIR: folder, TRUST_PROXY: '1', ADMIN_PASSWORD: password };
  let visitors = 0;
  let server: ServerProcess;
  const start = async () => {
    server = await startServer(settings);
    return server;
  };
  /** Sends messages, each as a visitor of its own; returns the statuses. */
  const send = async (n: number) => {
    const statuses = new Set<number>();
    for (let i = 0; i < n; i++) {
      visitors += 1;
      const response = await fetch(`${server.origin}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.0.${visitors}` },
        body: JSON.stringify({ name: `n${visitors}`, email: 'a@example.com', message: 'Hello' }),
      });
      statuses.add(response.status);
    }
    return [...statuses];
  };
  const readiness = async () => (await fetch(`${server.origin}/readyz`)).status;
  const signIn = async () => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ password }) };
    const cookie = cookieOf(await fetch(`${server.origin}/api/admin/login`, init));
    return async (): Promise<string | null> => {
      const url = `${server.origin}/api/analytics/dashboard`;
      return (await (await fetch(url, { headers: { cookie } })).json()).alert;
    };
  };
  const stop = async (signal: 'SIGKILL' | 'SIGTERM') => {
    server.child.kill(signal);
    return server.ended;
  };
  const remove = async () => {
    await stop('SIGKILL');
    await rm(folder, { recursive: true });
  };
  /** Runs `npm run admin -- <args>` beside the site; returns its exit code and output. */
  const admin = (...args: string[]) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      const env = { PATH: process.env.PATH, DATA_DIR: folder, INIT_CWD: folder };
      execFile(process.execPath, ['dist/server/admin.js', ...args], { env }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, output: out + err }),
      );
    });
  return { folder, start, send, readiness, signIn, stop, remove, admin };
}

/** The names of the senders in a database file. */
function namesIn(file: string): string[] {
  const database = new DatabaseSync(file);
  const rows = database.prepare('SELECT name FROM contact_message').all() as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}

// They wait most of the time: the first one fifteen seconds, for the lock of the folder.
describe.concurrent('lost files', () => {
  it('a second site on one folder is refused with one line, and starts right after a kill -9', async () => {
    const host = await openHost();
    await host.start();
    // Without its file the lock would not exclude others.
    await rm(lockFile(host.folder));
    await vi.waitFor(() => stat(lockFile(host.folder)), 30_000);
    const second = await refusedServer({ DATA_DIR: host.folder, PORT: '0' });
    expect(second).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^Another site is running on [^\n]*Please stop that first[^\n]*\n$/,
      ),
    });
    expect((await host.admin('messages')).code).toBe(0);
    await host.stop('SIGKILL');
    await host.start();
    expect(await host.readiness()).toBe(200);
    await host.remove();
  });

  it.each(losses)(
    'messages survive when shingle.db$lost is deleted, commands run, and the site ends with $signal',
    async ({ lost, signal }) => {
      const host = await openHost();
      const server = await host.start();
      const alert = await host.signIn();
      expect(await host.send(messages)).toEqual([200]);
      for (const suffix of lost) await rm(databaseFile(host.folder) + suffix);
      const listed = await host.admin('messages');
      const backedUp = await host.admin('backup', join(host.folder, 'copy.db'));
      expect(await host.send(messages)).toEqual([200]);
      expect(await host.readiness()).toBe(200);
      const alerted = await alert();
      await host.stop(signal);

      expect(listed.output).toContain(`${messages} messages`);
      expect(backedUp.output).toContain('and verified');
      expect(namesIn(join(host.folder, 'copy.db'))).toHaveLength(messages);
      expect(alerted).toContain(`shingle.db${lost[0]}`);
      expect(alerted).toContain('The site saved all its data again.');
      expect(server.output()).toContain('database files: lost, saved all data in new ones');
      await host.start();
      expect(await (await host.signIn())()).toBe(alerted);
      await host.stop('SIGKILL');
      expect(new Set(namesIn(databaseFile(host.folder))).size).toBe(2 * messages);
      await host.remove();
    },
  );

  it('messages survive in a backup when another database replaces shingle.db', async () => {
    const host = await openHost();
    expect((await host.admin('backup', join(host.folder, 'old.db'))).code).toBe(0);
    const server = await host.start();
    const alert = await host.signIn();
    expect(await host.send(messages)).toEqual([200]);
    const before = await readFile(join(host.folder, 'old.db'));
    await rename(join(host.folder, 'old.db'), databaseFile(host.folder));
    expect(await host.send(1)).toEqual([503]);
    expect(await host.readiness()).toBe(503);
    expect(await alert()).toMatch(/^Nothing can be saved now\..*rescued-.*\.db: stop the site/s);
    expect(server.output()).toContain('database files: lost, saved all data in a backup');
    expect(await readFile(databaseFile(host.folder))).toEqual(before);
    await host.stop('SIGKILL');
    await host.start();
    expect(await (await host.signIn())()).toMatch(/rescued-.*\.db: stop the site/);
    await host.stop('SIGKILL');
    const backups = join(host.folder, 'backups');
    const [rescued = ''] = await readdir(backups);
    expect((await stat(join(backups, rescued))).mode & 0o777).toBe(0o600);
    expect((await host.admin('restore', rescued)).code).toBe(0);
    expect(namesIn(databaseFile(host.folder))).toHaveLength(messages);
    await host.start();
    expect(String(await (await host.signIn())())).not.toContain('rescued');
    await host.remove();
  });

  it('messages survive when the data folder is moved away and back', async () => {
    const host = await openHost();
    await host.start();
    const alert = await host.signIn();
    expect(await host.send(messages)).toEqual([200]);
    await rename(host.folder, `${host.folder}.moved`);
    expect(await host.send(1)).toEqual([503]);
    expect(await host.readiness()).toBe(503);
    expect(await alert()).toMatch(/^Nothing can be saved now\. .*Put it back/);
    await rename(`${host.folder}.moved`, host.folder);
    expect(await host.send(1)).toEqual([200]);
    expect(String(await alert())).not.toContain('Nothing can be saved');
    await host.stop('SIGKILL');
    expect(namesIn(databaseFile(host.folder))).toHaveLength(messages + 1);
    await host.remove();
  });

  it('a site waits for the previous one that is still stopping', async () => {
    const host = await openHost();
    await host.start();
    const next = startServer({ DATA_DIR: host.folder });
    await host.stop('SIGTERM');
    const { origin, child, ended } = await next;
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    child.kill('SIGKILL');
    await ended;
    await host.remove();
  });

  it('a site refuses to start with one line when its database is gone', async () => {
    const host = await openHost();
    expect((await host.admin('backup')).code).toBe(0);
    await rm(databaseFile(host.folder));
    expect(await refusedServer({ DATA_DIR: host.folder, PORT: '0' })).toEqual({
      code: 1,
      output: expect.stringMatching(
        /^The database [^\n]* is missing or empty, but [^\n]* has held a site\. [^\n]*admin -- restore[^\n]*\n$/,
      ),
    });
    expect(await readdir(host.folder)).not.toContain('shingle.db');
    await rm(host.folder, { recursive: true });
  });
});

// Alone: within a second after a write the log still has what the copy overwrites.
it('messages survive when a backup is copied over shingle.db, and the site ends with SIGKILL', async () => {
  const host = await openHost();
  await host.start();
  const alert = await host.signIn();
  expect(await host.send(messages)).toEqual([200]);
  expect((await host.admin('backup', join(host.folder, 'old.db'))).code).toBe(0);
  expect(await host.send(messages)).toEqual([200]);
  await copyFile(join(host.folder, 'old.db'), databaseFile(host.folder));
  expect(await host.send(messages)).toEqual([200]);
  await vi.waitFor(async () => {
    expect(await alert()).toMatch(/: shingle\.db in DATA_DIR was deleted, replaced or changed/);
  }, 30_000);
  const { code, output } = await host.admin('status');
  expect([code, output]).toEqual([1, expect.stringMatching(/✗ .*: shingle\.db in DATA_DIR was/)]);
  await host.stop('SIGKILL');
  expect(new Set(namesIn(databaseFile(host.folder))).size).toBe(3 * messages);
  await host.remove();
});
