/**
 * What is lost when things fail: two instances behind nginx, a minute of mixed load, in which one
 * instance is killed and comes back, and later PostgreSQL is stopped for a quarter of a minute. Nothing
 * that was answered with success may be missing or there twice.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { storesOn } from '../server/app/stores.ts';
import { openPostgres } from '../server/database/postgres/postgres.ts';
import { openTestSmtp, type TestSmtp } from '../server/testing/smtp.ts';
import { inFront, startInstance, startPostgres } from './cluster.ts';
import type { Row } from './measure.ts';
import type { BenchServer } from './processes.ts';
import { browser } from './requests.ts';

const clients = 12;
const second = 1000;
/** When what happens, in ms after the begin. */
const plan = {
  kill: 12 * second,
  comeBack: 17 * second,
  stopDatabase: 30 * second,
  startDatabase: 45 * second,
  end: 60 * second,
};

/** What the clients were told. */
interface Told {
  /** Texts of messages that were acknowledged. */
  messages: Set<string>;
  visits: number;
  pages: number;
  /** How often each failure was seen: a status, or a broken connection. */
  failures: Map<string, number>;
}

export async function failureRows(): Promise<Row[]> {
  const postgres = await startPostgres();
  const smtp = await openTestSmtp();
  const env = { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' };
  const running: BenchServer[] = [];
  const told: Told = { messages: new Set(), visits: 0, pages: 0, failures: new Map() };
  try {
    for (let n = 0; n < 2; n++) running.push(await startInstance(postgres.url, env));
    const [first, second] = running;
    if (!first || !second) throw new Error('There are no two instances.');
    const front = await inFront('two instances', [first, second]);
    running.unshift(front);
    const ends = performance.now() + plan.end;
    await Promise.all([
      ...Array.from({ length: clients }, (_, n) => visit(front, n, { ends, told })),
      killAndComeBack(second, postgres.url, env).then((instance) => running.push(instance)),
      stopAndStart(postgres),
    ]);
    const database = await openPostgres(postgres.url);
    try {
      return await rowsOf(told, storesOn(database), smtp);
    } finally {
      await database.close();
    }
  } finally {
    for (const server of running) await server.stop();
    await smtp.close();
    await postgres.stop();
  }
}

async function killAndComeBack(
  { port, kill }: BenchServer,
  url: string,
  env: Record<string, string>,
): Promise<BenchServer> {
  await pause(plan.kill);
  await kill();
  await pause(plan.comeBack - plan.kill);
  return startInstance(url, { ...env, PORT: String(port) });
}

async function stopAndStart(postgres: {
  kill(signal: 'SIGINT'): Promise<void>;
  restart(): Promise<void>;
}): Promise<void> {
  await pause(plan.stopDatabase);
  await postgres.kill('SIGINT');
  await pause(plan.startDatabase - plan.stopDatabase);
  await postgres.restart();
}

/** What one client does, over and over: opens the page, counts as a visitor, now and then writes. */
async function visit(
  front: BenchServer,
  client: number,
  { ends, told }: { ends: number; told: Told },
): Promise<void> {
  const origin = `http://127.0.0.1:${front.port}`;
  const ask = async (path: string, init: RequestInit = {}): Promise<boolean> => {
    const failed = (how: string) => told.failures.set(how, (told.failures.get(how) ?? 0) + 1);
    try {
      const answer = await fetch(origin + path, init);
      await answer.arrayBuffer();
      if (!answer.ok) failed(`${init.method ?? 'GET'} ${answer.status}`);
      return answer.ok;
    } catch {
      failed('broken connection');
      return false;
    }
  };
  for (let n = 0; performance.now() < ends; n++) {
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': browser,
      Origin: origin,
      'X-Forwarded-For': `10.${client}.${(n >> 8) & 255}.${n & 255}`,
    };
    const post = (path: string, body: unknown, more = {}) =>
      ask(path, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });
    if (await ask('/')) told.pages += 1;
    if (await post('/api/activity', { type: 'page_view' })) told.visits += 1;
    if (n % 8 === 0) {
      const message = `Message ${randomUUID()}`;
      const letter = { name: 'Ada', email: 'ada@example.com', message };
      const draft = { 'Idempotency-Key': randomUUID() };
      // Somebody who reads that it failed presses the button again, and perhaps once more.
      for (let tries = 0; tries < 3; tries++) {
        if (await post('/api/contact', letter, draft)) {
          told.messages.add(message);
          break;
        }
        await pause(second);
      }
    }
    await pause(20);
  }
}

/** How long letters may take whose instance was killed with them in its hands: others wait for that. */
const lastLetter = 6 * 60 * second;

async function rowsOf(
  told: Told,
  stores: ReturnType<typeof storesOn>,
  smtp: TestSmtp,
): Promise<Row[]> {
  const until = performance.now() + lastLetter;
  while ((await stores.mail.state()).waiting > 0 && performance.now() < until) await pause(second);
  const kept = new Map<string, number>();
  for await (const { message } of stores.contact.all()) {
    kept.set(message, (kept.get(message) ?? 0) + 1);
  }
  const sent = new Map<string, number>();
  for (const { messageId = '' } of smtp.letters)
    sent.set(messageId, (sent.get(messageId) ?? 0) + 1);
  const twice = (counts: Map<string, number>) => [...counts.values()].filter((n) => n > 1).length;
  const lost = [...told.messages].filter((message) => !kept.has(message)).length;
  const ever = { from: 0, to: Date.now() + 60 * second };
  const [{ pageViews }, recounted] = [
    await stores.analytics.totals(ever),
    await stores.analytics.recount(ever),
  ];
  const { checked, differences } = await stores.analytics.compareCounters();
  const { waiting } = await stores.mail.state();
  const failures = [...told.failures].map(([how, n]) => `${n} × ${how}`).join(', ');
  const row = (what: string, ours: number, baseline: string, goal = '0'): Row => ({
    target: '',
    what,
    ours: String(ours),
    baseline,
    ratio: '–',
    goal,
  });
  return [
    row('acknowledged messages lost', lost, `of ${told.messages.size} acknowledged`),
    row('messages kept twice', twice(kept), `of ${kept.size} kept`),
    row('letters sent twice', twice(sent), `of ${sent.size} sent, ${waiting} still waiting`),
    row(
      'counted visits lost',
      Math.max(0, told.visits - pageViews),
      `of ${told.visits}, ${pageViews} counted`,
    ),
    row(
      'counters that are not their rows',
      differences.length,
      `of ${checked}; rows: ${recounted.pageViews}`,
    ),
    row(
      'failures that clients saw',
      sumOf(told.failures),
      `${failures}; ${told.pages} pages served`,
      '–',
    ),
  ];
}

const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((sum, n) => sum + n, 0);
