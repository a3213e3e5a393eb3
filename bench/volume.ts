/** P10, P13, P14, P15: cost and correctness of the analytics with many events. */
import { rm } from 'node:fs/promises';
import { demoFolder, folderSize } from './demo-data.ts';
import { exactRows } from './exact.ts';
import { load } from './load.ts';
import { costPerRequest, median, type Row } from './measure.ts';
import { countedVisits, signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';
import { timedStart } from './published.ts';
import { activityRequest, rawRequest } from './requests.ts';

const day = 24 * 60 * 60_000;
const days = 90;

/** A data folder with a number of events. */
interface Dataset {
  events: number;
  folder: string;
}

/** Measures with ten thousand events, one million, and `events`: ten million by default. */
export async function volumeRows({ events: maxEvents }: { events: number }): Promise<Row[]> {
  const small = Math.min(10_000, maxEvents);
  const middle = Math.min(1_000_000, maxEvents);
  const datasets: Dataset[] = [];
  try {
    for (const events of new Set([small, middle, maxEvents])) {
      datasets.push({ events, folder: await demoFolder(events, days) });
    }
    const million = datasets.find(({ events }) => events === middle);
    if (!million) throw new Error('There are no events to measure.');
    // Disk size first, before a server writes; memory last, since that adds visits to the folder.
    return [
      ...(await diskRows(datasets)),
      ...(await queryRows(datasets)),
      await startRow(million),
      ...(await memoryRows(million)),
      ...(await exactRows(middle)),
    ];
  } finally {
    for (const { folder } of datasets) await rm(folder, { recursive: true });
  }
}

const formatNumber = (n: number) => n.toLocaleString('en-US');
const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;

/** The demo process has ended, so the WAL is checkpointed into the database file. */
const diskRows = (datasets: Dataset[]): Promise<Row[]> =>
  Promise.all(
    datasets.map(async ({ events, folder }) => ({
      target: 'P15',
      what: `disk per event, ${formatNumber(events)} events`,
      ours: `${((await folderSize(folder)) / events).toFixed(1)} B`,
      baseline: 'exact, sales included',
      ratio: '–',
      goal: '≤ 100 B',
    })),
  );

/**
 * Requests of the dashboard. The path is created for each request, since it holds the current time.
 */
const queries = [
  { target: 'P10', what: 'dashboard, 30 days', path: () => `dashboard?${since(30)}` },
  { target: 'P10', what: 'dashboard, 90 days', path: () => `dashboard?${since(days)}` },
  { target: 'P10', what: 'months', path: () => 'months' },
  { what: 'breakdown, 30 days, UTC', path: () => `breakdown?${since(30)}` },
  ...['America/New_York', 'Asia/Kathmandu'].map((zone) => ({
    what: `breakdown, 90 days, ${zone}`,
    path: () => `breakdown?${since(days)}&timeZone=${encodeURIComponent(zone)}`,
  })),
];

const since = (days: number) => `startDate=${new Date(Date.now() - days * day).toISOString()}`;

async function queryRows(datasets: Dataset[]): Promise<Row[]> {
  const servers: { events: number; server: BenchServer }[] = [];
  try {
    for (const { events, folder } of datasets) {
      servers.push({ events, server: await startShingle({ data: folder }) });
    }
    const cookies = await Promise.all(servers.map(({ server }) => signIn(server)));
    const rows: Row[] = [];
    for (const { target = '', what, path } of queries) {
      const candidates = servers.map(({ server }, i) => ({
        server,
        request: () => rawRequest('GET', `/api/analytics/${path()}`, [`Cookie: ${cookies[i]}`]),
      }));
      const options = { connections: 1, duration: 400, rounds: 15 };
      const [smallest, ...costs] = await costPerRequest(candidates, options);
      if (!smallest) continue;
      rows.push(
        ...costs.map(({ cpu, latency }, i) => ({
          target,
          what: `${what}, ${formatNumber(servers[i + 1]?.events ?? 0)} events`,
          ours: `${ms(cpu)} CPU, latency ${ms(latency)}`,
          baseline: `${formatNumber(servers[0]?.events ?? 0)} events ${ms(smallest.cpu)}, ${ms(smallest.latency)}`,
          ratio: `${(cpu / smallest.cpu).toFixed(2)}, ${(latency / smallest.latency).toFixed(2)}`,
          // Ten million events in 90 days are a thousand times those of a busy site.
          goal: target && ((servers[i + 1]?.events ?? 0) > 1e6 ? '≤ 100 ms' : '≤ 10 ms'),
        })),
      );
    }
    return rows;
  } finally {
    for (const { server } of servers) await server.stop();
  }
}

async function startRow({ events, folder }: Dataset): Promise<Row> {
  const [times, costs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i += 1) {
    const { ms, cpu } = await timedStart({ data: folder });
    times.push(ms);
    costs.push(cpu);
  }
  return {
    target: 'P14',
    what: `start to /healthz 200, ${formatNumber(events)} events`,
    ours: `${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
    baseline: `5 starts, ${median(costs).toFixed(0)} ms CPU each`,
    ratio: '–',
    goal: '≤ 1000 ms',
  };
}

async function memoryRows({ events, folder }: Dataset): Promise<Row[]> {
  const server = await startShingle({ data: folder });
  try {
    const cookie = await signIn(server);
    const before = await countedVisits(server, cookie);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const idle = server.memory();

    let peak = idle;
    const sampler = setInterval(() => {
      peak = Math.max(peak, server.memory());
    }, 50);
    const { requests, failed } = await load({
      port: server.port,
      connections: 32,
      duration: 10_000,
      request: activityRequest,
    });
    clearInterval(sampler);
    if (failed > 0) throw new Error(`${failed} of ${requests} visits failed.`);
    const counted = (await countedVisits(server, cookie)) - before;
    const row = (what: string, memory: number, baseline: string, goal: string): Row => ({
      target: 'P13',
      what: `memory of the process, ${formatNumber(events)} events: ${what}`,
      ours: `${memory.toFixed(0)} MB`,
      baseline,
      ratio: '–',
      goal,
    });
    const visits = `${formatNumber(counted)} counted of ${formatNumber(requests)} in 10 s`;
    return [
      row('idle', idle, 'after one dashboard', '≤ 120 MB'),
      row('peak during visits', peak, visits, '≤ 200 MB'),
    ];
  } finally {
    await server.stop();
  }
}
