/** What `docs/faults.md` says of the running product: each fault is brought about and looked at. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, open, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { DatabaseSync } from '@photostructure/sqlite';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { databaseFile } from '../../app/data-folder.ts';
import { sentenceFor } from '../../app/startup-errors.ts';
import { openStores } from '../../app/stores.ts';
import { codes, sentences } from '../../trpc/errors.ts';
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

/** The same, removed with the test. */
async function openHost({ onTestFinished }: TestContext) {
  const host = await createHost();
  onTestFinished(host.remove);
  return host;
}

let visitors = 0;

/** Sends a message as a visitor nobody has seen before. */
const write = ({ origin }: { origin: string }, message = 'Hello') =>
  fetch(`${origin}/api/contact`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.1.${++visitors >> 8}.${visitors & 255}`,
    },
    body: JSON.stringify({ name: `Ada ${visitors}`, email: 'ada@example.com', message }),
  });

/** Signs in while all is well; what comes back reads the dashboard's red line. */
async function ownerOf({ origin }: { origin: string }): Promise<() => Promise<unknown>> {
  const login = await fetch(`${origin}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  });
  const headers = { cookie: cookieOf(login) };
  return async () => {
    const answer = await fetch(`${origin}/api/analytics/dashboard`, { headers });
    return (await answer.json()).trouble;
  };
}

/** How many messages are on disk. */
function kept(folder: string): number {
  const database = new DatabaseSync(databaseFile(folder), { timeout: 5000 });
  const [row] = database.prepare('SELECT count(*) AS n FROM contact_message').all() as {
    n: number;
  }[];
  database.close();
  return row?.n ?? 0;
}

/** A connection that says `text` and then what the test says. */
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

/** Waits until the log says it: it comes another way than the answer, and may be later. */
const logged = (server: ServerProcess, pattern: RegExp) =>
  vi.waitFor(() => expect(server.output()).toMatch(pattern), 60_000);

/** Ends the server as its host would. After 9.5 seconds the exit code is 1. */
function stop({ child, ended }: ServerProcess) {
  child.kill('SIGTERM');
  return ended;
}

const patient = { timeout: 60_000, interval: 50 };

/** Waits until a signal has reached the server: it accepts no more connections. */
const isStopping = ({ origin }: ServerProcess) =>
  vi.waitUntil(
    () =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    patient,
  );

/** Waits until a write waits for the database. */
const isWaiting = ({ origin }: ServerProcess) =>
  vi.waitUntil(async () => {
    const headers = { authorization: `Bearer ${metricsKey}` };
    const metrics = await (await fetch(`${origin}/metrics`, { headers })).text();
    return /^shingle_writes_waiting [1-9]/m.test(metrics);
  }, patient);

/** Another program that keeps the database until it is closed. */
function keepDatabase(folder: string, how: 'IMMEDIATE' | 'EXCLUSIVE' = 'IMMEDIATE') {
  const other = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
  other.exec(`BEGIN ${how}`);
  return other;
}

const unavailable = { error: sentences.notNow, code: codes.notNow };

/** For tests that leave the server as it was. */
let shared: Awaited<ReturnType<typeof createHost>> & { server: ServerProcess };
beforeAll(async () => {
  const host = await createHost();
  shared = { ...host, server: await host.start() };
}, 120_000);
afterAll(async () => {
  expect((await stop(shared.server)).code).toBe(0);
  await shared.remove();
});

describe.concurrent('a stop', () => {
  it('finishes a slow request and cuts off one without an end, within ten seconds', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const [slow, endless] = [await speak(server, half), await speak(server, half)];
    const acknowledged = await Promise.all(Array.from({ length: 50 }, () => write(server)));
    const stopping = stop(server);
    await isStopping(server);
    slow.write(body.slice(30));
    const [answer] = await once(slow, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    expect((await stopping).code).toBe(0);
    expect(kept(folder)).toBe(acknowledged.length + 1);
    endless.destroy();
  });

  it('that is told twice waits for no request, and loses nothing that was acknowledged', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const endless = await speak(server, half);
    const answers = await Promise.all(Array.from({ length: 50 }, () => write(server)));
    expect(answers.every(({ ok }) => ok)).toBe(true);
    const begin = performance.now();
    const stopping = stop(server);
    await isStopping(server);
    server.child.kill('SIGTERM');
    expect((await stopping).code).toBe(0);
    // Without the second word it would wait six seconds.
    expect(performance.now() - begin).toBeLessThan(6000);
    expect(kept(folder)).toBe(50);
    endless.destroy();
  });

  it('ends within ten seconds while another program keeps the database', async (test) => {
    const { folder, start } = await openHost(test);
    const server = await start();
    const other = keepDatabase(folder);
    const answer = write(server).catch(() => undefined);
    await isWaiting(server);
    expect((await stop(server)).code).toBe(0);
    expect((await answer)?.status ?? 503).toBe(503);
    other.close();
    expect(kept(folder)).toBe(0);
  });

  it('ends within ten seconds while the mail server hangs, and the letter waits', async (test) => {
    const { folder, start } = await openHost(test);
    const smtp = await openTestSmtp();
    smtp.setBehaviour('hang');
    const server = await start({ SMTP_URL: smtp.url, CONTACT_TO: 'owner@example.com' });
    expect((await write(server)).status).toBe(200);
    expect((await stop(server)).code).toBe(0);
    const database = new DatabaseSync(databaseFile(folder), { timeout: 10_000 });
    const letters = database.prepare('SELECT state FROM outbox').all();
    database.close();
    expect(letters).toEqual([{ state: 'waiting' }]);
    await smtp.close();
  });
});

