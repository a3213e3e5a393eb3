/** Outages of the database while the server runs; `docs/faults.md` lists the expected behaviour. */
import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStores, type Stores } from '../../stores/stores.ts';
import { sentenceOf } from '../../trpc/errors.ts';
import { type OwnPostgres, startOwnPostgres } from '../postgres/server.ts';
import { browser } from '../site.ts';
import {
  emptyFolder,
  refusedServer,
  type ServerProcess,
  seedPassword,
  startServer,
} from './server-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Maximum connections of an instance. */
const mostConnections = 6;

/** A lost connection may still be closing beside its replacement. */
const mostDuringOutage = 2 * mostConnections;

/** Maximum response time in ms, on a busy machine. */
const longestWait = 12_000;

const metricsKey = 'of-no-interest-here';
let postgres: OwnPostgres;
let folder: string;
let server: ServerProcess;
let env: Record<string, string>;

beforeAll(async () => {
  [postgres, folder] = await Promise.all([startOwnPostgres(), emptyFolder()]);
  env = {
    DATABASE_URL: postgres.url,
    SESSION_SECRET: 'of no interest here',
    DATA_DIR: folder,
    ADMIN_PASSWORD: 'a long sentence only you know',
    METRICS_KEY: metricsKey,
    TRUST_PROXY: '1',
  };
  await seedPassword({ DATABASE_URL: postgres.url, DATA_DIR: '' });
  // One process runs through all tests.
  server = await startServer(env);
});
afterAll(async () => {
  server.child.kill('SIGKILL');
  await server.ended;
  await postgres.stop();
  await rm(folder, { recursive: true });
});

let visitors = 0;

function post(path: string, body: unknown): Promise<Response> {
  visitors += 1;
  return fetch(server.origin + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': browser,
      origin: server.origin,
      'x-forwarded-for': `10.${visitors >> 16}.${(visitors >> 8) & 255}.${visitors & 255}`,
    },
    body: JSON.stringify(body),
  });
}

const startLine = /storage errors: started/;
const endLine = /storage errors: ended/;

/** Number of matching lines in the server's log. */
const countLines = (kind: RegExp) =>
  server
    .output()
    .split('\n')
    .filter((line) => kind.test(line)).length;

/** Results of a load test. */
interface Outcome {
  /** Messages by their senders' names. */
  acknowledged: Set<string>;
  refused: Set<string>;
  visitsKept: number;
  visitsRefused: number;
  pages: number;
  /** Unexpected responses. */
  wrong: string[];
  /** The longest response time, in ms. */
  longest: number;
}

/** Sends a message, a visit and a page view 20 times a second without waiting for responses. */
function startLoad() {
  const outcome: Outcome = {
    acknowledged: new Set(),
    refused: new Set(),
    visitsKept: 0,
    visitsRefused: 0,
    pages: 0,
    wrong: [],
    longest: 0,
  };
  const under = new Set<Promise<void>>();
  const call = (work: () => Promise<void>) => {
    const startedAt = performance.now();
    const one = work()
      .catch((error: unknown) => void outcome.wrong.push(String(error)))
      .finally(() => {
        outcome.longest = Math.max(outcome.longest, performance.now() - startedAt);
        under.delete(one);
      });
    under.add(one);
  };
  const other = async (response: Response) =>
    void outcome.wrong.push(`${response.status} ${await response.text()}`);
  const isHonest = async (response: Response) =>
    response.status === 503 &&
    (await response.clone().json()).error === sentenceOf('STORAGE_UNAVAILABLE');
  const timer = setInterval(() => {
    call(async () => {
      const name = `Ada ${visitors}`;
      const message = { name, email: 'ada@example.com', message: 'Hello' };
      const response = await post('/api/contact', message);
      if (response.status === 200) outcome.acknowledged.add(name);
      else if (await isHonest(response)) outcome.refused.add(name);
      else await other(response);
    });
    call(async () => {
      const response = await post('/api/activity', { type: 'page_view' });
      if (response.status === 204) outcome.visitsKept += 1;
      else if (await isHonest(response)) outcome.visitsRefused += 1;
      else await other(response);
    });
    call(async () => {
      const response = await fetch(server.origin);
      if (response.status === 200 && (await response.text()).includes('</html>'))
        outcome.pages += 1;
      else await other(response);
    });
  }, 50);
  return {
    outcome,
    async stop() {
      clearInterval(timer);
      while (under.size > 0) await Promise.all(under);
    },
  };
}

const readiness = async () => (await fetch(`${server.origin}/readyz`)).status;

/** Open connections to the database from this machine; 0 without /proc. */
async function connections(): Promise<number> {
  const port = Number(new URL(postgres.url).port).toString(16).toUpperCase().padStart(4, '0');
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const held = table.split('\n').filter((line) => {
    const [, , remote = '', , , , , , , inode] = line.trim().split(/\s+/);
    return remote.endsWith(`:${port}`) && inode !== '0';
  });
  return held.length;
}

