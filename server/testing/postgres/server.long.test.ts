import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  freshDatabase,
  haveEnded,
  type OwnPostgres,
  startOwnPostgres,
  startPostgres,
} from './server.ts';
import { sharedPostgres } from './shared.ts';

async function connect(url: string) {
  const client = new Client({ connectionString: url });
  // Ignore it: when the server goes away, the query rejects.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function rowsOf(url: string, statement: string): Promise<unknown[][]> {
  const client = await connect(url);
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Returns the first value of the first row. */
const ask = async (url: string, statement: string) => (await rowsOf(url, statement))[0]?.[0];

interface Traces {
  folder: string;
  pids: number[];
}

/** Returns the folder and the pids of a running server. */
async function tracesOf(url: string): Promise<Traces> {
  const data = String(await ask(url, 'SHOW data_directory'));
  const postmaster = Number.parseInt(await readFile(`${data}/postmaster.pid`, 'utf8'), 10);
  const others = await rowsOf(url, 'SELECT pid FROM pg_stat_activity');
  return { folder: dirname(data), pids: [postmaster, ...others.map(([pid]) => Number(pid))] };
}

const areGone = async ({ folder, pids }: Traces) => (await haveEnded(pids)) && !existsSync(folder);

describe('shared server', () => {
  it('shared server is a real PostgreSQL that fsyncs each commit', async () => {
    const { url } = await sharedPostgres();
    expect(await ask(url, 'SELECT version()')).toMatch(/^PostgreSQL \d\d/);
    expect(await ask(url, 'SHOW fsync')).toBe('on');
    expect(await ask(url, 'SHOW synchronous_commit')).toBe('on');
    expect(await sharedPostgres()).toEqual({ url });
  });

  it('startPostgres returns the server of TEST_DATABASE_URL when it is set', async () => {
    const { url } = await sharedPostgres();
    vi.stubEnv('TEST_DATABASE_URL', url);
    const named = await startPostgres();
    vi.unstubAllEnvs();
    expect(named.url).toBe(url);
    await named.stop();
    expect(await ask(url, 'SELECT 1')).toBe(1);
  });

  it('test databases are empty, isolated, and dropped with their connections', async () => {
    const server = await sharedPostgres();
    const [one, other] = await Promise.all([freshDatabase(server), freshDatabase(server)]);
    await ask(one.url, 'CREATE TABLE thing (id int)');
    expect(await ask(one.url, "SELECT to_regclass('thing')::text")).toBe('thing');
    expect(await ask(other.url, "SELECT to_regclass('thing')::text")).toBeNull();
    expect(await ask(other.url, 'SHOW server_encoding')).toBe('UTF8');

    const inside = await connect(one.url);
    await one.drop();
    await other.drop();
    await expect(inside.query('SELECT 1')).rejects.toThrow();
    await expect(connect(one.url)).rejects.toThrow('does not exist');
  });
});

describe('own server', () => {
  let server: OwnPostgres;
  beforeEach(async () => {
    server = await startOwnPostgres();
  });
  afterEach(() => server.stop());

  it('own server restarts with its data after each signal and leaves no files when it stops', async () => {
    const { url } = server;
    await ask(url, 'CREATE TABLE thing AS SELECT 7 AS id');
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      const client = await connect(url);
      const { pids } = await tracesOf(url);
      await server.kill(signal);
      expect(await haveEnded(pids)).toBe(true);
      await expect(client.query('SELECT 1')).rejects.toThrow();
      await expect(connect(url)).rejects.toThrow('ECONNREFUSED');
      await server.restart();
      expect(await ask(url, 'SELECT id FROM thing')).toBe(7);
    }
    const traces = await tracesOf(url);
    expect(traces.pids.length).toBeGreaterThan(3);
    expect(await areGone(traces)).toBe(false);
    await server.stop();
    expect(await areGone(traces)).toBe(true);
  });

  it('own server responds after a hang and can be stopped while it hangs', async () => {
    const client = await connect(server.url);
    await server.hang();
    let answers = 0;
    const count = () => {
      answers += 1;
    };
    const asked = [client.query('SELECT 1').then(count), ask(server.url, 'SELECT 1').then(count)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(answers).toBe(0);
    await server.resume();
    await Promise.all(asked);
    expect(answers).toBe(2);
    await client.end();

    const traces = await tracesOf(server.url);
    await server.hang();
    await server.stop();
    expect(await areGone(traces)).toBe(true);
  });
});

/** The script of a process that starts a server, prints its URL and keeps running. */
const starting = `
import { runnerImport } from 'vite';
const { module } = await runnerImport('/server/testing/postgres/server.ts');
console.log((await module.startOwnPostgres()).url);
`;

it('own server ends when its test process is killed', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', starting], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  const traces = await tracesOf(String(url).trim());
  child.kill('SIGKILL');
  await vi.waitFor(async () => expect(await areGone(traces)).toBe(true), 20_000);
});