describe('a full disk', () => {
  const long = 'x'.repeat(20_000);
  let host: Awaited<ReturnType<typeof createHost>>;
  let server: ServerProcess;
  let trouble: () => Promise<unknown>;
  let device: string;
  let acknowledged = 0;
  /** The answer to the first message that was refused. */
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
    trouble = await ownerOf(server);
    device = /device=[^;]+/.exec(cookieOf(await logIn('/api/admin/login', {})))?.[0] ?? '';
    const readiness = async () => (await fetch(`${server.origin}/readyz`)).status;
    expect(await readiness()).toBe(200);
    /** Sends messages of this length until one is refused. */
    const fill = async (length: number) => {
      for (;;) {
        const answer = await write(server, 'x'.repeat(length));
        if (!answer.ok) return answer;
        acknowledged += 1;
      }
    };
    refusal = await fill(long.length);
    // Shorter messages fill the room that was too small for a long one, and readiness checks the rest:
    // any write that succeeds would end the fault.
    for (const length of [6000, 1]) expect((await fill(length)).status).toBe(503);
    await vi.waitUntil(async () => (await readiness()) === 503, patient);
  }, 120_000);
  afterAll(() => host.remove());

  it('a right password on a full disk returns 503 and uses up no sign-in attempts', async () => {
    const answers: [number, string][] = [];
    // More attempts than a known browser and an address have together.
    for (let n = 0; n < 32; n++) {
      const path = n % 2 ? '/api/admin/login' : '/api/trpc/auth.login';
      const answer = await logIn(path, n < 21 ? { cookie: device } : {});
      answers.push([answer.status, await answer.text()]);
    }
    const notNow: unknown = [503, expect.stringContaining(sentences.notNow)];
    expect(answers).toEqual(answers.map(() => notNow));
  });

  it('keeps what was acknowledged, serves the site, refuses with 503, is not ready and says so', async () => {
    expect(acknowledged).toBeGreaterThan(0);
    expect([refusal.status, await refusal.json()]).toEqual([503, unavailable]);
    expect(refusal.headers.get('retry-after')).toBe('60');
    expect((await fetch(server.origin)).status).toBe(200);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(await trouble()).toMatch(/^Nothing can be kept now\. The disk/);
    await logged(server, /"level":50.*"msg":"The disk (is full|of DATA_DIR fails)/);
    expect((await stop(server)).code).toBe(0);

    const again = await openTestSite({ env: { DATA_DIR: host.folder } });
    expect(kept(host.folder)).toBe(acknowledged);
    const message = { name: 'Ada', email: 'ada@example.com', message: long };
    expect((await again.post('/api/contact', message)).status).toBe(200);
    await again.close();
  });
});

