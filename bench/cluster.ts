/** Instances of the site on one PostgreSQL server, behind nginx. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type OwnPostgres, startOwnPostgres } from '../server/testing/postgres/server.ts';
import { inFrontOf, startNginx } from './nginx.ts';
import { type BenchServer, cpuOf, startShingle } from './processes.ts';

/** What instances on one database must have in common, and the bench need not keep from anybody. */
export const sharedSecret = 'one secret for every instance of the bench';

export interface Postgres extends OwnPostgres {
  /** CPU of all its processes, in microseconds. */
  cpu(): number;
  /** Bytes of its one database, indexes and all. */
  size(): Promise<number>;
}

/** Starts a server of the bench's own. */
export async function startPostgres(): Promise<Postgres> {
  const server = await startOwnPostgres();
  const client = new Client({ connectionString: server.url });
  // The bench may stop the server under it.
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

/** An instance on this database, with a folder of its own that is removed when it is stopped. */
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

/** nginx in front of these, as the one server that they are to their visitors. Stopping it stops none of them. */
export async function inFront(
  name: string,
  instances: readonly BenchServer[],
  database?: Postgres,
): Promise<BenchServer> {
  const front = await startNginx(inFrontOf(instances.map(({ port }) => port)));
  if (!front) throw new Error('nginx is needed for this part: apt-get install nginx-light');
  return {
    ...front,
    name,
    cpu: () => instances.reduce((sum, one) => sum + one.cpu(), 0),
    ...(database && { databaseCpu: () => database.cpu() }),
    memory: () => instances.reduce((sum, one) => sum + one.memory(), 0),
  };
}
