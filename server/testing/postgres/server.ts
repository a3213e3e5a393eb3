/** For tests: a real PostgreSQL server, started by themselves where there is none, and empty databases. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { findPrograms, initialData, serverUser, temporaryFolder } from './programs.ts';

export interface TestPostgres {
  /** Of its database `postgres`, as a user who may create others. */
  url: string;
  /** Ends the server and removes its data, if it was started here. */
  stop(): Promise<void>;
}

/** A server that nobody else uses, so that a test may do it harm. */
export interface OwnPostgres extends TestPostgres {
  /**
   * Ends it. SIGINT says goodbye to its clients, SIGQUIT tells them of a crash, SIGKILL tells them
   * nothing; after these two it recovers when it starts again. What was committed stays.
   */
  kill(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again with the same data on the same port. */
  restart(): Promise<void>;
  /** From now on it answers nothing and closes nothing; who connects waits. */
  hang(): Promise<void>;
  /** It goes on where it hung. */
  resume(): Promise<void>;
}

export interface FreshDatabase {
  url: string;
  /** Removes it; of a database, whoever is connected to it is thrown out. */
  drop(): Promise<void>;
}

/** The server TEST_DATABASE_URL names, or one of our own. */
export async function startPostgres(): Promise<TestPostgres> {
  const url = process.env.TEST_DATABASE_URL;
  return url ? { url, stop: async () => {} } : startOwnPostgres();
}

/** An empty database of a random name on the server. */
export async function freshDatabase(server: { url: string }): Promise<FreshDatabase> {
  const name = `shingle_test_${randomBytes(8).toString('hex')}`;
  await execute(server.url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(server.url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** An empty schema of a random name, made in a hundredth of the time; its address leads into it. */
export async function schemaOn(server: { url: string }): Promise<FreshDatabase> {
  const name = `shingle_test_${randomBytes(8).toString('hex')}`;
  await execute(server.url, `CREATE SCHEMA ${name}`);
  const url = new URL(server.url);
  url.searchParams.set('options', `-c search_path=${name}`);
  return { url: url.href, drop: () => execute(server.url, `DROP SCHEMA ${name} CASCADE`) };
}

/** Runs one statement on a connection of its own. */
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
 * Starts a server on a free port of this machine, with its data in a folder of its own. Neither the
 * server nor the folder outlives this process, even if it is killed. Throws with the server's own words
 * when it does not start.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const programs = await findPrograms();
  const initial = await initialData(programs);
  const folder = await mkdtemp(join(await temporaryFolder(), 'shingle-postgres-data-'));
  const keeper = await startKeeper(programs, folder);
  try {
    await keeper.order(`cp -R '${initial}' data`);
    const { port, start } = await startSomewhere(keeper);
    const signal = (name: NodeJS.Signals) => signalFamily(folder, name);
    /** A server that hangs must go on before it can end. */
    const endBy = async (way: () => Promise<void>) => {
      const processes = await signal('SIGCONT');
      await way();
      await ended(processes);
    };
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: () => endBy(keeper.dismiss),
      async kill(name) {
        if (name === 'SIGINT') return endBy(() => keeper.order('pg_ctl stop -w -m fast'));
        if (name === 'SIGQUIT') return endBy(() => keeper.order('pg_ctl stop -w -m immediate'));
        await ended(await signal('SIGKILL'));
        // Its number may be another's by the time it starts again.
        await rm(postmasterFile(folder));
      },
      restart: () => keeper.order(start),
      async hang() {
        await signal('SIGSTOP');
      },
      async resume() {
        await signal('SIGCONT');
      },
    };
  } catch (error) {
    await keeper.dismiss();
    throw error;
  }
}

interface Keeper {
  /** Has a command run beside the data. Throws what it printed when it fails. */
  order(command: string): Promise<void>;
  /** Ends the server and removes the folder. */
  dismiss(): Promise<void>;
}

/**
 * A shell that carries out what it is told and, when nobody is left who could tell it anything, ends
 * the server and removes the folder. Whatever is printed then meets a closed pipe. A server that hangs
 * is made to go on, so that it can end.
 */
const keeping = `
trap '' HUP INT PIPE TERM
while read -r order; do
  eval "$order" </dev/null >>log 2>&1
  echo $?
done
exec >/dev/null
postmaster=$(head -n 1 data/postmaster.pid) && kill -CONT "$postmaster" && pg_ctl stop -w -m immediate
cd / && rm -rf "$FOLDER"
`;

async function startKeeper(programs: string, folder: string): Promise<Keeper> {
  if (serverUser) await chown(folder, serverUser.uid, serverUser.gid);
  const shell = spawn('sh', ['-c', keeping], {
    cwd: folder,
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      PGDATA: join(folder, 'data'),
      FOLDER: folder,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
    ...serverUser,
  });
  const ended = new Promise((resolve) => shell.on('close', resolve));
  // A keeper that is gone is noticed by its missing answer.
  shell.stdin.on('error', () => {});
  const answers = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  return {
    async order(command) {
      shell.stdin.write(`${command}\n`);
      const { value: code } = await answers.next();
      if (code === '0') return;
      const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '');
      throw new Error(`PostgreSQL failed at "${command}":\n${log.slice(-2000)}`);
    },
    async dismiss() {
      shell.stdin.end();
      await ended;
    },
  };
}

/** Starts the server on a port that is free, and returns the order that does so again. */
async function startSomewhere(keeper: Keeper): Promise<{ port: number; start: string }> {
  for (let left = 5; ; left -= 1) {
    const port = await freePort();
    const start = `pg_ctl start -w -l log -o "-h 127.0.0.1 -p ${port} -k '' -c dynamic_shared_memory_type=mmap"`;
    try {
      await keeper.order(start);
      return { port, start };
    } catch (error) {
      // Another may have taken the port meanwhile.
      if (left === 1 || !/could not bind/.test(String(error))) throw error;
    }
  }
}

/**
 * Below those that systems give to outgoing connections: else one of these may take the port while the
 * server is ended for a while.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

const postmasterFile = (folder: string) => join(folder, 'data/postmaster.pid');

/** The first process of the server, from which all others come. */
async function postmasterOf(folder: string): Promise<number | undefined> {
  const written = await readFile(postmasterFile(folder), 'utf8').catch(() => undefined);
  return written === undefined ? undefined : Number.parseInt(written, 10);
}

/** Sends the signal to all processes of the server, and returns which they are. */
async function signalFamily(folder: string, signal: NodeJS.Signals): Promise<number[]> {
  const postmaster = await postmasterOf(folder);
  if (postmaster === undefined) return [];
  // Stopped, it begins no further one while we count them.
  send(postmaster, 'SIGSTOP');
  const family = [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of family) send(pid, signal);
  return family;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const printed =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : promisify(execFile)('pgrep', ['-P', `${pid}`]).then(({ stdout }) => stdout);
  return (await printed.catch(() => '')).split(/\s+/).filter(Boolean).map(Number);
}

async function ended(pids: number[]): Promise<void> {
  while (!(await haveEnded(pids))) await wait(10);
}

/** Whether none of the processes runs. Where nobody collects orphans, an ended one stays as a zombie. */
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