/** Returns a metric of the server. */
async function reading(name: string): Promise<number> {
  const response = await fetch(`${server.origin}/metrics`, {
    headers: { authorization: `Bearer ${metricsKey}` },
  });
  const text = await response.text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function withStores<T>(use: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores({ DATABASE_URL: postgres.url, DATA_DIR: '' });
  try {
    return await use(stores);
  } finally {
    await stores.close();
  }
}

const allTime = () => ({ from: 0, to: Date.now() + 86_400_000 });
const figures = () =>
  withStores(async ({ contact, analytics }) => ({
    names: (await contact.list({ limit: 1_000_000 })).map(({ name }) => name),
    views: (await analytics.totals(allTime())).pageViews,
    outage: (await analytics.excludedCounts(allTime())).outage ?? 0,
    differences: (await analytics.compareCounters()).differences,
  }));

const waitOptions = { timeout: 40_000, interval: 100 };

describe('outage', () => {
  it.each([
    ['is stopped', 20, () => postgres.kill('SIGINT'), () => postgres.restart()],
    ['is killed', 20, () => postgres.kill('SIGKILL'), () => postgres.restart()],
    // Long enough for waiting requests to accumulate.
    ['hangs', 200, () => postgres.hang(), () => postgres.resume()],
  ])(
    'an outage (the database %s) returns 503, loses no acknowledged write and ends without a restart',
    async (_, enough, leave, comeBack) => {
      const before = await figures();
      const printed = server.output().length;
      const { outcome, stop } = startLoad();
      let held = 0;
      const counting = setInterval(async () => {
        held = Math.max(held, await connections());
      }, 250);

      await vi.waitUntil(
        () => outcome.acknowledged.size > 10 && outcome.visitsKept > 10,
        waitOptions,
      );
      await leave();
      const gone = performance.now();
      await vi.waitUntil(async () => (await readiness()) === 503, waitOptions);
      expect(performance.now() - gone).toBeLessThan(longestWait);
      await vi.waitUntil(
        () => outcome.refused.size > enough && outcome.visitsRefused > enough,
        waitOptions,
      );
      const pages = outcome.pages;
      await vi.waitUntil(() => outcome.pages > pages + 10, waitOptions);
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
      clearInterval(counting);
      await comeBack();
      await vi.waitUntil(async () => (await readiness()) === 200, waitOptions);
      const acknowledged = outcome.acknowledged.size;
      await vi.waitUntil(() => outcome.acknowledged.size > acknowledged + 10, waitOptions);
      await stop();

      expect(outcome.wrong).toEqual([]);
      expect(outcome.longest).toBeLessThan(longestWait);
      expect(held).toBeLessThanOrEqual(mostDuringOutage);
      await vi.waitFor(
        async () => expect(await connections()).toBeLessThanOrEqual(mostConnections),
        waitOptions,
      );
      expect(await reading('shingle_writes_waiting')).toBe(0);
      // Counted as excluded once the database is back.
      await vi.waitUntil(
        async () => (await figures()).outage - before.outage >= outcome.visitsRefused,
        { ...waitOptions, interval: 500 },
      );
      const after = await figures();
      const names = after.names.slice(0, after.names.length - before.names.length);
      expect(new Set(names).size).toBe(names.length);
      expect([...outcome.acknowledged].filter((name) => !names.includes(name))).toEqual([]);
      // A rejected message may be stored when the connection was lost during the commit.
      const sent = new Set([...outcome.acknowledged, ...outcome.refused]);
      expect(names.filter((name) => !sent.has(name))).toEqual([]);
      const views = after.views - before.views;
      expect(views).toBeGreaterThanOrEqual(outcome.visitsKept);
      expect(views).toBeLessThanOrEqual(outcome.visitsKept + outcome.visitsRefused);
      expect(after.differences).toEqual([]);

      // The start and the end are logged, not each request. One outage can have several reasons in turn.
      await vi.waitUntil(() => countLines(startLine) === countLines(endLine), waitOptions);
      const lines = server.output().slice(printed).trim().split('\n');
      expect(lines.join('\n')).toMatch(/"level":50.*at DATABASE_URL/);
      expect(lines.length).toBeLessThan(25);
      expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null]);
      console.info(
        `${outcome.acknowledged.size} acknowledged, ${outcome.refused.size} refused after at most ${Math.round(outcome.longest)} ms, ` +
          `${held} connections, ${lines.length} lines, ${Math.round((await reading('process_resident_memory_bytes')) / 1e6)} MB`,
      );
    },
  );
});

describe('start', () => {
  it('a start fails with one line when the database is down', async () => {
    await postgres.kill('SIGINT');
    const { code, output } = await refusedServer({ ...env, DATA_DIR: folder });
    expect([code, output]).toEqual([
      1,
      'No database responds at DATABASE_URL. Check that it is running.\n',
    ]);
    await postgres.restart();
  });

  describe('hanging database', () => {
    beforeAll(async () => {
      // The server is connected again, so a statement hangs and not the connection attempt.
      const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
      await vi.waitUntil(async () => (await post('/api/contact', message)).ok, waitOptions);
      await postgres.hang();
    });
    afterAll(() => postgres.resume());

    it.concurrent('a start fails with one line when the database hangs', async () => {
      const { code, output } = await refusedServer({ ...env, DATA_DIR: folder });
      expect([code, output]).toEqual([
        1,
        'The database at DATABASE_URL does not respond. Check that it is running.\n',
      ]);
    });

    it.concurrent('SIGTERM ends the server within ten seconds while the database hangs', async () => {
      const sending = Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          post('/api/contact', { name: `Last ${n}`, email: 'ada@example.com', message: 'Hello' }),
        ),
      );
      await vi.waitUntil(async () => (await readiness()) === 503, waitOptions);
      server.child.kill('SIGTERM');
      // After 9.5 seconds the exit code would be 1.
      expect((await server.ended).code).toBe(0);
      const statuses = (await sending).map((one) => one.status === 'fulfilled' && one.value.status);
      expect(statuses.filter((status) => status === 200)).toEqual([]);
    });
  });
});
