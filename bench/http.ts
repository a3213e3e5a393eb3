/** P7, P8, P9: CPU cost of a request, against other servers in the same run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Cost, costPerRequest, type Row } from './measure.ts';
import { startNginx } from './nginx.ts';
import { countedVisits, signIn } from './owner.ts';
import { type BenchServer, startNode, startShingle } from './processes.ts';
import { activityRequest, contactRequest, rawRequest } from './requests.ts';

const pageRequest = () => rawRequest('GET', '/', ['Accept-Encoding: gzip']);

/** Compares contact messages, page views and the landing page. */
export async function httpRows(): Promise<Row[]> {
  const ours = await startShingle();
  const trpc = await startNode('Express and tRPC', 'bench/baselines/express-trpc.mjs');
  const nginx = await startPageServer(ours);
  try {
    const [contact, contactBaseline] = await costPerRequest([
      { server: ours, request: () => contactRequest() },
      { server: trpc, request: () => contactRequest('/api/trpc/submit') },
    ]);
    let visits = 0;
    const visit = (n: number) => {
      visits += 1;
      return activityRequest(n);
    };
    const [activity, activityBaseline] = await costPerRequest([
      { server: ours, request: visit },
      { server: trpc, request: (n) => activityRequest(n, '/api/trpc/record') },
    ]);
    const counted = await countedVisits(ours, await signIn(ours));
    const [page, pageBaseline] = await costPerRequest(
      [ours, ...(nginx ? [nginx] : [])].map((server) => ({ server, request: pageRequest })),
    );
    const stack = 'Express 5 + tRPC, stores nothing';
    return [
      {
        target: 'P7',
        what: 'POST /api/contact, fsynced, CPU',
        goal: '≤ 1.5',
        ...compared(contact, contactBaseline, stack),
      },
      {
        target: 'P8',
        what: 'POST /api/activity, durable, CPU',
        goal: '≤ 1.5',
        ...compared(activity, activityBaseline, stack),
      },
      {
        target: '',
        what: 'stored visits of that load',
        ours: String(counted),
        baseline: `sent ${visits}`,
        ratio: (counted / visits).toFixed(2),
        goal: '1',
      },
      {
        target: 'P9',
        what: 'GET / precompressed, CPU',
        goal: '≤ 4',
        ...compared(page, pageBaseline, 'nginx gzip_static'),
      },
    ];
  } finally {
    for (const server of [ours, trpc, nginx]) await server?.stop();
  }
}

/** The cells of a comparison of CPU costs; without a baseline the server is not installed. */
function compared(ours: Cost | undefined, theirs: Cost | undefined, baseline: string) {
  const text = (cost = Number.NaN) => `${cost.toFixed(0)} µs`;
  return {
    ours: text(ours?.cpu),
    baseline: theirs ? `${baseline} ${text(theirs.cpu)}` : `${baseline}: not installed`,
    ratio: ours && theirs ? (ours.cpu / theirs.cpu).toFixed(2) : '–',
  };
}

/** nginx with gzip_static and our landing page; undefined if it is not installed. */
async function startPageServer({ port }: BenchServer): Promise<BenchServer | undefined> {
  const page = Buffer.from(await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer());
  return startNginx(({ port, folder }) => {
    writeFileSync(join(folder, 'index.html'), page);
    writeFileSync(join(folder, 'index.html.gz'), gzipSync(page, { level: 9 }));
    return `sendfile on; gzip_static on; server { listen 127.0.0.1:${port}; root ${folder}; }`;
  });
}
