/** Starts servers as child processes and measures their CPU and memory. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../server/testing/free-port.ts';

export interface BenchServer {
  name: string;
  port: number;
  /** CPU time of the process so far, in microseconds: user and system, all threads. */
  cpu(): number;
  /** The same of its database server, if it has one. */
  databaseCpu?: () => number;
  /** Resident memory in megabytes. */
  memory(): number;
  /** Peak resident memory in megabytes. */
  peakMemory(): number;
  /** Memory with that of its children in megabytes, each shared page counted once (PSS). */
  familyMemory(): number;
  /** Ends it at once with SIGKILL. */
  kill(): Promise<void>;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
}

/** Clock ticks per second, the unit of CPU times in `/proc/<pid>/stat`. */
const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Starts `node <script>` with a free port in `PORT`; resolves when it accepts connections. */
export async function startNode(
  name: string,
  script: string,
  { cwd = process.cwd(), ...env }: Record<string, string> = {},
): Promise<BenchServer> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const child = spawn(process.execPath, [script], {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return benchServer(name, port, child, child.pid ?? 0);
}

/** The admin password of every site that the bench starts. */
export const benchPassword = 'bench';

/**
 * Starts the built site, from the project or a copy of it, on the data folder `data`, or on an
 * empty one that is removed when the server stops.
 */
export async function startShingle({
  cwd = process.cwd(),
  data,
  env = {},
}: {
  cwd?: string;
  data?: string;
  env?: Record<string, string>;
} = {}): Promise<BenchServer> {
  const folder = data ?? (await mkdtemp(join(tmpdir(), 'shingle-bench-')));
  const server = await startNode('Shingle', 'dist/server/main.js', {
    cwd,
    DATA_DIR: folder,
    ADMIN_PASSWORD: benchPassword,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'error',
    ...env,
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      if (data === undefined) await rm(folder, { recursive: true });
    },
  };
}

/** Waits until `port` accepts connections. CPU and memory are those of the process `pid`. */
export async function benchServer(
  name: string,
  port: number,
  child: ChildProcess,
  pid: number,
): Promise<BenchServer> {
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await waitForPort(port);
  return {
    name,
    port,
    cpu: () => cpuOf(pid),
    memory: () => megabytes(pid, 'VmRSS'),
    peakMemory: () => megabytes(pid, 'VmHWM'),
    familyMemory: () => familyMemory(pid),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function megabytes(pid: number, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024;
}

/** PSS of a process and its descendants, in megabytes; 0 for one that has ended. */
function familyMemory(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + familyMemory(Number(child)), kilobytes / 1024);
  } catch {
    return 0;
  }
}

/** CPU time of a process and its ended children so far, in microseconds: user and system. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const used = [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0);
  return (used * 1e6) / ticksPerSecond;
}

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`Nothing listens on port ${port} after ten seconds.`);
}
