/** nginx as a process of the bench, with one worker. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchServer, freePort, serving } from './processes.ts';

/** The parts of its configuration inside `http`, for a port and a folder of its own. */
export type Configuration = (place: { port: number; folder: string }) => string;

/** Starts it; undefined where it is not installed. */
export async function startNginx(http: Configuration): Promise<BenchServer | undefined> {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'shingle-nginx-'));
  const port = await freePort();
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events { worker_connections 1024; }
     http {
       access_log off; keepalive_requests 10000000;
       ${temporary.map((name) => `${name}_temp_path ${folder};`).join(' ')}
       ${http({ port, folder })}
     }`,
  );
  const child = spawn('nginx', ['-c', config], { stdio: 'ignore' });
  const server = await serving('nginx', port, child, child.pid ?? 0);
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  const worker = await serving(server.name, port, child, Number(children.split(' ')[0]));
  return {
    ...worker,
    async stop() {
      await worker.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** In front of instances on these ports, each request to the next of them. */
export const inFrontOf =
  (ports: readonly number[]): Configuration =>
  ({ port }) =>
    `
    upstream site {
      ${ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join(' ')}
      keepalive 64; keepalive_requests 10000000;
    }
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://site; proxy_http_version 1.1; proxy_set_header Connection "";
        proxy_set_header Host $http_host; proxy_connect_timeout 3s;
        proxy_next_upstream error timeout;
      }
    }`;
