/** The built command line as the owner runs it: in a process of its own. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createOwner, type TestOwner } from '../testing/cli-io.ts';
import { seedPassword, startServer } from '../testing/process/server-process.ts';

// Each command starts a process.
vi.setConfig({ testTimeout: 60_000 });

let owner: TestOwner;
let folder: string;
beforeEach(async () => {
  owner = await createOwner();
  folder = owner.folder;
});
afterEach(() => owner.remove());

/** Runs a command in this process, which is much faster. */
const runHere = (...args: string[]) =>
  owner.admin(args, { env: { DATA_DIR: join(folder, 'data') } });

const program = resolve('dist/server/admin.js');

/** Runs a shell command in which `admin` is the program. INIT_CWD is what npm would set. */
async function shell(command: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('bash', ['-c', `admin() { "$NODE" "$PROGRAM" "$@"; }; ${command}`], {
    env: {
      PATH: process.env.PATH,
      NODE: process.execPath,
      PROGRAM: program,
      DATA_DIR: join(folder, 'data'),
      INIT_CWD: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}

it('the command line writes files that only their owner may read, also in a folder others may read', async () => {
  const data = join(folder, 'data');
  await mkdir(data);
  await chmod(data, 0o755);
  expect((await shell('umask 022; admin demo --events 100 --days 2')).code).toBe(0);
  expect((await shell('umask 022; admin backup')).code).toBe(0);
  const names = await readdir(data);
  expect(names).toEqual(expect.arrayContaining(['backups', 'in-use', 'shingle.db']));
  for (const name of names) {
    expect((await stat(join(data, name))).mode & 0o077, name).toBe(0);
  }
});

it('commands work while the server runs, and the server sees their changes', async () => {
  await mkdir(join(folder, 'data'));
  await seedPassword({ DATA_DIR: join(folder, 'data') });
  const server = await startServer({ DATA_DIR: join(folder, 'data') });
  try {
    const post = (path: string, body: unknown) =>
      fetch(server.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await post('/api/contact', { name: 'Ada', email: 'ada@example.com', message: 'Hello' });
    expect(await shell('admin messages')).toMatchObject({
      code: 0,
      output: expect.stringContaining('Ada <ada@example.com>'),
    });

    await writeFile(join(folder, 'sales.csv'), 'id,amount,currency\na,4900,USD\n');
    expect(await shell('admin conversions import sales.csv')).toEqual({
      code: 0,
      output: '1 imported, 0 already there\n',
    });

    expect((await shell('echo new long secret | admin password')).code).toBe(0);
    let cookie = '';
    const signIn = async () => {
      const login = await post('/api/admin/login', { password: 'new long secret' });
      expect(login.status).toBe(200);
      cookie = login.headers
        .getSetCookie()
        .map((set) => set.split(';', 1)[0])
        .join('; ');
    };
    const dashboard = () =>
      fetch(`${server.origin}/api/analytics/dashboard`, { headers: { cookie } });
    await signIn();
    expect(await runHere('sessions')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 browser signed in.'),
    });
    await runHere('sessions', '--end-all');
    expect((await dashboard()).status).toBe(401);
    await signIn();
    expect(await (await dashboard()).json()).toMatchObject({
      summary: { conversions: 1, totalRevenue: 49 },
    });
    await runHere('password', '--generate');
    expect((await dashboard()).status).toBe(401);

    expect((await runHere('demo')).code).toBe(1);
    expect((await runHere('verify')).code).toBe(0);
  } finally {
    server.child.kill('SIGTERM');
    await server.ended;
  }
});

it('conversions export pipes sales into the import of another database', async () => {
  await runHere('demo', '--events', '5000');
  const { code, output } = await shell(
    `admin conversions export | DATA_DIR="$DATA_DIR-2" admin conversions import -`,
  );
  expect(code).toBe(0);
  expect(output).toMatch(/^\d+ imported, 0 already there\n$/);
});

it('conversions export exits with 0 when the reader of its pipe stops early', async () => {
  const sales = Array.from({ length: 5000 }, (_, n) => `sale-${n},4900,USD\n`);
  await writeFile(join(folder, 'sales.csv'), `id,amount,currency\n${sales.join('')}`);
  expect((await runHere('conversions', 'import', 'sales.csv')).code).toBe(0);
  const { code, output } = await shell('set -o pipefail; admin conversions export | head -n 1');
  expect({ code, output }).toEqual({
    code: 0,
    output: 'id,amount,currency,email,source,timestamp,refunded,disputed,first_source,button\n',
  });
});

it('a failed command exits with 1 and prints one line', async () => {
  const { code, output } = await shell('admin conversions import missing.csv');
  expect({ code, output }).toEqual({
    code: 1,
    output: 'The file missing.csv does not exist.\n',
  });
});
