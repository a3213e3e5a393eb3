/**
 * What the site costs on PostgreSQL against the embedded engine, and two instances against one, all
 * behind nginx and in the same run.
 */
import { rm } from 'node:fs/promises';
import { inFront, startInstance, startPostgres } from './cluster.ts';
import { bytesIn, demoFolder, fillWithDemo } from './demo-data.ts';
import { costPerRequest, type Row } from './measure.ts';
import { signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';
import { activity, contact, message } from './requests.ts';

const day = 24 * 60 * 60_000;
const days = 90;

/** Measures a million and ten million events, as far as `events` allows. */
export async function instanceRows({ events: most }: { events: number }): Promise<Row[]> {
  const rows: Row[] = [];
  for (const events of new Set([Math.min(1_000_000, most), most])) {
    rows.push(...(await rowsAt(events)));
  }
  return rows;
}

async function rowsAt(events: number): Promise<Row[]> {
  const folder = await demoFolder(events, days);
  const postgres = await startPostgres();
  const servers: BenchServer[] = [];
  const running: BenchServer[] = [];
  try {
    const before = await postgres.size();
    await fillWithDemo({ DATABASE_URL: postgres.url }, events, days);
    const bytes = [(await postgres.size()) - before, await bytesIn(folder)].map((n) => n / events);
    const embedded = await startShingle({ data: folder });
    running.push(embedded);
    servers.push(await inFront('SQLite', [embedded]));
    for (const count of [1, 2]) {
      const instances: BenchServer[] = [];
      for (let n = 0; n < count; n++) instances.push(await startInstance(postgres.url));
      running.push(...instances);
      servers.push(await inFront(`${count} on PostgreSQL`, instances, postgres));
    }
    const cookies = await Promise.all(servers.map((server) => signIn(server)));

    const at = `${events.toLocaleString('en-US')} events`;
    const since = () => `startDate=${new Date(Date.now() - 30 * day).toISOString()}`;
    const dashboard = (i: number) => () =>
      message('GET', `/api/analytics/dashboard?${since()}`, [`Cookie: ${cookies[i]}`]);
    const one = { connections: 1, duration: 400, rounds: 15 };
    return [
      {
        target: '',
        what: `disk per event, ${at}`,
        ours: `PostgreSQL ${bytes[0]?.toFixed(0)} B`,
        baseline: `SQLite ${bytes[1]?.toFixed(0)} B`,
        ratio: ((bytes[0] ?? 0) / (bytes[1] ?? 1)).toFixed(2),
        goal: '–',
      },
      // Before this minute is full of visits.
      ...(await compare(servers, `P10 dashboard of 30 days, ${at}`, dashboard, one)),
      ...(await compare(servers, `P7 contact, ${at}`, () => contact)),
      ...(await compare(servers, `P8 activity, ${at}`, () => activity)),
    ];
  } finally {
    for (const server of [...servers, ...running]) await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** Each of the others against the first of them. */
async function compare(
  servers: BenchServer[],
  what: string,
  requestOf: (i: number) => (n: number) => Buffer,
  options?: Parameters<typeof costPerRequest>[1],
): Promise<Row[]> {
  const contestants = servers.map((server, i) => ({ server, request: requestOf(i) }));
  const [embedded, ...others] = await costPerRequest(contestants, options);
  if (!embedded) return [];
  return others.map(({ cpu, database, wait }, i) => ({
    target: '',
    what: `${what}: ${servers[i + 1]?.name}`,
    ours: `${us(cpu)} + ${us(database)} of the database, answered in ${us(wait)}`,
    baseline: `SQLite ${us(embedded.cpu)}, ${us(embedded.wait)}`,
    ratio: `${(cpu / embedded.cpu).toFixed(2)}, ${(wait / embedded.wait).toFixed(2)}`,
    goal: '–',
  }));
}

const us = (cost: number) => `${cost.toFixed(0)} µs`;
