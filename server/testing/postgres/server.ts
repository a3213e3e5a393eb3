/** For tests: starts real PostgreSQL servers, and creates empty databases and schemas on them. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from '../free-port.ts';
import { findPrograms, initialData, serverUser, temporaryFolder } from './programs.ts';

export interface TestPostgres {
  /** URL of the database `postgres`, for a user who can create databases. */
  url: string;
  /** Stops the server and deletes its data, if it was started here. */
  stop(): Promise<void>;
}

/** A server for one test alone, which may crash it. */
export interface OwnPostgres extends TestPostgres {
  /**
   * Stops the server. SIGINT closes connections in order, SIGQUIT reports a crash to clients, SIGKILL
   * reports nothing; after the last two the next start recovers. Committed data stay.
   */
  kill(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again with the same data on the same port. */
  restart(): Promise<void>;
  /** Pauses all its processes: open connections and new ones get no response. */
  hang(): Promise<void>;
  /** Resumes the processes after `hang`. */
  resume(): Promise<void>;
}

export interface FreshDatabase {
  url: string;
  /** Drops it. Dropping a database closes the connections to it. */
  drop(): Promise<void>;
}

/** Returns the server of TEST_DATABASE_URL, or starts one. */
export async function startPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? { url, stop: async () => {} } : startOwnPostgres();
}

/** Creates an empty database with a random name. */
export async function freshDatabase(server: { url: string }): Promise<FreshDatabase> {
  const name = `shingle_test_${randomBytes(8).toString('hex')}`;
  await execute(server.url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Creates an empty schema with a random name, in a hundredth of the time; its URL sets search_path. */
export async function schemaOn(server: { url: string }): Promise<FreshDatabase> {
  const name = `shingle_test_${randomBytes(8).toString('hex')}`;
  await execute(server.url, `CREATE SCHEMA ${name}`);
  const url = new URL(server.url);
  url.searchParams.set('options', `-c search_path=${name}`);
  return { url: url.href, drop: () => execute(server.url, `DROP SCHEMA ${name} CASCADE`) };
}

/** Runs one statement on a new connection. */
export async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Starts a server on a free port, with its data in a temporary folder. Both are removed when this process
 * ends, even if it is killed. Throws with the server's log when the start fails.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = await findPrograms();
  const initial = await initialData(programs);
  const folder = await mkdtemp(join(await temporaryFolder(), 'shingle-postgres-data-'));
  const supervisor = await startSupervisor(programs, folder);
  try {
    await supervisor.run(`cp -R '${initial}' data`);
    const { port, start } = await startOnFreePort(supervisor);
    const signal = (name: NodeJS.Signals) => signalAll(folder, name);
    /** Resumes a paused server first, because it could not stop otherwise. */
    const stopWith = async (stop: () => Promise<void>) => {
      const processes = await signal('SIGCONT');
      await stop();
      await waitForExit(processes);
    };
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: () => stopWith(supervisor.close),
      async kill(name) {
        if (name === 'SIGINT') return stopWith(() => supervisor.run('pg_ctl stop -w -m fast'));
        if (name === 'SIGQUIT') {
          return stopWith(() => supervisor.run('pg_ctl stop -w -m immediate'));
        }
        await waitForExit(await signal('SIGKILL'));
        // Another process may have the same pid at the next start.
        await rm(postmasterFile(folder));
      },
      restart: () => supervisor.run(start),
      async hang() {
        await signal('SIGSTOP');
      },
      async resume() {
        await signal('SIGCONT');
      },
    };
  } catch (error) {
    await supervisor.close();
    throw error;
  }
}

interface Supervisor {
  /** Runs a command in the folder. Throws with the log when it fails. */
  run(command: string): Promise<void>;
  /** Stops the server and deletes the folder. */
  close(): Promise<void>;
}

/**
 * A shell that runs commands from its stdin. When stdin closes, because the test process ended, it stops
 * the server, also a paused one, and deletes the folder. It ignores SIGPIPE, because stdout is closed then.
 */
const supervisorScript = `
trap '' HUP INT PIPE TERM
while read -r command; do
  eval "$command" </dev/null >>log 2>&1
  echo $?
done
exec >/dev/null
postmaster=$(head -n 1 data/postmaster.pid) && kill -CONT "$postmaster" && pg_ctl stop -w -m immediate
cd / && rm -rf "$FOLDER"
`;

async function startSupervisor(programs: string, folder: string): Promise<Supervisor> {
  if (serverUser) await chown(folder, serverUser.uid, serverUser.gid);
  const shell = spawn('sh', ['-c', supervisorScript], {
    cwd: folder,
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      PGDATA: join(folder, 'data'),
      FOLDER: folder,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
    ...serverUser,
  });
  const closed = new Promise((resolve) => shell.on('close', resolve));
  // When the shell has ended, `run` throws because there is no exit code.
  shell.stdin.on('error', () => {});
  const exitCodes = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  return {
    async run(command) {
      shell.stdin.write(`${command}\n`);
      const { value: code } = await exitCodes.next();
      if (code === '0') return;
      const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
      throw new Error(`PostgreSQL failed at "${command}":\n${log.slice(-2000)}`);
    },
    async close() {
      shell.stdin.end();
      await closed;
    },
  };
}

/** Starts the server on a free port; returns the port and the command that starts it there again. */
async function startOnFreePort(supervisor: Supervisor): Promise<{ port: number; start: string }> {
  for (let left = 5; ; left -= 1) {
    const port = await freePort();
    const start = `pg_ctl start -w -l log -o "-h 127.0.0.1 -p ${port} -k '' -c dynamic_shared_memory_type=mmap"`;
    try {
      await supervisor.run(start);
      return { port, start };
    } catch (error) {
      // Another process may have taken the port in the meantime (a race).
      if (left === 1 || !/could not bind/.test(String(error))) throw error;
    }
  }
}

const postmasterFile = (folder: string) => join(folder, 'data/postmaster.pid');

/** The pid of the postmaster, the parent of all server processes. */
async function postmasterOf(folder: string): Promise<number | undefined> {
  const written = await readFile(postmasterFile(folder), 'utf8').catch(() => undefined);
  return written === undefined ? undefined : Number.parseInt(written, 10);
}

/** Sends the signal to all processes of the server; returns their pids. */
async function signalAll(folder: string, signal: NodeJS.Signals): Promise<number[]> {
  const postmaster = await postmasterOf(folder);
  if (postmaster === undefined) return [];
  // A stopped postmaster cannot fork while its children are listed.
  send(postmaster, 'SIGSTOP');
  const pids = [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of pids) send(pid, signal);
  return pids;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const printed =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : promisify(execFile)('pgrep', ['-P', `${pid}`]).then(({ stdout }) => stdout);
  return (await printed.catch(() => '')).split(/\s+/).filter(Boolean).map(Number);
}

async function waitForExit(pids: number[]): Promise<void> {
  while (!(await haveEnded(pids))) await wait(10);
}

/** Whether all processes have ended. Zombies count as ended: some containers have no init to reap them. */
export async function haveEnded(pids: number[]): Promise<boolean> {
  const running = await Promise.all(pids.map(isRunning));
  return !running.includes(true);
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) Z /.test(stat);
}
