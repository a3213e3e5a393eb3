/** P7, P8, P9: CPU cost of a request, against minimal servers in the same run. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Candidate, costPerRequest, type Row } from './measure.ts';
import { startNginx } from './nginx.ts';
import { countedVisits, signIn } from './owner.ts';
import { type BenchServer, startNode, startShingle } from './processes.ts';
import { activityRequest, contactRequest, rawRequest } from './requests.ts';

const pageRequest = () => rawRequest('GET', '/', ['Accept-Encoding: gzip']);

/** Compares contact messages, page views and the landing page. */
export async function httpRows(): Promise<Row[]> {
  const ours = await startShingle();
  const bare = await startNode('bare node:http', 'bench/baselines/bare-http.mjs');
  const express = await startNode('bare Express', 'bench/baselines/bare-express.mjs');
  const nginx = await startPageServer(ours);
  const files = nginx ? [{ server: nginx, request: pageRequest }] : [];
  try {
    const [contactCost = 0, expressCost = 0] = await compare(
      ours,
      [{ server: express, request: contactRequest }],
      contactRequest,
    );
    let visits = 0;
    const visit = (n: number) => {
      visits += 1;
      return activityRequest(n);
    };
    const [activityCost = 0, bareCost = 0] = await compare(
      ours,
      [{ server: bare, request: activityRequest }],
      visit,
    );
    const counted = await countedVisits(ours, await signIn(ours));
    const [pageCost = 0, staticCost = 0, nginxCost] = await compare(
      ours,
      [{ server: express, request: pageRequest }, ...files],
      pageRequest,
    );
    return [
      row(
        'P7',
        'POST /api/contact, fsynced, CPU',
        contactCost,
        expressCost,
        'Express 5 + json echo',
        '≤ 0.4',
      ),
      row(
        'P8',
        'POST /api/activity, durable, CPU',
        activityCost,
        bareCost,
        'node:http echo',
        '≤ 2.5',
      ),
      {
        target: '',
        what: 'stored visits of that load',
        ours: String(counted),
        baseline: `sent ${visits}`,
        ratio: (counted / visits).toFixed(2),
        goal: '1',
      },
      row('', 'GET / precompressed, CPU', pageCost, staticCost, 'express.static', '(P9)'),
      nginxCost === undefined
        ? {
            target: 'P9',
            what: 'GET / precompressed, CPU',
            ours: us(pageCost),
            baseline: 'not measured: nginx is not installed',
            ratio: '–',
            goal: '≤ 4',
          }
        : row('P9', 'GET / precompressed, CPU', pageCost, nginxCost, 'nginx gzip_static', '≤ 4'),
    ];
  } finally {
    for (const server of [ours, bare, express, ...(nginx ? [nginx] : [])]) await server.stop();
  }
}

/** CPU microseconds per request: first of our server, then of the others. */
async function compare(
  ours: BenchServer,
  others: Candidate[],
  request: (n: number) => Buffer,
): Promise<number[]> {
  const costs = await costPerRequest([{ server: ours, request }, ...others]);
  return costs.map(({ cpu }) => cpu);
}

const us = (cost: number) => `${cost.toFixed(0)} µs`;

function row(
  target: string,
  what: string,
  ours: number,
  theirs: number,
  baseline: string,
  goal: string,
): Row {
  const ratio = (ours / theirs).toFixed(2);
  return { target, what, ours: us(ours), baseline: `${baseline} ${us(theirs)}`, ratio, goal };
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
