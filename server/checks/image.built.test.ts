/** Checks that the container image contains everything the built server needs. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sources } from '../build/stamp.mjs';
import { freePort } from '../testing/free-port.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfile = read('Dockerfile');
const manifest: { engines: { node: string }; dependencies: Record<string, string> } = JSON.parse(
  read('package.json'),
);

/** Returns all capture groups of all matches, in order. */
const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((g) => g !== undefined));

/** Paths that the final image copies from the build stage. */
const fromBuild = found(dockerfile, /^COPY --from=build (.+) \S+$/gm).flatMap((list) =>
  list.split(' ').map((path) => path.replace('/app/', '')),
);

/** Words of a command in the Dockerfile. */
const commandOf = (pattern: RegExp): string[] => JSON.parse(pattern.exec(dockerfile)?.[1] ?? '[]');

it('Dockerfile pins one exact base with a Node version that package.json allows', () => {
  const [version = '', ...others] = new Set(found(dockerfile, /^FROM node:(\S+)/gm));
  expect(others).toEqual([]);
  const [, major = 0, minor = 0] =
    /^(\d+)\.(\d+)\.\d+-\w+-slim@sha256:[0-9a-f]{64}$/.exec(version)?.map(Number) ?? [];
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
  const fixed = /^(?:import|export)\b[^;'"]*["']((?:@[\w.-]+\/)?[\w.:-]+)[^"']*["']/gm;
  // Modules in CommonJS, which the build puts into the same files, load others by `__require`.
  const later = /\b(?:import|__require)\(["'`]((?:@[\w.-]+\/)?[\w.:-]+)/g;
  const loaded = [...found(built, fixed), ...found(built, later)];
  expect(loaded).toEqual(expect.arrayContaining(['pg', 'pino', 'async_hooks']));
  // `debug` does without this one where it is missing.
  const optional = ['supports-color'];
  const others = loaded.filter((name) => !name.startsWith('.') && !isBuiltin(name));
  expect(
    others.filter((name) => !(name in manifest.dependencies) && !optional.includes(name)),
  ).toEqual([]);
});

it('start names the command to run when the packages of the build are missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-no-build-'));
  try {
    for (const path of [
      'server/run.mjs',
      'server/drop-root.mjs',
      'server/build/stamp.mjs',
      'vite.config.ts',
    ]) {
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

describe('image', () => {
  let folder: string;
  let data: string;
  /** The folders of the packages. */
  let installed: string[];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'shingle-image-'));
    // Readable for the user of the image, like its folder /app.
    chmodSync(folder, 0o755);
    const { packages }: { packages: Record<string, { dev?: true }> } = JSON.parse(
      read('package-lock.json'),
    );
    installed = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev && existsSync(path))
      .map(([path]) => path);
    for (const path of installed) cpSync(path, join(folder, path), { recursive: true });
    const [prune = ''] = /^RUN find node_modules (?:.*\\\n)*.*$/m.exec(dockerfile) ?? [];
    execFileSync('sh', ['-c', prune.replace('RUN ', '')], { cwd: folder });
    for (const path of fromBuild.filter((name) => name !== 'node_modules')) {
      cpSync(path, join(folder, path), { recursive: true });
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'shingle-image-data-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  /** Variables that the image sets, with a data folder of this test. */
  const environment = () => ({
    PATH: process.env.PATH,
    RUN_AS: /\bRUN_AS=(\d+)/.exec(dockerfile)?.[1],
    DATA_DIR: data,
  });
  const admin = (...words: string[]) =>
    spawnSync(process.execPath, ['server/run.mjs', 'admin', ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: environment(),
    });

  // A megabyte of them is what draws pictures without a native package.
  it('image adds at most 22 MB to its base, which has 227 of 250', () => {
    const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => lstatSync(join(folder, name)))
      .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);
    expect(bytes).toBeGreaterThan(8e6);
    expect(bytes).toBeLessThan(22e6);
  });

  it('image keeps the license of each package', () => {
    const permission =
      /Permission is hereby granted|Permission to use|Redistribution and use|Apache License|Mozilla Public License|free and unencumbered software/;
    const packages = installed.map((path) => join(folder, path));
    expect(packages.length).toBeGreaterThan(100);
    const isLicensed = (path: string) =>
      readdirSync(path).some(
        (name) => /^(licen[cs]e|readme)/i.test(name) && permission.test(read(join(path, name))),
      );
    expect(packages.filter((path) => !isLicensed(path))).toEqual([]);
  });

  it('built commands run without sources and write nothing beside them', () => {
    const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    const before = files();
    const { stdout, stderr, status } = admin('messages');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain('No messages yet.');
    expect(files()).toEqual(before);
  });

  /** The only user that the data may belong to: the image's, or the one who runs this test. */
  const user = process.getuid?.() === 0 ? 1000 : process.getuid?.();

  it('commands of the image take over a data folder of root and drop root', () => {
    expect(admin('messages')).toMatchObject({ status: 0, stderr: '' });
    expect(admin('backup', join(data, 'mine.db'))).toMatchObject({ status: 0, stderr: '' });
    // Root copied everything to another volume.
    for (const path of [data, join(data, 'mine.db'), join(data, 'shingle.db')]) {
      chownSync(path, process.getuid?.() ?? 0, process.getgid?.() ?? 0);
    }
    symlinkSync(join(folder, 'package.json'), join(data, 'link'));
    expect(admin('restore', join(data, 'mine.db'))).toMatchObject({ status: 0, stderr: '' });
    const paths = ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })];
    expect(new Set(paths.map((path) => lstatSync(join(data, path)).uid))).toEqual(new Set([user]));
    expect(lstatSync(join(folder, 'package.json')).uid).toBe(process.getuid?.());

    if (user !== 1000) return;
    // A folder of another user keeps its owner.
    chownSync(data, 1001, 1001);
    expect(admin('messages')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('belongs to user 1001'),
    });
    expect(lstatSync(data).uid).toBe(1001);
  });

  it('image starts the site without root, healthy, and stops it on SIGTERM', async () => {
    const [program = '', ...words] = commandOf(/^CMD (\[.+)$/m);
    const [probe = '', ...probeWords] = commandOf(/^HEALTHCHECK .*\\\n {2}CMD (\[.+)$/m);
    const PORT = String(await freePort());
    const env = { ...environment(), PORT, NODE_ENV: 'production' };
    const site = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(site, 'exit');
    try {
      await once(createInterface(site.stdout), 'line');
      const owner = execFileSync('ps', ['-o', 'uid=', '-p', String(site.pid)], {
        encoding: 'utf8',
      });
      expect(Number(owner)).toBe(user);
      expect(spawnSync(probe, probeWords, { env }).status).toBe(0);
    } finally {
      site.kill('SIGTERM');
    }
    expect(await exited).toEqual([0, null]);
    expect(spawnSync(probe, probeWords, { env }).status).toBe(1);
  });
});
