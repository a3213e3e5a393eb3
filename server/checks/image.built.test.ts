/** Checks that the container image contains everything the built server needs. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sources } from '../build/stamp.mjs';

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfile = read('Dockerfile');
const manifest: { engines: { node: string }; devDependencies: Record<string, string> } = JSON.parse(
  read('package.json'),
);

/** Returns all capture groups of all matches, in order. */
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((g) => g !== undefined));

/** Paths that the final image copies from the build stage. */
const fromBuild = found(dockerfile, /^COPY --from=build \/app\/(\S+)/gm);

it('Dockerfile pins one exact Node version that package.json allows', () => {
  const [version = '', ...others] = new Set(found(dockerfile, /^FROM node:(\S+)/gm));
  expect(others).toEqual([]);
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)\.\d+-\w+-slim$/.exec(version)?.map(Number) ?? [];
  const [, least = 0, leastMinor = 0] =
    /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node)?.map(Number) ?? [];
  expect(least).toBeGreaterThan(0);
  expect(major * 1000 + minor).toBeGreaterThanOrEqual(least * 1000 + leastMinor);
});

it('Dockerfile copies only files that exist and .dockerignore admits', () => {
  const copied = found(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((list) =>
    list.split(' '),
  );
  expect(fromBuild.length).toBeGreaterThan(4);
  for (const path of [...copied, ...fromBuild]) expect(existsSync(path), path).toBe(true);

  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toContain('*');
  const admitted = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of admitted) expect(existsSync(path), path).toBe(true);
  const made = ['dist', 'node_modules'];
  for (const path of [...copied, ...fromBuild].filter(
    (name) => name !== '.' && !made.includes(name),
  )) {
    expect(admitted, path).toContain(path.split('/')[0]);
  }
});

it('.dockerignore admits every source of the build', () => {
  expect(read('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(sources.map((path) => `!${path}`)),
  );
});

it('built server imports only packages that npm ci --omit=dev installs', () => {
  const built = readdirSync('dist/server', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => read(join('dist/server', name)))
    .join('\n');
  const fixed = /^(?:import|export)\b[^;'"]*["']((?:@[\w.-]+\/)?[\w.-]+)[^"']*["']/gm;
  const later = /\bimport\(["'`]((?:@[\w.-]+\/)?[\w.-]+)/g;
  const loaded = [...found(built, fixed), ...found(built, later)];
  expect(loaded).toEqual(expect.arrayContaining(['express', 'pino']));
  expect(loaded.filter((name) => name in manifest.devDependencies)).toEqual([]);
});

it('start names the command to run when the packages of the build are missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-no-build-'));
  try {
    for (const path of ['server/run.mjs', 'server/build/stamp.mjs', 'vite.config.ts']) {
      cpSync(path, join(folder, path));
    }
    const { stderr, status } = spawnSync(process.execPath, ['server/run.mjs', 'main'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stderr).toContain('npm ci --include=dev');
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('built commands run without sources and write nothing beside them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-image-'));
  try {
    for (const path of fromBuild) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      if (path === 'node_modules') symlinkSync(resolve(path), join(folder, path));
      else cpSync(path, join(folder, path), { recursive: true });
    }
    // Other tests and tools cache files in the shared node_modules.
    const files = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => !/^node_modules\/\.(vite|cache)/.test(name))
        .sort();
    const before = files();
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['server/run.mjs', 'admin', 'messages'],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, DATA_DIR: `${folder}-data` },
      },
    );
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('No messages yet.');
    expect(files()).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
    rmSync(`${folder}-data`, { recursive: true, force: true });
  }
});
