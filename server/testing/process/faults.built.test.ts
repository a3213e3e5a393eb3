/** Causes the faults of `docs/faults.md` in the running server and checks its behaviour. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { sentenceFor } from '../../health/storage-errors.ts';
import { databaseFile } from '../../stores/data-folder.ts';
import { openStores } from '../../stores/stores.ts';
import { sentenceOf } from '../../trpc/errors.ts';
import { sampleMessage } from '../message.ts';
import { browser, cookieOf, openTestSite, password, signIn } from '../site.ts';
import { openTestSmtp } from '../smtp.ts';
import {
  type Circumstances,
  refusedServer,
  type ServerProcess,
  seededFolder,
  startServer,
} from './server-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const metricsKey = 'of-no-interest-here';

/** A data folder, and a way to start servers on it. */
async function createHost() {
  const folder = await seededFolder(password);
  const servers: ServerProcess[] = [];
  async function start(env: Record<string, string> = {}, circumstances: Circumstances = {}) {
    const server = await startServer(
      {
        DATA_DIR: folder,
        TRUST_PROXY: '1',
        ADMIN_PASSWORD: password,
        METRICS_KEY: metricsKey,
        ...env,
      },
      circumstances,
    );
    servers.push(server);
    return server;
  }
  async function remove() {
    for (const { child, ended } of servers) {
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true });
  }
  return { folder, start, remove };
}

/** The same, removed after the test. */
async function openHost({ onTestFinished }: TestContext) {
  const host = await createHost();
  onTestFinished(host.remove);
  return host;
}

let visitors = 0;

/** Sends a message as a new visitor. */
const write = ({ origin }: { origin: string }, message = 'Hello') =>
  fetch(`${origin}/api/contact`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.1.${++visitors >> 8}.${visitors & 255}`,
    },
    body: JSON.stringify({ name: `Ada ${visitors}`, email: 'ada@example.com', message }),
  });

/** Signs in before the fault; returns a function that reads the dashboard's alert. */
async function ownerOf({ origin }: { origin: string }): Promise<() => Promise<unknown>> {
  const login = await fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  const headers = { cookie: cookieOf(login) };
  return async () => {
    const response = await fetch(`${origin}/api/analytics/dashboard`, { headers });
    return (await response.json()).alert;
  };
}

/** Number of messages on disk. */
function countMessages(folder: string): number {
  const database = new DatabaseSync(databaseFile(folder), { timeout: 5000 });
  const [row] = database.prepare('SELECT count(*) AS n FROM contact_message').all() as {
    n: number;
  }[];
  database.close();
  return row?.n ?? 0;
}

/** A connection that sends `text` and then what the test writes. */
async function speak({ origin }: ServerProcess, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const body = JSON.stringify({
  name: 'Ada',
  email: 'ada@example.com',
  message: 'Half of this is late.',
});
const head = `POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
const half = head + body.slice(0, 30);

/** Waits until the log contains the line, which can arrive after the response. */
const logged = (server: ServerProcess, pattern: RegExp) =>
  vi.waitFor(() => expect(server.output()).toMatch(pattern), 60_000);

/** Stops the server with SIGTERM. After 9.5 seconds the exit code would be 1. */
function stop({ child, ended }: ServerProcess) {
  child.kill('SIGTERM');
  return ended;
}

const waitOptions = { timeout: 60_000, interval: 50 };

/** Waits until the server has received the signal and accepts no more connections. */
const isStopping = ({ origin }: ServerProcess) =>
  vi.waitUntil(
    () =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    waitOptions,
  );

/** Waits until a write is blocked by the database. */
const isWaiting = ({ origin }: ServerProcess) =>
  vi.waitUntil(async () => {
    const headers = { authorization: `Bearer ${metricsKey}` };
    const metrics = await (await fetch(`${origin}/metrics`, { headers })).text();
    return /^shingle_writes_waiting [1-9]/m.test(metrics);
  }, waitOptions);

/** Locks the database as another program until it is closed. */
function lockDatabase(folder: string, how: 'IMMEDIATE' | 'EXCLUSIVE' = 'IMMEDIATE') {
  const other = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
  other.exec(`BEGIN ${how}`);
  return other;
}

const unavailable = { error: sentenceOf('STORAGE_UNAVAILABLE'), code: 'STORAGE_UNAVAILABLE' };

/** Shared by tests that do not change the server's state. */
let shared: Awaited<ReturnType<typeof createHost>> & { server: ServerProcess };
beforeAll(async () => {
  const host = await createHost();
  shared = { ...host, server: await host.start() };
}, 120_000);
afterAll(async () => {
  expect((await stop(shared.server)).code).toBe(0);
  await shared.remove();
});

describe.concurrent('stop', () => {
  it('SIGTERM finishes a slow request and cuts off an endless one within ten seconds', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const [slow, endless] = [await speak(server, half), await speak(server, half)];
    const acknowledged = await Promise.all(Array.from({ length: 50 }, () => write(server)));
    const stopping = stop(server);
    await isStopping(server);
    slow.write(body.slice(30));
    const [response] = await once(slow, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 200 /);
    expect((await stopping).code).toBe(0);
    expect(countMessages(folder)).toBe(acknowledged.length + 1);
    endless.destroy();
  });

  it('a second SIGTERM cuts off requests and loses no acknowledged write', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const endless = await speak(server, half);
    const responses = await Promise.all(Array.from({ length: 50 }, () => write(server)));
    expect(responses.every(({ ok }) => ok)).toBe(true);
    const begin = performance.now();
    const stopping = stop(server);
    await isStopping(server);
    server.child.kill('SIGTERM');
    expect((await stopping).code).toBe(0);
    // Without the second signal it would wait six seconds.
    expect(performance.now() - begin).toBeLessThan(6000);
    expect(countMessages(folder)).toBe(50);
    endless.destroy();
  });

  it('SIGTERM ends the server within ten seconds while another program locks the database', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const other = lockDatabase(folder);
    const response = write(server).catch(() => undefined);
    await isWaiting(server);
    expect((await stop(server)).code).toBe(0);
    expect((await response)?.status ?? 503).toBe(503);
    other.close();
    expect(countMessages(folder)).toBe(0);
  });

  it('SIGTERM ends the server within ten seconds while the mail server hangs, and the email stays queued', async (test) => {
    const { folder, start } = await openHost(test);
    const smtp = await openTestSmtp();
    smtp.setBehaviour('hang');
    const server = await start({ SMTP_URL: smtp.url, CONTACT_TO: 'owner@example.com' });
    expect((await write(server)).status).toBe(200);
    expect((await stop(server)).code).toBe(0);
    const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
    const emails = database.prepare('SELECT state FROM outbox').all();
    database.close();
    expect(emails).toEqual([{ state: 'waiting' }]);
    await smtp.close();
  });
});

