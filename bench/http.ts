/** P7, P8, P9: what a request costs, against bare servers in the same run. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Contestant, cpuPerRequest, type Row } from './measure.ts';
import { type BenchServer, freePort, serving, startNode, startShingle } from './processes.ts';

const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36';

function message(method: string, path: string, headers: string[], body = ''): Buffer {
  const length = body ? [`Content-Length: ${Buffer.byteLength(body)}`] : [];
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `User-Agent: ${browser}`];
  return Buffer.from(`${[...lines, ...headers, ...length].join('\r\n')}\r\n\r\n${body}`);
}

/** A different visitor each time: what is measured is the work, not the refusal of a flood. */
const visitor = (n: number) =>
  `X-Forwarded-For: 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const json = 'Content-Type: application/json';

const contactBody = JSON.stringify({
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  company: 'Analytical Engines',
  message: 'We have nine tools and none of them talk. Can you map it? '.repeat(2),
});
const contact = (n: number) => message('POST', '/api/contact', [json, visitor(n)], contactBody);
const activity = (n: number) =>
  message('POST', '/api/activity', [json, visitor(n)], '{"type":"page_view"}');
const page = () => message('GET', '/', ['Accept-Encoding: gzip']);

/** Runs the three comparisons. */
export async function httpRows(): Promise<Row[]> {
  const ours = await startShingle();
  const bare = await startNode('bare node:http', 'bench/baselines/bare-http.mjs');
  const express = await startNode('bare Express', 'bench/baselines/bare-express.mjs');
  const nginx = await startNginx(ours);
  const files = nginx ? [{ server: nginx, request: page }] : [];
  try {
    const [contactCost = 0, expressCost = 0] = await compare(
      ours,
      [{ server: express, request: contact }],
      contact,
    );
    const [activityCost = 0, bareCost = 0] = await compare(
      ours,
      [{ server: bare, request: activity }],
      activity,
    );
    const [pageCost = 0, staticCost = 0, nginxCost] = await compare(
      ours,
      [{ server: express, request: page }, ...files],
      page,
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
      row('', 'GET / precompressed, CPU', pageCost, staticCost, 'express.static', '(P9)'),
      nginxCost === undefined
        ? {
            target: 'P9',
            what: 'GET / precompressed, CPU',
            ours: us(pageCost),
            baseline: 'nginx is not installed: not measured',
            ratio: '–',
            goal: '≤ 4',
          }
        : row('P9', 'GET / precompressed, CPU', pageCost, nginxCost, 'nginx gzip_static', '≤ 4'),
    ];
  } finally {
    for (const server of [ours, bare, express, ...(nginx ? [nginx] : [])]) await server.stop();
  }
}

const compare = (ours: BenchServer, others: Contestant[], request: (n: number) => Buffer) =>
  cpuPerRequest([{ server: ours, request }, ...others]);

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

/** nginx with gzip_static on the page as we send it, one worker; undefined where it is not installed. */
async function startNginx({ port: ours }: BenchServer): Promise<BenchServer | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'shingle-nginx-'));
  const port = await freePort();
  const page = Buffer.from(await (await fetch(`http://127.0.0.1:${ours}/`)).arrayBuffer());
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'index.html.gz'), gzipSync(page, { level: 9 }));
  const config = join(folder, 'nginx.conf');
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events {}
     http {
       access_log off; sendfile on; gzip_static on; keepalive_requests 10000000;
       client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
       uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       server { listen 127.0.0.1:${port}; root ${folder}; }
     }`,
  );
  const child = spawn('nginx', ['-c', config], { stdio: 'ignore' });
  const server = await serving('nginx', port, child, child.pid ?? 0);
  const worker = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return serving(server.name, port, child, Number(worker.split(' ')[0]));
}
