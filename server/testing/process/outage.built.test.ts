/** The database goes away under the running program, and comes back: what `docs/faults.md` says of that. */
import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStores, type Stores } from '../../app/stores.ts';
import { sentences } from '../../trpc/errors.ts';
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

/** How many connections an instance uses at most. */
const mostConnections = 6;

/** A lost connection may still be closing beside its replacement. */
const mostDuringOutage = 2 * mostConnections;

/** How long somebody waits for an answer at most, in ms, on a machine that has other things to do, too. */
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
  // One process lives through all that follows.
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

const isOver = /everything can be kept again/;

/** How many lines of the server's log are of this kind. */
const told = (kind: RegExp) =>
  server
    .output()
    .split('\n')
    .filter((line) => kind.test(line)).length;

/** What became of the calls of a load. */
interface Outcome {
  /** Messages by their senders' names. */
  thanked: Set<string>;
  refused: Set<string>;
  visitsKept: number;
  visitsRefused: number;
  pages: number;
  /** Answers that nobody should get. */
  wrong: string[];
  /** The longest that anybody waited, in ms. */
  longest: number;
}

/** Messages, visits and page views, one of each 20 times a second, whether they are answered or not. */
function startLoad() {
  const outcome: Outcome = {
    thanked: new Set(),
    refused: new Set(),
    visitsKept: 0,
    visitsRefused: 0,
    pages: 0,
    wrong: [],
    longest: 0,
  };
  const under = new Set<Promise<void>>();
  const call = (work: () => Promise<void>) => {
    const begun = performance.now();
    const one = work()
      .catch((error: unknown) => void outcome.wrong.push(String(error)))
      .finally(() => {
        outcome.longest = Math.max(outcome.longest, performance.now() - begun);
        under.delete(one);
      });
    under.add(one);
  };
  const other = async (answer: Response) =>
    void outcome.wrong.push(`${answer.status} ${await answer.text()}`);
  const isHonest = async (answer: Response) =>
    answer.status === 503 && (await answer.clone().json()).error === sentences.notNow;
  const timer = setInterval(() => {
    call(async () => {
      const name = `Ada ${visitors}`;
      const message = { name, email: 'ada@example.com', message: 'Hello' };
      const answer = await post('/api/contact', message);
      if (answer.status === 200) outcome.thanked.add(name);
      else if (await isHonest(answer)) outcome.refused.add(name);
      else await other(answer);
    });
    call(async () => {
      const answer = await post('/api/activity', { type: 'page_view' });
      if (answer.status === 204) outcome.visitsKept += 1;
      else if (await isHonest(answer)) outcome.visitsRefused += 1;
      else await other(answer);
    });
    call(async () => {
      const answer = await fetch(server.origin);
      if (answer.status === 200 && (await answer.text()).includes('</html>')) outcome.pages += 1;
      else await other(answer);
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

/** Connections to the database from this machine that somebody holds; where /proc is missing, none. */
async function connections(): Promise<number> {
  const port = Number(new URL(postgres.url).port).toString(16).toUpperCase().padStart(4, '0');
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const held = table.split('\n').filter((line) => {
    const [, , remote = '', , , , , , , inode] = line.trim().split(/\s+/);
    return remote.endsWith(`:${port}`) && inode !== '0';
  });
  return held.length;
}

/** A number of the process. */
async function reading(name: string): Promise<number> {
  const answer = await fetch(`${server.origin}/metrics`, {
    headers: { authorization: `Bearer ${metricsKey}` },
  });
  const text = await answer.text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function look<T>(job: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await openStores({ DATABASE_URL: postgres.url, DATA_DIR: '' });
  try {
    return await job(stores);
  } finally {
    await stores.close();
  }
}

const allTime = () => ({ from: 0, to: Date.now() + 86_400_000 });
const figures = () =>
  look(async ({ contact, analytics }) => ({
    names: (await contact.list({ limit: 1_000_000 })).map(({ name }) => name),
    views: (await analytics.totals(allTime())).pageViews,
    outage: (await analytics.excludedCounts(allTime())).outage ?? 0,
    differences: (await analytics.compareCounters()).differences,
  }));

const patient = { timeout: 40_000, interval: 100 };

describe('a database that goes away', () => {
  it.each([
    ['is stopped', 20, () => postgres.kill('SIGINT'), () => postgres.restart()],
    ['crashes', 20, () => postgres.kill('SIGQUIT'), () => postgres.restart()],
    ['is killed', 20, () => postgres.kill('SIGKILL'), () => postgres.restart()],
    // Long enough for those who wait to add up.
    ['hangs', 200, () => postgres.hang(), () => postgres.resume()],
  ])(
    '(it %s) is told honestly, loses nothing that was thanked for, and is over by itself',
    async (_, enough, leave, comeBack) => {
      const before = await figures();
      const printed = server.output().length;
      const { outcome, stop } = startLoad();
      let held = 0;
      const counting = setInterval(async () => {
        held = Math.max(held, await connections());
      }, 250);

      await vi.waitUntil(() => outcome.thanked.size > 10 && outcome.visitsKept > 10, patient);
      await leave();
      const gone = performance.now();
      await vi.waitUntil(async () => (await readiness()) === 503, patient);
      expect(performance.now() - gone).toBeLessThan(longestWait);
      await vi.waitUntil(
        () => outcome.refused.size > enough && outcome.visitsRefused > enough,
        patient,
      );
      const pages = outcome.pages;
      await vi.waitUntil(() => outcome.pages > pages + 10, patient);
      expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
      clearInterval(counting);
      await comeBack();
      await vi.waitUntil(async () => (await readiness()) === 200, patient);
      const thanked = outcome.thanked.size;
      await vi.waitUntil(() => outcome.thanked.size > thanked + 10, patient);
      await stop();

      expect(outcome.wrong).toEqual([]);
      expect(outcome.longest).toBeLessThan(longestWait);
      expect(held).toBeLessThanOrEqual(mostDuringOutage);
      await vi.waitFor(
        async () => expect(await connections()).toBeLessThanOrEqual(mostConnections),
        patient,
      );
      expect(await reading('shingle_writes_waiting')).toBe(0);
      // Counted as left out once the database is back.
      await vi.waitUntil(
        async () => (await figures()).outage - before.outage >= outcome.visitsRefused,
        { ...patient, interval: 500 },
      );
      const after = await figures();
      const names = after.names.slice(0, after.names.length - before.names.length);
      expect(new Set(names).size).toBe(names.length);
      expect([...outcome.thanked].filter((name) => !names.includes(name))).toEqual([]);
      // What nobody knew at the commit was refused, and may have been kept.
      const sent = new Set([...outcome.thanked, ...outcome.refused]);
      expect(names.filter((name) => !sent.has(name))).toEqual([]);
      const views = after.views - before.views;
      expect(views).toBeGreaterThanOrEqual(outcome.visitsKept);
      expect(views).toBeLessThanOrEqual(outcome.visitsKept + outcome.visitsRefused);
      expect(after.differences).toEqual([]);

      // Said when it begins and when it is over, and not with each request. One outage may have several
      // reasons, one after the other.
      await vi.waitUntil(
        () => told(/"level":50.*"msg":"[^"]*DATABASE_URL/) === told(isOver),
        patient,
      );
      const lines = server.output().slice(printed).trim().split('\n');
      expect(lines.join('\n')).toMatch(/"level":50.*at DATABASE_URL/);
      expect(lines.length).toBeLessThan(25);
      expect([server.child.exitCode, server.child.signalCode]).toEqual([null, null]);
      console.info(
        `${outcome.thanked.size} thanked, ${outcome.refused.size} refused after at most ${Math.round(outcome.longest)} ms, ` +
          `${held} connections, ${lines.length} lines, ${Math.round((await reading('process_resident_memory_bytes')) / 1e6)} MB`,
      );
    },
  );
});

describe('without a database', () => {
  it('a start is refused in one line', async () => {
    await postgres.kill('SIGINT');
    const { code, output } = await refusedServer({ ...env, DATA_DIR: folder });
    expect([code, output]).toEqual([
      1,
      'No database answers at DATABASE_URL. Please look whether it runs.\n',
    ]);
    await postgres.restart();
  });

  describe('that hangs', () => {
    beforeAll(async () => {
      // It has a connection again, so what hangs is a statement and not the attempt to connect.
      const message = { name: 'Ada', email: 'ada@example.com', message: 'Hello' };
      await vi.waitUntil(async () => (await post('/api/contact', message)).ok, patient);
      await postgres.hang();
    });
    afterAll(() => postgres.resume());

    it.concurrent('a start is refused when it hangs, too', async () => {
      const { code, output } = await refusedServer({ ...env, DATA_DIR: folder });
      expect([code, output]).toEqual([
        1,
        'The database at DATABASE_URL does not answer. Please look whether it runs.\n',
      ]);
    });

    it.concurrent('it ends within ten seconds, also amid messages', async () => {
      const sending = Promise.allSettled(
        Array.from({ length: 50 }, (_, n) =>
          post('/api/contact', { name: `Last ${n}`, email: 'ada@example.com', message: 'Hello' }),
        ),
      );
      await vi.waitUntil(async () => (await readiness()) === 503, patient);
      server.child.kill('SIGTERM');
      // After 9.5 seconds it would be 1.
      expect((await server.ended).code).toBe(0);
      const answers = (await sending).map((one) => one.status === 'fulfilled' && one.value.status);
      expect(answers.filter((status) => status === 200)).toEqual([]);
    });
  });
});