describe('a full disk', () => {
  const long = 'x'.repeat(20_000);
  let host: Awaited<ReturnType<typeof createHost>>;
  let server: ServerProcess;
  let readAlert: () => Promise<unknown>;
  let device: string;
  let acknowledged = 0;
  /** The response to the first rejected message. */
  let refusal: Response;

  const logIn = (path: string, headers: Record<string, string>) =>
    fetch(server.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ password }),
    });

  beforeAll(async () => {
    host = await createHost();
    server = await host.start({}, { fileLimit: 1024 * 1024 });
    readAlert = await ownerOf(server);
    device = /device=[^;]+/.exec(cookieOf(await logIn('/api/admin/login', {})))?.[0] ?? '';
    const readiness = async () => (await fetch(`${server.origin}/readyz`)).status;
    expect(await readiness()).toBe(200);
    /** Sends messages of this length until one is rejected. */
    const fill = async (length: number) => {
      for (;;) {
        const response = await write(server, 'x'.repeat(length));
        if (!response.ok) return response;
        acknowledged += 1;
      }
    };
    refusal = await fill(long.length);
    // Shorter messages fill the room that was too small for a long one, and readiness checks the rest:
    // any write that succeeds would end the alert. In the pause the log is copied and has room again, until
    // the main file is full, too.
    let beforePause = 0;
    await vi.waitUntil(
      async () => {
        for (const length of [long.length, 6000, 1]) expect((await fill(length)).status).toBe(503);
        const isFull = acknowledged === beforePause;
        beforePause = acknowledged;
        await new Promise((resolve) => setTimeout(resolve, 2500));
        return (await readiness()) === 503 && isFull;
      },
      { timeout: 100_000 },
    );
  }, 120_000);
  afterAll(() => host.remove());

  it('a right password on a full disk returns 503 and uses up no sign-in attempts', async () => {
    const responses: [number, string][] = [];
    // More attempts than the quotas of a known browser and an address together.
    for (let n = 0; n < 32; n++) {
      const path = n % 2 ? '/api/admin/login' : '/api/trpc/auth.login';
      const response = await logIn(path, n < 21 ? { cookie: device } : {});
      responses.push([response.status, await response.text()]);
    }
    const notNow: unknown = [503, expect.stringContaining(sentenceOf('STORAGE_UNAVAILABLE'))];
    expect(responses).toEqual(responses.map(() => notNow));
  });

  it('a full disk keeps acknowledged writes, serves pages, returns 503 for writes and is not ready', async () => {
    expect(acknowledged).toBeGreaterThan(0);
    expect([refusal.status, await refusal.json()]).toEqual([503, unavailable]);
    expect(refusal.headers.get('retry-after')).toBe('60');
    expect((await fetch(server.origin)).status).toBe(200);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(await readAlert()).toMatch(/^Nothing can be saved now\. The disk/);
    await logged(server, /"level":50.*"reason":"The disk (is full|of DATA_DIR cannot)/);
    expect((await stop(server)).code).toBe(0);

    const again = await openTestSite({ env: { DATA_DIR: host.folder } });
    expect(countMessages(host.folder)).toBe(acknowledged);
    const message = { name: 'Ada', email: 'ada@example.com', message: long };
    expect((await again.post('/api/contact', message)).status).toBe(200);
    await again.close();
  });
});

