import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { envFileFindings } from './env-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shingle-env-'));
  file = join(folder, '.env');
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (mode: number) => {
  await writeFile(file, 'ADMIN_PASSWORD=plum tractor seldom violet\n');
  await chmod(file, mode);
};

it('a missing .env file and one that only its owner may read have no finding', async () => {
  expect(envFileFindings(file)).toEqual([]);
  await write(0o600);
  expect(envFileFindings(file)).toEqual([]);
});

it.each([0o644, 0o640, 0o602])('a .env file with mode %o is something to do', async (mode) => {
  await write(mode);
  expect(envFileFindings(file)).toMatchObject([
    { kind: 'todo', where: 'The file .env', text: expect.stringMatching(/Run: chmod 600 \.env$/) },
  ]);
  // File modes mean nothing on Windows.
  expect(envFileFindings(file, 'win32')).toEqual([]);
});

it.each([
  [0o640, 0],
  [0o644, 1],
  [0o660, 1],
])('a .env file of another user with mode %o has %i findings', async (mode, count) => {
  await write(mode);
  expect(envFileFindings(file, process.platform, (process.getuid?.() ?? 0) + 1)).toHaveLength(
    count,
  );
});

it('the built launch check reports a .env file that other users may read', async () => {
  await write(0o644);
  const { stdout } = spawnSync(process.execPath, [resolve('dist/server/launch-check.js')], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
  });
  expect(stdout).toContain('✗ The file .env and the passwords in it can be read by other users');
});
