/** Starts nginx with one worker. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/testing/free-port.ts';
import { type BenchServer, benchServer } from './processes.ts';

/** Returns the content of nginx's `http` block, for a free port and a temporary folder. */
export type Configuration = (options: { port: number; folder: string }) => string;

/** Starts nginx; resolves with undefined if it is not installed. */
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
  const server = await benchServer('nginx', port, child, child.pid ?? 0);
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  const worker = await benchServer(server.name, port, child, Number(children.split(' ')[0]));
  return {
    ...worker,
    async stop() {
      await worker.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A round-robin load balancer for instances on these ports. */
export const loadBalancer =
  (ports: readonly number[]): Configuration =>
  ({ port }) =>
    `
    upstream site {
      ${ports.map((instance) => `server 127.0.0.1:${instance} max_fails=1 fail_timeout=1s;`).join(' ')}
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