describe.concurrent('read-only data folder', () => {
  it('a read-only data folder stops the start with one line', async (test) => {
    const { folder } = await openHost(test);
    await chmod(folder, 0o555);
    const { code, output } = await refusedServer({ DATA_DIR: folder }, { obedient: true });
    await chmod(folder, 0o755);
    expect(code).toBe(1);
    expect(output).toBe(
      `The data folder ${folder} cannot be written (EACCES). Please give this user write access to it, or set DATA_DIR to another folder.\n`,
    );
  });

  it('a read-only database file stops the start with one line', async (test) => {
    const { folder } = await openHost(test);
    await chmod(databaseFile(folder), 0o444);
    const { code, output } = await refusedServer(
      { DATA_DIR: folder, SESSION_SECRET: 'of no interest here' },
      { obedient: true },
    );
    expect([code, output]).toEqual([
      1,
      `The database file ${databaseFile(folder)} cannot be written (EACCES). Please give this user write access to it.\n`,
    ]);
  });
});

describe.concurrent('damaged database', () => {
  it('a damaged page returns 503 with what to do, and other requests work', async (test) => {
    const { folder } = await openHost(test);
    const stores = await openStores({ DATA_DIR: folder });
    await stores.contact.add(sampleMessage());
    await stores.close();
    const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const [table] = database
      .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'contact_message'`)
      .all() as { rootpage: number }[];
    database.close();
    const file = await open(databaseFile(folder), 'r+');
    await file.write(Buffer.alloc(4096, 0xa5), 0, 4096, ((table?.rootpage ?? 0) - 1) * 4096);
    await file.close();

    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => void lines.push(line) });
    const site = await openTestSite({ log, env: { DATA_DIR: folder } });
    const readAlert = await ownerOf(site);
    expect((await site.fetch('/')).status).toBe(200);
    const response = await write(site);
    expect([response.status, await response.json()]).toEqual([503, unavailable]);
    expect(lines.join('')).toMatch(
      /"reason":"The database file in DATA_DIR is damaged\. Restore a backup/,
    );
    expect(await readAlert()).toContain('is damaged. Restore a backup');
    await site.close();
  });
});

describe.concurrent('locked database', () => {
  it('a locked database delays a message but not page loads', async () => {
    const { folder, server } = shared;
    const before = countMessages(folder);
    const other = lockDatabase(folder);
    const sending = write(server);
    await isWaiting(server);
    expect((await fetch(server.origin)).status).toBe(200);
    other.exec('COMMIT');
    other.close();
    expect((await sending).status).toBe(200);
    expect(countMessages(folder)).toBe(before + 1);
  });

  it('a database locked for too long returns 503, is logged and raises an alert until it is unlocked', async () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => void lines.push(line) });
    const site = await openTestSite({ log, overrides: { timing: { busyTimeoutMs: 50 } } });
    const readAlert = await ownerOf(site);
    const other = lockDatabase(site.dataDir);
    const response = await write(site);
    expect([response.status, await response.json()]).toEqual([503, unavailable]);
    expect(lines.join('')).toMatch(/"reason":"Another program has locked the database\./);
    expect(await readAlert()).toMatch(/^Nothing can be saved now\. Another program/);
    other.exec('COMMIT');
    other.close();
    expect((await write(site)).status).toBe(200);
    expect(await readAlert()).toBeNull();
    expect(countMessages(site.dataDir)).toBe(1);
    await site.close();
  });

  it('the signed-in owner can read the dashboard while the database is locked', async () => {
    let ahead = 0;
    const site = await openTestSite({
      now: () => Date.now() + ahead,
      overrides: { timing: { busyTimeoutMs: 50 } },
    });
    const cookie = await signIn(site);
    const other = lockDatabase(site.dataDir);
    // The session's last use is this old, so that this request has to write it again.
    ahead = 2 * 60 * 60_000;
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect(response.status).toBe(200);
    expect((await response.json()).alert).toMatch(/^Nothing can be saved now\. Another program/);
    other.close();
    await site.close();
  });

  it('a database locked at the start stops it with one line', async (test) => {
    const { folder } = await openHost(test);
    const other = lockDatabase(folder, 'EXCLUSIVE');
    const reason = await openStores({ DATA_DIR: folder }, { busyTimeoutMs: 50 }).catch(
      (error: unknown) => error,
    );
    other.close();
    expect(sentenceFor(reason)).toBe(
      'Another program has locked the database. Try again in a moment.',
    );
  });
});

/** A number of connections that any machine can hold; the full number takes seconds. */
const idleConnections = process.env.TEST_LONG ? 10_000 : 2000;

describe('clients', () => {
  it('clients that disconnect during a request leave no connections behind', async () => {
    const { folder, server } = shared;
    const before = countMessages(folder);
    const sockets = await Promise.all(Array.from({ length: 50 }, () => speak(server, half)));
    for (const [i, socket] of sockets.entries()) {
      if (i % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    await Promise.all(sockets.map((socket) => socket.resume().closed || once(socket, 'close')));
    expect((await write(server)).status).toBe(200);
    expect(countMessages(folder)).toBe(before + 1);
    expect(server.output()).not.toContain('"level":50');
  });

  it('thousands of idle connections do not block other visitors', async () => {
    const { server } = shared;
    await (await fetch(server.origin)).text();
    const before = memoryOf(server);
    const sockets: Socket[] = [];
    try {
      // Connects in batches, since the accept queue of the operating system is limited.
      while (sockets.length < idleConnections) {
        const part = Array.from({ length: 250 }, () => speak(server, ''));
        sockets.push(...(await Promise.all(part)));
      }
      const begin = performance.now();
      expect((await fetch(server.origin)).status).toBe(200);
      expect((await write(server)).status).toBe(200);
      const ms = performance.now() - begin;
      const each = (memoryOf(server) - before) / sockets.length;
      console.info(
        `${sockets.length} idle connections: ${Math.round(each)} bytes each, a visitor and a message took ${Math.round(ms)} ms`,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

/** Resident memory of the process in bytes; 0 without /proc. */
function memoryOf({ child }: ServerProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
  } catch {
    return 0;
  }
}

describe('hanging Stripe API', () => {
  it('a hanging Stripe API delays neither the dashboard nor the stop', async () => {
    const held: Socket[] = [];
    const stripe = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await once(stripe, 'listening');
    const { port } = stripe.address() as AddressInfo;
    const asked = once(stripe, 'connection');
    const site = await openTestSite({
      env: { STRIPE_API_KEY: 'sk_test_hangs' },
      overrides: { stripeEndpoint: { host: '127.0.0.1', port, protocol: 'http' } },
    });
    await asked;
    const cookie = await signIn(site);
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect([response.status, (await response.json()).alert]).toEqual([200, null]);
    const begin = performance.now();
    await site.close();
    expect(performance.now() - begin).toBeLessThan(5000);
    for (const socket of held) socket.destroy();
    stripe.close();
  });
});

describe('clock changes', () => {
  const day = 24 * 60 * 60_000;

  it.each([
    ['a clock that jumps back by a day', -day],
    ['a clock that jumps ahead by three days', 3 * day],
  ])('%s loses no message, ends no session and keeps the totals right', async (_, jump) => {
    let ahead = 0;
    const site = await openTestSite({ now: () => Date.now() + ahead });
    const cookie = await signIn(site);
    const view = (who: number) =>
      site.post(
        '/api/activity',
        { type: 'page_view' },
        { 'x-forwarded-for': `10.2.${who}.1`, 'user-agent': browser },
      );
    const message = (who: number) =>
      site.post(
        '/api/contact',
        { name: 'Ada', email: 'ada@example.com', message: 'Hi' },
        { 'x-forwarded-for': `10.2.${who}.1` },
      );
    for (const moment of [0, jump, 0]) {
      ahead = moment;
      for (const who of [1, 2]) {
        expect((await view(who)).status).toBe(204);
        expect((await message(who)).status).toBe(200);
      }
    }
    const response = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect(response.status).toBe(200);
    const { summary } = await response.json();
    const database = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
    const [{ messages = 0, events = 0 } = {}] = database
      .prepare(
        `SELECT (SELECT count(*) FROM contact_message) AS messages,
                (SELECT count(*) FROM event WHERE at < ?) AS events`,
      )
      .all(Date.now() + 1) as { messages: number; events: number }[];
    database.close();
    expect([messages, summary.pageViews]).toEqual([6, events]);
    await site.close();
  });
});
