/** Instances of the site on one PostgreSQL server, behind an nginx load balancer. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type OwnPostgres, startOwnPostgres } from '../server/testing/postgres/server.ts';
import { loadBalancer, startNginx } from './nginx.ts';
import { type BenchServer, cpuOf, startShingle } from './processes.ts';

/** The session secret of every instance; it protects nothing here. */
export const sharedSecret = 'one secret for every instance of the bench';

export interface Postgres extends OwnPostgres {
  /** CPU time of all its processes, in microseconds. */
  cpu(): number;
  /** Size of its database with indexes, in bytes. */
  size(): Promise<number>;
}

/** Starts a PostgreSQL server for the bench. */
export async function startPostgres(): Promise<Postgres> {
  const server = await startOwnPostgres();
  const client = new Client({ connectionString: server.url });
  // The bench may stop the server while this client is connected.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  const postmaster = Number(fieldsOf(rows[0].pid)[1]);
  return {
    ...server,
    cpu() {
      const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
      const pids = children.trim().split(' ').map(Number);
      return [postmaster, ...pids].reduce((sum, pid) => sum + cpuUnlessEnded(pid), 0);
    },
    async size() {
      const { rows } = await client.query('SELECT pg_database_size(current_database()) AS bytes');
      return Number(rows[0].bytes);
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

const fieldsOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

function cpuUnlessEnded(pid: number): number {
  try {
    return cpuOf(pid);
  } catch {
    return 0;
  }
}

/** Starts an instance on this database, with a data folder that is removed when it stops. */
export async function startInstance(
  url: string,
  env: Record<string, string> = {},
): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), 'shingle-instance-'));
  const server = await startShingle({
    data: folder,
    env: { DATABASE_URL: url, SESSION_SECRET: sharedSecret, ...env },
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts nginx in front of the instances, with their CPU and memory. It does not stop them. */
export async function startLoadBalancer(
  name: string,
  instances: readonly BenchServer[],
  database?: Postgres,
): Promise<BenchServer> {
  const nginx = await startNginx(loadBalancer(instances.map(({ port }) => port)));
  if (!nginx) throw new Error('nginx is needed for this part: apt-get install nginx-light');
  return {
    ...nginx,
    name,
    cpu: () => instances.reduce((sum, instance) => sum + instance.cpu(), 0),
    ...(database && { databaseCpu: () => database.cpu() }),
    memory: () => instances.reduce((sum, instance) => sum + instance.memory(), 0),
  };
}
