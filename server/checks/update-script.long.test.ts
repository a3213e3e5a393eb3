/** Runs `docs/deploy/update.sh` on a server's folders in a temporary folder, with a small project in place of the site. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 });

const script = resolve('docs/deploy/update.sh');

let root: string;
/** The project's repository. */
const upstream = () => join(root, 'upstream');
const link = () => join(root, 'opt/shingle');
const versions = () => readdirSync(join(root, 'opt')).filter((name) => /^shingle-/.test(name));

const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    cwd: folder,
    stdio: 'pipe',
  });

/** Commits these files to the project's repository. */
function release(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(upstream(), name), text);
  git(upstream(), 'add', '--all');
  git(upstream(), 'commit', '--message', 'release');
}

const project = {
  'package.json': JSON.stringify({
    name: 'project',
    version: '1.0.0',
    scripts: { build: 'node build.mjs', admin: 'node admin.mjs' },
  }),
  'package-lock.json': JSON.stringify({
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': { name: 'project', version: '1.0.0' } },
  }),
  'site.config.ts': 'sample',
  'public/icon.svg': 'sample',
  'version.txt': '1',
  'build.mjs': `
    import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    if (readFileSync('site.config.ts', 'utf8') === 'mistake') throw new Error('site.config.ts, line 1');
    mkdirSync('dist/server', { recursive: true });
    writeFileSync('dist/server/main.js', readFileSync('main.txt'));`,
  'main.txt': "console.log('Shingle is ready'); setInterval(() => {}, 1000);",
  'admin.mjs': `
    import { appendFileSync, readFileSync } from 'node:fs';
    appendFileSync('../../var/lib/shingle/log', 'backup by ' + readFileSync('version.txt', 'utf8') + '\\n');`,
};