describe.concurrent('a folder that this user may only read', () => {
  it('is refused at the start, in one line', async (test) => {
    const { folder } = await openHost(test);
    await chmod(folder, 0o555);
    const { code, output } = await refusedServer({ DATA_DIR: folder }, { obedient: true });
    await chmod(folder, 0o755);
    expect(code).toBe(1);
    expect(output).toBe(
      `The data folder ${folder} cannot be written (EACCES). Please give this user write access to it, or set DATA_DIR to another folder.\n`,
    );
  });

  it('is refused at the start, in one line, when it is the database in it', async (test) => {
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

describe.concurrent('a database with a damaged page in its middle', () => {
  it('is a 503 for what needs that page, and says what to do; the rest goes on', async (test) => {
    const { folder } = await openHost(test);
    const stores = await openStores({ DATA_DIR: folder });
    const ada = { name: 'Ada', email: 'ada@example.com', company: null, message: 'Hello' };
    await stores.contact.add({ id: 'a', receivedAt: 1, ...ada });
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
    const trouble = await ownerOf(site);
    expect((await site.fetch('/')).status).toBe(200);
    const answer = await write(site);
    expect([answer.status, await answer.json()]).toEqual([503, unavailable]);
    expect(lines.join('')).toMatch(
      /"msg":"The database file in DATA_DIR is damaged\. Please restore a backup/,
    );
    expect(await trouble()).toContain('is damaged. Please restore a backup');
    await site.close();
  });
});

describe.concurrent('a database that another program keeps', () => {
  it('makes a message wait, and nobody else', async () => {
    const { folder, server } = shared;
    const before = kept(folder);
    const other = keepDatabase(folder);
    const sending = write(server);
    await isWaiting(server);
    expect((await fetch(server.origin)).status).toBe(200);
    other.exec('COMMIT');
    other.close();
    expect((await sending).status).toBe(200);
    expect(kept(folder)).toBe(before + 1);
  });

  it('for too long is a 503, in the log and on the dashboard, until it is over', async () => {
    const lines: string[] = [];
    const log = pino({ base: null }, { write: (line) => void lines.push(line) });
    const site = await openTestSite({ log, timing: { busyTimeoutMs: 50 } });
    const trouble = await ownerOf(site);
    const other = keepDatabase(site.dataDir);
    const answer = await write(site);
    expect([answer.status, await answer.json()]).toEqual([503, unavailable]);
    expect(lines.join('')).toMatch(/"msg":"Another program keeps the database busy\./);
    expect(await trouble()).toMatch(/^Nothing can be kept now\. Another program/);
    other.exec('COMMIT');
    other.close();
    expect((await write(site)).status).toBe(200);
    expect(await trouble()).toBeNull();
    expect(kept(site.dataDir)).toBe(1);
    await site.close();
  });

  it('lets in the owner who is signed in, to read that', async () => {
    let ahead = 0;
    const site = await openTestSite({
      now: () => Date.now() + ahead,
      timing: { busyTimeoutMs: 50 },
    });
    const cookie = await signIn(site);
    const other = keepDatabase(site.dataDir);
    // So long after the last visit, this one is to be written down.
    ahead = 2 * 60 * 60_000;
    const answer = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect(answer.status).toBe(200);
    expect((await answer.json()).trouble).toMatch(/^Nothing can be kept now\. Another program/);
    other.close();
    await site.close();
  });

  it('at the start is said in one line', async (test) => {
    const { folder } = await openHost(test);
    const other = keepDatabase(folder, 'EXCLUSIVE');
    const reason = await openStores({ DATA_DIR: folder }, { busyTimeoutMs: 50 }).catch(
      (error: unknown) => error,
    );
    other.close();
    expect(sentenceFor(reason)).toBe(
      'Another program keeps the database busy. Please try again in a moment.',
    );
  });
});

/** The connections a machine of any size has room for; the full number takes seconds. */
const idleConnections = process.env.TEST_LONG ? 10_000 : 2000;

describe('clients', () => {
  it('that leave in the middle of their message leave nothing behind', async () => {
    const { folder, server } = shared;
    const before = kept(folder);
    const sockets = await Promise.all(Array.from({ length: 50 }, () => speak(server, half)));
    for (const [i, socket] of sockets.entries()) {
      if (i % 2 === 0) socket.resetAndDestroy();
      else socket.end();
    }
    await Promise.all(sockets.map((socket) => socket.resume().closed || once(socket, 'close')));
    expect((await write(server)).status).toBe(200);
    expect(kept(folder)).toBe(before + 1);
    expect(server.output()).not.toContain('"level":50');
  });

  it('that ask for nothing, thousands of them, keep nobody else from the site', async () => {
    const { server } = shared;
    await (await fetch(server.origin)).text();
    const before = memoryOf(server);
    const sockets: Socket[] = [];
    try {
      // In parts, or the queue of the operating system is full.
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

/** Resident bytes of the process; where /proc is missing, none. */
function memoryOf({ child }: ServerProcess): number {
  try {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1024;
  } catch {
    return 0;
  }
}

describe('a Stripe that hangs', () => {
  it('keeps neither the dashboard nor the end waiting', async () => {
    const held: Socket[] = [];
    const stripe = createServer((socket) => void held.push(socket)).listen(0, '127.0.0.1');
    await once(stripe, 'listening');
    const { port } = stripe.address() as AddressInfo;
    const asked = once(stripe, 'connection');
    const site = await openTestSite({
      env: { STRIPE_API_KEY: 'sk_test_hangs' },
      stripeEndpoint: { host: '127.0.0.1', port, protocol: 'http' },
    });
    await asked;
    const cookie = await signIn(site);
    const answer = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect([answer.status, (await answer.json()).trouble]).toEqual([200, null]);
    const begin = performance.now();
    await site.close();
    expect(performance.now() - begin).toBeLessThan(5000);
    for (const socket of held) socket.destroy();
    stripe.close();
  });
});

describe('a clock that jumps', () => {
  const day = 24 * 60 * 60_000;

  it.each([
    ['back by a day', -day],
    ['ahead by three days', 3 * day],
  ])('%s loses no message, ends no session and leaves the figures true', async (_, jump) => {
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
    const answer = await site.fetch('/api/analytics/dashboard', { headers: { cookie } });
    expect(answer.status).toBe(200);
    const { summary } = await answer.json();
    const database = new DatabaseSync(databaseFile(site.dataDir), { timeout: 10_000 });
    const [{ messages = 0, marks = 0 } = {}] = database
      .prepare(
        `SELECT (SELECT count(*) FROM contact_message) AS messages,
                (SELECT count(*) FROM mark WHERE at < ?) AS marks`,
      )
      .all(Date.now() + 1) as { messages: number; marks: number }[];
    database.close();
    expect([messages, summary.pageViews]).toEqual([6, marks]);
    await site.close();
  });
});
