/**
 * Failure test: two instances behind nginx under a minute of mixed load. One is killed and
 * restarted, then PostgreSQL stops for 15 seconds; no acknowledged write may be lost or duplicated.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgres } from '../server/database/postgres/postgres.ts';
import { storesOn } from '../server/stores/stores.ts';
import { rawFigures } from '../server/testing/raw-figures.ts';
import { openTestSmtp, type TestSmtp } from '../server/testing/smtp.ts';
import { startInstance, startLoadBalancer, startPostgres } from './cluster.ts';
import type { Row } from './measure.ts';
import type { BenchServer } from './processes.ts';
import { browser } from './requests.ts';

const clients = 12;
const second = 1000;
/** Times of the failures, in ms after the start. */
const schedule = {
  kill: 12 * second,
  restart: 17 * second,
  stopDatabase: 30 * second,
  startDatabase: 45 * second,
  end: 60 * second,
};

/** Responses that the clients received. */
interface ClientLog {
  /** Texts of acknowledged messages. */
  messages: Set<string>;
  visits: number;
  pages: number;
  /** Number of failures by status, or as broken connection. */
  failures: Map<string, number>;
}

export async function failureRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const smtp = await openTestSmtp();
  const env = { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' };
  const running: BenchServer[] = [];
  const log: ClientLog = { messages: new Set(), visits: 0, pages: 0, failures: new Map() };
  try {
    for (let n = 0; n < 2; n++) running.push(await startInstance(postgres.url, env));
    const [first, second] = running;
    if (!first || !second) throw new Error('Two instances are needed.');
    const balancer = await startLoadBalancer('two instances', [first, second]);
    running.unshift(balancer);
    const endsAt = performance.now() + schedule.end;
    await Promise.all([
      ...Array.from({ length: clients }, (_, n) => runClient(balancer, n, { endsAt, log })),
      killAndRestart(second, postgres.url, env).then((instance) => running.push(instance)),
      stopAndStartDatabase(postgres),
    ]);
    const database = await openPostgres(postgres.url);
    try {
      return await rowsOf(log, storesOn(database), smtp);
    } finally {
      await database.close();
    }
  } finally {
    for (const server of running) await server.stop();
    await smtp.close();
    await postgres.stop();
  }
}

async function killAndRestart(
  { port, kill }: BenchServer,
  url: string,
  env: Record<string, string>,
): Promise<BenchServer> {
  await pause(schedule.kill);
  await kill();
  await pause(schedule.restart - schedule.kill);
  return startInstance(url, { ...env, PORT: String(port) });
}

async function stopAndStartDatabase(postgres: {
  kill(signal: 'SIGINT'): Promise<void>;
  restart(): Promise<void>;
}): Promise<void> {
  await pause(schedule.stopDatabase);
  await postgres.kill('SIGINT');
  await pause(schedule.startDatabase - schedule.stopDatabase);
  await postgres.restart();
}

/** Runs one client: opens the page, sends a page view and, in every eighth round, a message. */
async function runClient(
  balancer: BenchServer,
  client: number,
  { endsAt, log }: { endsAt: number; log: ClientLog },
): Promise<void> {
  const origin = `http://127.0.0.1:${balancer.port}`;
  const send = async (path: string, init: RequestInit = {}): Promise<boolean> => {
    const failed = (reason: string) =>
      log.failures.set(reason, (log.failures.get(reason) ?? 0) + 1);
    try {
      const response = await fetch(origin + path, init);
      await response.arrayBuffer();
      if (!response.ok) failed(`${init.method ?? 'GET'} ${response.status}`);
      return response.ok;
    } catch {
      failed('broken connection');
      return false;
    }
  };
  for (let n = 0; performance.now() < endsAt; n++) {
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': browser,
      Origin: origin,
      'X-Forwarded-For': `10.${client}.${(n >> 8) & 255}.${n & 255}`,
    };
    const post = (path: string, body: unknown, more = {}) =>
      send(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
    if (await send('/')) log.pages += 1;
    if (await post('/api/activity', { type: 'page_view' })) log.visits += 1;
    if (n % 8 === 0) {
      const message = `Message ${randomUUID()}`;
      const body = { name: 'Ada', email: 'ada@example.com', message };
      const idempotency = { 'Idempotency-Key': randomUUID() };
      // A visitor who sees an error retries with the same idempotency key.
      for (let tries = 0; tries < 3; tries++) {
        if (await post('/api/contact', body, idempotency)) {
          log.messages.add(message);
          break;
        }
        await pause(second);
      }
    }
    await pause(20);
  }
}

/** Longest delay of emails whose instance was killed: its claim on them must expire first. */
const maxEmailDelay = 6 * 60 * second;

async function rowsOf(
  log: ClientLog,
  stores: ReturnType<typeof storesOn>,
  smtp: TestSmtp,
): Promise<Row[]> {
  const giveUpAt = performance.now() + maxEmailDelay;
  while ((await stores.mail.state()).waiting > 0 && performance.now() < giveUpAt)
    await pause(second);
  const stored = new Map<string, number>();
  for await (const { message } of stores.contact.all()) {
    stored.set(message, (stored.get(message) ?? 0) + 1);
  }
  const sent = new Map<string, number>();
  for (const { messageId = '' } of smtp.emails) sent.set(messageId, (sent.get(messageId) ?? 0) + 1);
  const duplicatesIn = (counts: Map<string, number>) =>
    [...counts.values()].filter((n) => n > 1).length;
  const lost = [...log.messages].filter((message) => !stored.has(message)).length;
  const allTime = { from: 0, to: Date.now() + 60 * second };
  const [{ pageViews }, recounted] = [
    await stores.analytics.totals(allTime),
    (await rawFigures(stores.analytics)).totals(allTime),
  ];
  const { checked, differences } = await stores.analytics.compareCounters();
  const { waiting } = await stores.mail.state();
  const failures = [...log.failures].map(([reason, n]) => `${n} × ${reason}`).join(', ');
  const row = (what: string, ours: number, baseline: string, goal = '0'): Row => ({
    target: '',
    what,
    ours: String(ours),
    baseline,
    ratio: '–',
    goal,
  });
  return [
    row('acknowledged messages lost', lost, `of ${log.messages.size} acknowledged`),
    row('messages stored twice', duplicatesIn(stored), `of ${stored.size} stored`),
    row('emails sent twice', duplicatesIn(sent), `of ${sent.size} sent, ${waiting} still waiting`),
    row(
      'counted visits lost',
      Math.max(0, log.visits - pageViews),
      `of ${log.visits}, ${pageViews} counted`,
    ),
    row(
      'counters that differ from their rows',
      differences.length,
      `of ${checked}; rows: ${recounted.pageViews}`,
    ),
    row(
      'failures seen by clients',
      sumOf(log.failures),
      `${failures}; ${log.pages} pages served`,
      '–',
    ),
  ];
}

const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);
