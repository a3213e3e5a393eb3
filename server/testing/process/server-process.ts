/** Starts the built server as a child process in tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '../../auth/password.ts';
import { type DatabaseLocation, openStores } from '../../stores/stores.ts';

export interface Ended {
  code: number | null;
  output: string;
}

export interface ServerProcess {
  child: ChildProcess;
  origin: string;
  /** Everything it printed so far, errors too. */
  output: () => string;
  ended: Promise<Ended>;
}

/** An empty folder for `DATA_DIR`. */
export const emptyFolder = () => mkdtemp(join(tmpdir(), 'shingle-process-'));

/**
 * Stores the admin's password at a low cost, so that neither starts of the server nor logins take a third
 * of a second of CPU. A start with the same `ADMIN_PASSWORD` keeps this hash.
 */
export async function seedPassword(
  location: DatabaseLocation,
  password = 'a long sentence only you know',
) {
  const stores = await openStores(location);
  await stores.auth.setPasswordHash(await hashPassword(password, { cost: 10, rounds: 1 }), 0);
  await stores.close();
}

/** A folder for `DATA_DIR` with a database in it that has a password. */
export async function seededFolder(password?: string): Promise<string> {
  const folder = await emptyFolder();
  await seedPassword({ DATA_DIR: folder }, password);
  return folder;
}

/** How the child process differs from the current one. */
export interface Circumstances {
  cwd?: string;
  /** Bytes beyond which it can write no file: a write then fails, as on a full disk. */
  fileLimit?: number;
  /** Files and connections that it may have open (`ulimit -n`). */
  openFiles?: number;
  /** It may do what the modes of files say, and no more: root may do anything else. */
  obedient?: boolean;
  /** The user that it runs as, instead of root. */
  user?: number;
}

/** The start of a command that root runs without the right to ignore the modes of files. */
export const withoutRights = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

/** Blocks of `ulimit` have 1024 bytes. Without the trap the first write beyond ends the process. */
const withFilesUpTo = (bytes: number) => [
  'bash',
  '-c',
  `trap '' XFSZ; ulimit -f ${bytes / 1024}; exec "$@"`,
  '',
];

/** Starts the built server; resolves with whether and where it listens, or how it ended. */
export async function startServer(
  env: Record<string, string | undefined>,
  { cwd = process.cwd(), fileLimit, openFiles, obedient, user }: Circumstances = {},
): Promise<ServerProcess> {
  const program = [process.execPath, 'dist/server/main.js'];
  if (obedient && process.getuid?.() === 0) program.unshift(...withoutRights);
  if (fileLimit !== undefined) program.unshift(...withFilesUpTo(fileLimit));
  if (openFiles !== undefined)
    program.unshift('bash', '-c', `ulimit -n ${openFiles}; exec "$@"`, '');
  const [command = '', ...args] = program;
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(user !== undefined && { uid: user, gid: user }),
  });
  let output = '';
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  const origin = await new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const port = /is ready: \S+?:(\d+)$/m.exec(output)?.[1];
      if (port && /Its data is in .*\n/.test(output)) resolve(`http://127.0.0.1:${port}`);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then(() => resolve(''));
  });
  return { child, origin, output: () => output, ended };
}

/** Starts a server that is expected to refuse, and returns how it ended. */
export async function refusedServer(
  env: Record<string, string>,
  circumstances?: Circumstances,
): Promise<Ended> {
  const { ended, child } = await startServer(env, circumstances);
  child.kill('SIGKILL');
  return ended;
}
