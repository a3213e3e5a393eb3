/** P10, P13, P14, P15: what the numbers cost when there are many, and whether they are right. */
import { rm } from 'node:fs/promises';
import { bytesIn, demoFolder } from './demo-data.ts';
import { exactRows } from './exact.ts';
import { load } from './load.ts';
import { costPerRequest, median, type Row } from './measure.ts';
import { ask, countedVisits, signIn } from './owner.ts';
import { type BenchServer, startShingle } from './processes.ts';
import { activity, message } from './requests.ts';

const day = 24 * 60 * 60_000;
const days = 90;

/** A folder of so many events. */
interface Volume {
  events: number;
  folder: string;
}

/** Measures 10 thousand, a million and ten million events, as far as `events` allows. */
export async function volumeRows({ events: most }: { events: number }): Promise<Row[]> {
  const small = Math.min(10_000, most);
  const middle = Math.min(1_000_000, most);
  const volumes: Volume[] = [];
  try {
    for (const events of new Set([small, middle, most])) {
      volumes.push({ events, folder: await demoFolder(events, days) });
    }
    const million = volumes.find(({ events }) => events === middle);
    if (!million) throw new Error('There is nothing to measure.');
    // Bytes first, before a server writes; visits last, since they are one's own.
    return [
      ...(await diskRows(volumes)),
      ...(await answerRows(volumes)),
      await startRow(million),
      ...(await memoryRows(million)),
      ...(await exactRows(middle)),
    ];
  } finally {
    for (const { folder } of volumes) await rm(folder, { recursive: true });
  }
}

const grouped = (n: number) => n.toLocaleString('en-US');
const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;

/** The file is checkpointed: the demo has ended, and nobody else has opened it. */
const diskRows = (volumes: Volume[]): Promise<Row[]> =>
  Promise.all(
    volumes.map(async ({ events, folder }) => ({
      target: 'P15',
      what: `disk per event, ${grouped(events)} events`,
      ours: `${((await bytesIn(folder)) / events).toFixed(1)} B`,
      baseline: 'exact, sales included',
      ratio: '–',
      goal: '≤ 100 B',
    })),
  );

/** What the signed-in owner's screen asks for. The path is made at the moment of asking. */
const questions = [
  { target: 'P10', what: 'dashboard, 30 days', path: () => `dashboard?${since(30)}` },
  { target: 'P10', what: 'dashboard, 90 days', path: () => `dashboard?${since(days)}` },
  { what: 'breakdown, 30 days, UTC', path: () => `breakdown?${since(30)}` },
  ...['America/New_York', 'Asia/Kathmandu'].map((zone) => ({
    what: `breakdown, 90 days, ${zone}`,
    path: () => `breakdown?${since(days)}&timeZone=${encodeURIComponent(zone)}`,
  })),
];

const since = (days: number) => `startDate=${new Date(Date.now() - days * day).toISOString()}`;

async function answerRows(volumes: Volume[]): Promise<Row[]> {
  const servers: { events: number; server: BenchServer }[] = [];
  try {
    for (const { events, folder } of volumes) {
      servers.push({ events, server: await startShingle({ data: folder }) });
    }
    const cookies = await Promise.all(servers.map(({ server }) => signIn(server)));
    const rows: Row[] = [];
    for (const { target = '', what, path } of questions) {
      const contestants = servers.map(({ server }, i) => ({
        server,
        request: () => message('GET', `/api/analytics/${path()}`, [`Cookie: ${cookies[i]}`]),
      }));
      const options = { connections: 1, duration: 400, rounds: 15 };
      const [least, ...costs] = await costPerRequest(contestants, options);
      if (!least) continue;
      rows.push(
        ...costs.map(({ cpu, wait }, i) => ({
          target,
          what: `${what}, ${grouped(servers[i + 1]?.events ?? 0)} events`,
          ours: `${ms(cpu)} CPU, answered in ${ms(wait)}`,
          baseline: `${grouped(servers[0]?.events ?? 0)} events ${ms(least.cpu)}, ${ms(least.wait)}`,
          ratio: `${(cpu / least.cpu).toFixed(2)}, ${(wait / least.wait).toFixed(2)}`,
          goal: target && '≤ 3, < 5 ms',
        })),
      );
    }
    return rows;
  } finally {
    for (const { server } of servers) await server.stop();
  }
}

async function startRow({ events, folder }: Volume): Promise<Row> {
  const [times, costs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i += 1) {
    const begun = performance.now();
    const server = await startShingle({ data: folder });
    try {
      await ask(server, '/healthz', '');
      times.push(performance.now() - begun);
      costs.push(server.cpu() / 1000);
    } finally {
      await server.stop();
    }
  }
  return {
    target: 'P14',
    what: `start to /healthz 200, ${grouped(events)} events`,
    ours: `${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`,
    baseline: `5 starts, ${median(costs).toFixed(0)} ms CPU each`,
    ratio: '–',
    goal: '≤ 1000 ms',
  };
}

async function memoryRows({ events, folder }: Volume): Promise<Row[]> {
  const server = await startShingle({ data: folder });
  try {
    const cookie = await signIn(server);
    const before = await countedVisits(server, cookie);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const idle = server.memory();

    let peak = idle;
    const watch = setInterval(() => {
      peak = Math.max(peak, server.memory());
    }, 50);
    const { requests, refused } = await load({
      port: server.port,
      connections: 32,
      duration: 10_000,
      request: activity,
    });
    clearInterval(watch);
    if (refused > 0) throw new Error(`${refused} of ${requests} visits were refused.`);
    const counted = (await countedVisits(server, cookie)) - before;
    const row = (what: string, memory: number, baseline: string): Row => ({
      target: 'P13',
      what: `memory of the process, ${grouped(events)} events: ${what}`,
      ours: `${memory.toFixed(0)} MB`,
      baseline,
      ratio: '–',
      goal: '≤ 120 MB',
    });
    const visits = `${grouped(counted)} counted of ${grouped(requests)} in 10 s`;
    return [row('idle', idle, 'after one dashboard'), row('peak of visits', peak, visits)];
  } finally {
    await server.stop();
  }
}
