/** P11, R2: what group commit gains on a slow disk, and whether each commit waits for an fsync. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from './load.ts';
import { median, type Row } from './measure.ts';
import { type BenchServer, startNode, startShingle } from './processes.ts';
import { contactRequest } from './requests.ts';
import { slowDisk } from './slow-disk.ts';

/** Milliseconds of an fsync: the disk of a rented machine. */
const fsyncTime = 8;
const connections = 32;
const rounds = 5;
const duration = 2000;
const metricsKey = 'the-key-of-this-benchmark';

/** Measures our server and a baseline with one commit for each message, in turns. */
export async function commitRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-commits-'));
  const servers: BenchServer[] = [];
  try {
    const [ourDisk, bareDisk] = [
      slowDisk(folder, 'ours', fsyncTime),
      slowDisk(folder, 'bare', fsyncTime),
    ];
    if (!ourDisk || !bareDisk) return [unmeasured];
    const [ourData, bareData] = [join(folder, 'ours'), join(folder, 'bare')];
    mkdirSync(bareData);
    const ours = await startShingle({
      data: ourData,
      env: { ...ourDisk.env, METRICS_KEY: metricsKey },
    });
    const bare = await startNode('one commit each', 'bench/baselines/bare-commits.mjs', {
      DATA_DIR: bareData,
      ...bareDisk.env,
    });
    servers.push(ours, bare);

    const rates = { ours: [] as number[], bare: [] as number[] };
    const done = { commits: 0, fsyncs: 0, messages: 0 };
    for (let round = -1; round < rounds; round++) {
      const [commits, fsyncs] = [await commitsOf(ours), ourDisk.count()];
      const our = await rateOf(ours);
      // The first round is a warm-up.
      if (round >= 0) {
        rates.ours.push(our);
        done.commits += (await commitsOf(ours)) - commits;
        done.fsyncs += ourDisk.count() - fsyncs;
        done.messages += our * (duration / 1000);
      }
      const theirs = await rateOf(bare);
      if (round >= 0) rates.bare.push(theirs);
    }
    const [our, theirs] = [median(rates.ours), median(rates.bare)];
    return [
      {
        target: 'P11',
        what: `POST /api/contact, ${fsyncTime} ms fsync, ${connections} clients`,
        ours: `${our.toFixed(0)} /s`,
        baseline: `one commit each ${theirs.toFixed(0)} /s`,
        ratio: (our / theirs).toFixed(1),
        goal: '≥ 5',
      },
      {
        target: 'R2',
        what: 'fsyncs for each group commit',
        ours: `${done.fsyncs} fsyncs`,
        baseline: `${done.commits} commits of ${done.messages.toFixed(0)} messages`,
        ratio: (done.fsyncs / done.commits).toFixed(2),
        goal: '≥ 1',
      },
    ];
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Messages per second. Throws if any request failed. */
async function rateOf(server: BenchServer): Promise<number> {
  const startedAt = performance.now();
  const { requests, failed } = await load({
    port: server.port,
    connections,
    duration,
    request: () => contactRequest(),
  });
  if (failed > 0) throw new Error(`${failed} of ${requests} requests to ${server.name} failed.`);
  return requests / ((performance.now() - startedAt) / 1000);
}

async function commitsOf({ port }: BenchServer): Promise<number> {
  const headers = { authorization: `Bearer ${metricsKey}` };
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
  const commits = /^shingle_commits_total (\d+)$/m.exec(text)?.[1];
  if (commits === undefined) throw new Error('The server’s metrics have no number of commits.');
  return Number(commits);
}

const unmeasured: Row = {
  target: 'P11',
  what: `POST /api/contact, ${fsyncTime} ms fsync, ${connections} clients`,
  ours: '–',
  baseline: 'not measured: needs Linux and a C compiler',
  ratio: '–',
  goal: '≥ 5',
};
