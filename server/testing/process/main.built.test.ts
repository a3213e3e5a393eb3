import { existsSync } from 'node:fs';
import { chmod, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { site } from '../../../site.config.ts';
import { readEnv } from '../../env.ts';
import { sentenceFor } from '../../health/storage-errors.ts';
import { offlineChecks } from '../../launch-check/check.ts';
import { countOf } from '../../launch-check/finding.ts';
import { databaseFile, sessionSecret } from '../../stores/data-folder.ts';
import { openStores } from '../../stores/stores.ts';
import { freshSchema } from '../engines.ts';
import { freePort } from '../free-port.ts';
import { cookieOf } from '../site.ts';
import {
  emptyFolder,
  refusedServer,
  type ServerProcess,
  seedPassword,
  startServer,
} from './server-process.ts';

/** A folder that is removed after the test. */
async function openFolder({ onTestFinished }: TestContext) {
  const folder = await emptyFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const logIn = (origin: string, password: string) =>
  fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
const passwordIn = (output: string) => /admin password: (\S+)/.exec(output)?.[1];

describe('the first start', () => {
  let parent: string;
  let env: Record<string, string>;
  let first: ServerProcess;
  beforeAll(async () => {
    parent = await emptyFolder();
    env = { DATA_DIR: join(parent, 'new') };
    first = await startServer(env);
  });
  afterAll(async () => {
    first.child.kill('SIGKILL');
    await first.ended;
    await rm(parent, { recursive: true });
  });

  it('the server serves the built site', async () => {
    const { origin } = first;
    expect(await (await fetch(origin)).text()).toContain('<h1');
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${origin}/nowhere`)).status).toBe(404);
  });

  it('the first start prints how to change a logged password', () => {
    expect(first.output()).toMatch(
      /admin password: \S+ \(where a log keeps this, change it: npm run admin -- password\)\n/,
    );
  });

  it('the first start prints the number of open launch checks', () => {
    const count = countOf(offlineChecks({ site, env: readEnv({}) }));
    expect(count).toBeGreaterThan(0);
    expect(first.output()).toMatch(
      new RegExp(
        `is ready: .*\\n.*\\n${count} things? to do before going live: npm run launch-check\\n`,
      ),
    );
  });

  it('the first start prints the address of the set-up with its code', async () => {
    const address = /in the browser: (\S+)\n/.exec(first.output())?.[1] ?? '';
    expect(address).toMatch(/^http:\/\/localhost:\d+\/setup#\w{5}(-\w{5}){3}$/);
    expect((await fetch(address)).status).toBe(200);
  });

  it('a start prints address and data folder, and only the first one a working password', async () => {
    const password = passwordIn(first.output()) ?? '';
    expect(first.output()).toContain(`Its data is in ${env.DATA_DIR}`);
    expect((await logIn(first.origin, password)).status).toBe(200);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);

    const second = await startServer(env);
    expect(passwordIn(second.output())).toBeUndefined();
    expect(second.output()).toMatch(/in the browser: \S+\/setup\n/);
    expect((await logIn(second.origin, password)).status).toBe(200);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
    expect((await stat(join(parent, 'new'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(parent, 'new', 'session-secret'))).mode & 0o777).toBe(0o600);
  });
});

/** Retries until the server responds. */
async function firstResponse(ask: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await ask().catch(() => pause(2));
    if (response) return response;
  }
}

const oneLine = /^[^\n]+\n$/;

/** Returns the line that a start prints when this part of it fails. */
const refusalOf = (part: () => unknown) =>
  Promise.resolve()
    .then(part)
    .then(() => 'It did not fail.', sentenceFor);

const sentence = /^[^\n]+$/;

// They wait most of the time: the first one fifteen seconds, for the lock of the folder.
describe.concurrent('starts', () => {
  it('of two concurrent first starts on one folder one prints a password, which works, and one is refused', async (test) => {
    const folder = await openFolder(test);
    const both = await Promise.all([1, 2].map(() => startServer({ DATA_DIR: folder })));
    const [first, ...others] = both.filter(({ origin }) => origin !== '');
    expect(others).toEqual([]);
    const password = passwordIn(first?.output() ?? '') ?? '';
    expect((await logIn(first?.origin ?? '', password)).status).toBe(200);
    for (const { child } of both) child.kill('SIGTERM');
    const ended = await Promise.all(both.map((server) => server.ended));
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(ended.map(({ output }) => output).join()).toContain('Another site is running on');
  });

  it('a start on PostgreSQL prints the database without its password and needs no folder', async (test) => {
    const folder = await openFolder(test);
    const { url, remove } = await freshSchema();
    await seedPassword({ DATABASE_URL: url, DATA_DIR: '' });
    const { username, host, pathname } = new URL(url);
    const address = new URL(url);
    address.password = 'of-the-database';
    const DATA_DIR = join(folder, 'none');
    const SESSION_SECRET = 'secret of every instance';
    const { child, ended } = await startServer({
      DATABASE_URL: address.href,
      SESSION_SECRET,
      DATA_DIR,
    });
    child.kill('SIGTERM');
    const { code, output } = await ended;
    await remove();
    expect(code).toBe(0);
    expect(output).toContain(
      `\nIts data is in the PostgreSQL database ${pathname.slice(1)} at ${host}\n`,
    );
    expect(output).not.toContain('of-the-database');
    expect(output).not.toContain(`${username}:`);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('the database is readable only by its owner in a shared folder', async (test) => {
    const folder = await openFolder(test);
    const files = ['', '-wal', '-shm'].map((ending) => databaseFile(folder) + ending);
    const modes = () => Promise.all(files.map(async (file) => (await stat(file)).mode & 0o777));
    await chmod(folder, 0o755);
    const first = await startServer({ DATA_DIR: folder });
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    first.child.kill('SIGKILL');
    await first.ended;

    // As a program that copies files without their modes leaves them.
    for (const file of files) await chmod(file, 0o644);
    const stores = await openStores({ DATA_DIR: folder });
    expect(await modes()).toEqual([0o600, 0o600, 0o600]);
    expect((await stat(folder)).mode & 0o777).toBe(0o755);
    await stores.close();
  });

  it('a new ADMIN_PASSWORD replaces the old password and its sessions, also after the variable is removed', async (test) => {
    const folder = await openFolder(test);
    await seedPassword({ DATA_DIR: folder }, 'one');
    const first = await startServer({ DATA_DIR: folder, ADMIN_PASSWORD: 'one' });
    const cookie = cookieOf(await logIn(first.origin, 'one'));
    const isSignedIn = await fetch(`${first.origin}/api/messages`, { headers: { cookie } });
    expect(isSignedIn.status).toBe(200);
    first.child.kill('SIGTERM');
    await first.ended;

    const PORT = String(await freePort());
    const origin = `http://127.0.0.1:${PORT}`;
    const starting = startServer({ DATA_DIR: folder, PORT, ADMIN_PASSWORD: 'two' });
    const [messages, oldLogin, newLogin] = await Promise.all([
      firstResponse(() => fetch(`${origin}/api/messages`, { headers: { cookie } })),
      firstResponse(() => logIn(origin, 'one')),
      // A ready instance accepts the new password.
      firstResponse(() => fetch(`${origin}/readyz`)).then((ready) => {
        expect(ready.status).toBe(200);
        return logIn(origin, 'two');
      }),
    ]);
    const second = await starting;
    second.child.kill('SIGTERM');
    await second.ended;
    expect([messages.status, oldLogin.status, newLogin.status]).toEqual([401, 401, 200]);

    const third = await startServer({ DATA_DIR: folder });
    expect((await logIn(third.origin, 'two')).status).toBe(200);
    third.child.kill('SIGTERM');
    await third.ended;
  });

  it('an invalid variable stops the start with one line', async (test) => {
    const folder = await openFolder(test);
    const { code, output } = await refusedServer({ DATA_DIR: folder, PORT: 'many' });
    expect([code, output]).toEqual([
      1,
      'PORT must be a port number, not "many". For example: PORT=3000\n',
    ]);
  });

  it('a start fails with one line below 150 open files and works from there', async (test) => {
    const folder = await openFolder(test);
    const { code, output } = await refusedServer({ DATA_DIR: folder }, { openFiles: 64 });
    expect([code, output]).toEqual([
      1,
      'Only 64 files may be open at once, and the site needs 150. Please raise the limit: ' +
        'ulimit -n 4096, or LimitNOFILE=4096 in a systemd unit.\n',
    ]);
    await seedPassword({ DATA_DIR: folder });
    const server = await startServer({ DATA_DIR: folder }, { openFiles: 150 });
    const pages = Array.from({ length: 40 }, () => fetch(server.origin));
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(Array(40).fill(200));
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  it('a taken port stops the start with one line, and the next start prints the password', async (test) => {
    const folder = await openFolder(test);
    const other = createServer().listen(0);
    const { port } = other.address() as AddressInfo;
    const { code, output } = await refusedServer({ DATA_DIR: folder, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output).toMatch(oneLine);
    expect(output).toContain(`Port ${port} is taken.`);

    const next = await startServer({ DATA_DIR: folder });
    next.child.kill('SIGTERM');
    expect(passwordIn((await next.ended).output)).toMatch(/^\w{5}(-\w{5}){3}$/);
  });

  it('a HOST of another machine stops the start with one line', async (test) => {
    const folder = await openFolder(test);
    const { code, output } = await refusedServer({ DATA_DIR: folder, HOST: '192.0.2.1' });
    expect([code, output]).toEqual([
      1,
      'HOST must name an address of this machine, not "192.0.2.1". For example: HOST=127.0.0.1\n',
    ]);
  });

  it('a damaged session secret stops the start with one line', async (test) => {
    const folder = await openFolder(test);
    await writeFile(join(folder, 'session-secret'), '');
    const line = await refusalOf(() => sessionSecret(folder));
    expect(line).toMatch(sentence);
    expect(line).toContain('session secret');
  });

  it('two concurrent first starts on PostgreSQL print one password, which works', async () => {
    const { url, remove } = await freshSchema();
    const env = { DATABASE_URL: url, SESSION_SECRET: 'secret of every instance' };
    const both = await Promise.all([1, 2].map(() => startServer(env)));
    const shown = () => both.map(({ output }) => passwordIn(output())).filter(Boolean);
    const [password = ''] = await vi.waitUntil(() => shown().length > 0 && shown(), 20_000);
    for (const { origin, child, ended } of both) {
      expect((await logIn(origin, password)).status).toBe(200);
      child.kill('SIGTERM');
      await ended;
    }
    await remove();
    expect(shown()).toHaveLength(1);
  });

  it('an unwritable folder stops the start with one line', async (test) => {
    const folder = await openFolder(test);
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, output } = await refusedServer({ DATA_DIR: join(file, 'data') });
    expect(code).toBe(1);
    expect(output).toMatch(oneLine);
    expect(output).toContain('cannot be written');
  });

  it('a database of a newer version or an invalid one stops the start with one line', async (test) => {
    const folder = await openFolder(test);
    await seedPassword({ DATA_DIR: folder });
    const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
    database.exec('INSERT INTO schema_version (version) VALUES (999)');
    database.close();
    const newer = await refusalOf(() => openStores({ DATA_DIR: folder }));
    expect(newer).toMatch(sentence);
    expect(newer).toContain('newer version');

    const broken = await emptyFolder();
    await writeFile(
      databaseFile(broken),
      'this is not a database at all, but some text'.repeat(99),
    );
    const damaged = await refusalOf(() => openStores({ DATA_DIR: broken }));
    await rm(broken, { recursive: true });
    expect(damaged).toMatch(sentence);
    expect(damaged).toContain('damaged');
  });
});
