/**
 * Cost of the site on PostgreSQL against SQLite, and of two instances against one, all behind nginx
 * and in the same run.
 */
import { rm } from 'node:fs/promises';
import { startInstance, startLoadBalancer, startPostgres } from './cluster.ts';
import { demoFolder, fillWithDemo, folderSize } from './demo-data.ts';
import { costPerRequest, type Row } from './measure.ts';
import { signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';
import { activityRequest, contactRequest, rawRequest } from './requests.ts';

const day = 24 * 60 * 60_000;
const days = 90;

/** Measures with one million events and with `events`, ten million by default. */
export async function instanceRows({ events: maxEvents }: { events: number }): Promise<Row[]> {
  const rows: Row[] = [];
  for (const events of new Set([Math.min(1_000_000, maxEvents), maxEvents])) {
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
    const emptySize = await postgres.size();
    await fillWithDemo({ DATABASE_URL: postgres.url }, events, days);
    const postgresBytes = ((await postgres.size()) - emptySize) / events;
    const sqliteBytes = (await folderSize(folder)) / events;
    const embedded = await startShingle({ data: folder });
    running.push(embedded);
    servers.push(await startLoadBalancer('SQLite', [embedded]));
    for (const count of [1, 2]) {
      const instances: BenchServer[] = [];
      for (let n = 0; n < count; n++) instances.push(await startInstance(postgres.url));
      running.push(...instances);
      servers.push(await startLoadBalancer(`${count} on PostgreSQL`, instances, postgres));
    }
    const cookies = await Promise.all(servers.map((server) => signIn(server)));

    const at = `${events.toLocaleString('en-US')} events`;
    const since = () => `startDate=${new Date(Date.now() - 30 * day).toISOString()}`;
    const dashboard = (i: number) => () =>
      rawRequest('GET', `/api/analytics/dashboard?${since()}`, [`Cookie: ${cookies[i]}`]);
    const sequential = { connections: 1, duration: 400, rounds: 15 };
    return [
      {
        target: '',
        what: `disk per event, ${at}`,
        ours: `PostgreSQL ${postgresBytes.toFixed(0)} B`,
        baseline: `SQLite ${sqliteBytes.toFixed(0)} B`,
        ratio: (postgresBytes / sqliteBytes).toFixed(2),
        goal: '–',
      },
      // First, before the other rows add visits to the current minute.
      ...(await compare(servers, `P10 dashboard of 30 days, ${at}`, dashboard, sequential)),
      ...(await compare(servers, `P7 contact, ${at}`, () => () => contactRequest())),
      ...(await compare(servers, `P8 activity, ${at}`, () => activityRequest)),
    ];
  } finally {
    for (const server of [...servers, ...running]) await server.stop();
    await postgres.stop();
    await rm(folder, { recursive: true });
  }
}

/** Compares every server with the first one. */
async function compare(
  servers: BenchServer[],
  what: string,
  requestOf: (i: number) => (n: number) => Buffer,
  options?: Parameters<typeof costPerRequest>[1],
): Promise<Row[]> {
  const candidates = servers.map((server, i) => ({ server, request: requestOf(i) }));
  const [embedded, ...others] = await costPerRequest(candidates, options);
  if (!embedded) return [];
  return others.map(({ cpu, database, latency }, i) => ({
    target: '',
    what: `${what}: ${servers[i + 1]?.name}`,
    ours: `${us(cpu)} CPU + ${us(database)} of the database, latency ${us(latency)}`,
    baseline: `SQLite ${us(embedded.cpu)}, ${us(embedded.latency)}`,
    ratio: `${(cpu / embedded.cpu).toFixed(2)}, ${(latency / embedded.latency).toFixed(2)}`,
    goal: '–',
  }));
}

const us = (cost: number) => `${cost.toFixed(0)} µs`;