// It uses flock and /proc.
describe.runIf(process.platform === 'linux')('on Linux', () => {
  /** The folders before each test; made once, as Git takes half a second. */
  const saved = () => `${root}-saved`;
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'shingle-update-')));
    for (const path of ['opt', 'etc/shingle', 'var/lib/shingle', 'upstream/public']) {
      mkdirSync(join(root, path), { recursive: true });
    }
    git(upstream(), 'init', '--initial-branch=main');
    release(project);
    git(upstream(), 'tag', 'v1');
    // The owner's copy, which is also the remote of the first version.
    git(root, 'clone', '--quiet', upstream(), 'copy');
    const first = join(root, 'opt/shingle-1');
    git(root, 'clone', '--quiet', join(root, 'copy'), first);
    for (const name of ['site.config.ts', 'public/icon.svg']) {
      writeFileSync(join(first, name), 'owner');
      chmodSync(join(first, name), 0o600);
    }
    git(first, 'commit', '--all', '--message', 'own texts');
    execFileSync('node', ['build.mjs'], { cwd: first });
    writeFileSync(join(root, 'etc/shingle/env'), 'PORT=3000\n', { mode: 0o640 });
    writeFileSync(join(root, 'etc/shingle/repository'), `file://${upstream()}\n`);
    symlinkSync(join(root, 'etc/shingle/env'), join(first, '.env'));
    symlinkSync(first, link());
    cpSync(root, saved(), { recursive: true, verbatimSymlinks: true });
  });
  beforeEach(() => {
    rmSync(root, { recursive: true });
    cpSync(saved(), root, { recursive: true, verbatimSymlinks: true });
  });
  afterAll(() => {
    for (const folder of [root, saved()]) rmSync(folder, { recursive: true });
  });

  /** Runs the script in a shell with `umask 077`; with `killAt`, kills it before the line that begins so. */
  function update({
    tag = '',
    killAt,
    path = process.env.PATH,
  }: {
    tag?: string;
    killAt?: string;
    path?: string | undefined;
  } = {}) {
    let file = script;
    if (killAt !== undefined) {
      file = join(root, 'update.sh');
      const text = readFileSync(script, 'utf8');
      expect(text.split(`\n${killAt}`)).toHaveLength(2);
      writeFileSync(
        file,
        text.replace(`\n${killAt}`, () => `\nkill -9 $$\n${killAt}`),
      );
    }
    const child = spawn('sh', ['-c', `umask 077; exec sh ${file} ${tag}`], {
      env: { ...process.env, PATH: path, SHINGLE_ROOT: root },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    return new Promise<{ code: number | null; output: string }>((done) => {
      child.once('close', (code) => done({ code, output }));
    });
  }

  const linkedText = (name: string) => readFileSync(join(link(), name), 'utf8');

  it('update.sh with umask 077 builds the project’s version with the owner’s texts, readable for the service', async () => {
    release({ 'version.txt': '2', 'site.config.ts': 'new sample' });
    const { code, output } = await update();
    expect(output).toContain('Restart the site');
    expect(code).toBe(0);

    expect(linkedText('version.txt')).toBe('2');
    expect(linkedText('site.config.ts')).toBe('owner');
    expect(linkedText('public/icon.svg')).toBe('owner');
    expect(linkedText('.env')).toBe('PORT=3000\n');
    const unreadable = execFileSync('find', [`${readlinkSync(link())}/`, '!', '-perm', '-o=r'], {
      encoding: 'utf8',
    });
    expect(unreadable).toBe('');
    expect(readFileSync(join(root, 'var/lib/shingle/log'), 'utf8')).toBe('backup by 1\n');
  });

  it('update.sh changes nothing when the newest version runs already', async () => {
    const before = readlinkSync(link());
    const { code, output } = await update();
    expect(output).toMatch(/^Nothing to update: .*shingle-1 has this version/);
    expect([code, readlinkSync(link()), versions()]).toEqual([0, before, ['shingle-1']]);

    release({ 'version.txt': '2' });
    await update();
    const updated = versions();
    expect(updated).toHaveLength(2);
    expect((await update()).output).toMatch(/^Nothing to update/);
    expect(versions()).toEqual(updated);
  });

  it('update.sh keeps the version before and one that still runs, and removes older ones', async () => {
    const old = 'shingle-20200101-000000';
    const kept = [
      'shingle-20200202-000000/data',
      // Made by hand, so it may hold work that is nowhere else, like the first one.
      'shingle-2024-old',
      'shingle-20200303-000000',
    ];
    for (const path of [old, ...kept]) mkdirSync(join(root, 'opt', path), { recursive: true });
    const cwd = join(root, 'opt/shingle-20200303-000000');
    const running = spawn('node', ['-e', 'setInterval(() => {}, 1000)'], { cwd });
    release({ 'version.txt': '2' });
    expect((await update()).code).toBe(0);
    running.kill();
    await new Promise((done) => running.once('close', done));
    const next = readlinkSync(link()).replace(/.*\//, '');
    const left = ['shingle-1', next, ...kept.map((path) => path.replace('/data', ''))];
    expect(versions().sort()).toEqual(left.sort());
  });

  it.each([
    ['the tag does not exist', () => {}, 'v9', /Could not fetch v9 of .* the tag\./],
    [
      'the network is away',
      () => writeFileSync(join(root, 'etc/shingle/repository'), 'http://127.0.0.1:1/project.git'),
      '',
      /Could not fetch the newest version of http.* Check the network/,
    ],
    [
      'the project’s address is unknown',
      () => rmSync(join(root, 'etc/shingle/repository')),
      '',
      /Write the address of the project's repository/,
    ],
    [
      'site.config.ts has a mistake',
      () => writeFileSync(join(link(), 'site.config.ts'), 'mistake'),
      '',
      /site\.config\.ts, line 1/,
    ],
    [
      'the new version does not start',
      () => release({ 'main.txt': "throw new Error('needs Node 30')" }),
      '',
      /The new version does not start: .*needs Node 30/s,
    ],
    [
      'no backup can be made',
      () => writeFileSync(join(link(), 'admin.mjs'), "throw new Error('disk full')"),
      '',
      /disk full/,
    ],
    [
      'the data is in the folder of the version',
      () => mkdirSync(join(link(), 'data')),
      '',
      /Data is in .*shingle-1\/data/,
    ],
  ])(
    'update.sh leaves the running version and says what to do when %s',
    async (_when, prepare, tag, sentence) => {
      release({ 'version.txt': '2' });
      prepare();
      const { code, output } = await update({ tag });
      expect(output).toMatch(sentence);
      expect(output).toMatch(
        /Not updated\. .* still points to .*shingle-1, .*Correct what is said above/,
      );
      expect([code, linkedText('version.txt'), versions()]).toEqual([1, '1', ['shingle-1']]);
    },
  );

  it('update.sh killed at any step leaves the running version, and can be repeated', async () => {
    release({ 'version.txt': '2' });
    // Each repetition gets further than the one before.
    for (const killAt of ['npm ci', 'npm run build', 'mv "$building"', 'ln -sfn', 'mv -T']) {
      expect((await update({ killAt })).code, killAt).toBeNull();
      expect(linkedText('version.txt'), killAt).toBe('1');
      expect(existsSync(join(link(), 'dist/server/main.js')), killAt).toBe(true);
    }
    expect((await update({ killAt: 'for folder' })).code).toBeNull();
    await update();
    expect(linkedText('version.txt')).toBe('2');
    expect(existsSync(join(link(), 'dist/server/main.js'))).toBe(true);
    expect(existsSync(join(root, 'opt/shingle-building'))).toBe(false);
  });

  it('update.sh writes its log where the service’s user can put no link in its place', async () => {
    release({ 'version.txt': '2' });
    writeFileSync(join(root, 'victim'), 'owner');
    // Stands for that user: each folder that it gets has the link at once.
    mkdirSync(join(root, 'bin'));
    const chown = `#!/bin/sh\n/bin/chown "$@"\nln -s ${root}/victim "$2/log" && echo >>${root}/planted`;
    writeFileSync(join(root, 'bin/chown'), chown, { mode: 0o755 });
    const { code } = await update({ path: `${join(root, 'bin')}:${process.env.PATH}` });
    expect([code, readFileSync(join(root, 'victim'), 'utf8')]).toEqual([0, 'owner']);
    expect(existsSync(join(root, 'planted'))).toBe(true);
  });

  it('update.sh refuses to run twice at once', async () => {
    release({ 'version.txt': '2' });
    // Stands for the other update: it has the lock until its input ends.
    const lock = join(root, 'opt/shingle.lock');
    const other = spawn('sh', ['-c', `exec flock ${lock} sh -c 'echo locked; cat'`]);
    await new Promise((done) => other.stdout.once('data', done));
    expect(await update()).toEqual({
      code: 1,
      output: 'Another update is running. Wait until it has ended.\n',
    });
    expect(versions()).toEqual(['shingle-1']);
    other.stdin.end();
    await new Promise((done) => other.once('close', done));
    expect((await update()).code).toBe(0);
  });
});
