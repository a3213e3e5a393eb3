/** Checks how a run of `npm test` ends when it is interrupted, with stubs of the programs that it runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
let run: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shingle-all-'));
  for (const name of ['biome', 'tsc', 'knip']) program(name, '');
  // Writes its folder for temporary files, then on SIGINT whether that is still there.
  const runner = `
    const { existsSync, writeFileSync } = require('node:fs');
    const write = (end, text) => writeFileSync(__filename + end, text);
    process.on('SIGINT', () => {
      setTimeout(() => {
        write('.stopped', String(existsSync(process.env.TMPDIR)));
        process.exit(130);
      }, 200);
    });
    setInterval(() => {}, 1000);
    write('.started', process.env.TMPDIR);`;
  for (const name of ['vitest', 'playwright']) program(name, runner);
});
afterEach(async () => {
  if (run?.kill('SIGTERM')) await once(run, 'exit');
  rmSync(folder, { recursive: true });
});

function program(name: string, code: string): void {
  writeFileSync(join(folder, name), `#!${process.execPath}\n${code}`, { mode: 0o755 });
}

const written = (name: string): string | undefined => {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
};

/** Starts `npm test` with the stubs. */
function startAll(): ChildProcess {
  run = spawn(process.execPath, ['server/testing/all.mjs'], {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}`, TMPDIR: '/tmp' },
    stdio: 'ignore',
  });
  return run;
}

/** Starts `npm test` and waits until both runners have started. */
async function start(): Promise<ChildProcess> {
  const all = startAll();
  const started = () => [written('vitest.started'), written('playwright.started')];
  await expect.poll(started).toEqual([expect.any(String), expect.any(String)]);
  return all;
}

it.each(['SIGTERM', 'SIGHUP'] as const)(
  'npm test stops the tests on %s before it removes their temporary files',
  async (signal) => {
    const all = await start();
    const temporary = written('vitest.started') ?? '';
    all.kill(signal);
    await once(all, 'exit');
    expect(all.exitCode).toBe(1);
    expect([written('vitest.stopped'), written('playwright.stopped')]).toEqual(['true', 'true']);
    expect(existsSync(temporary)).toBe(temporary === '/tmp');
  },
);

it('npm test does not start the tests after a signal during the checks', async () => {
  program(
    'knip',
    `require('node:fs').writeFileSync(__filename + '.started', ''); setInterval(() => {}, 1000);`,
  );
  const all = startAll();
  await expect.poll(() => written('knip.started')).toBe('');
  all.kill('SIGTERM');
  await once(all, 'exit');
  expect(all.exitCode).toBe(1);
  expect(written('vitest.started')).toBeUndefined();
});

it.runIf(existsSync('/dev/shm'))(
  'npm test removes the temporary files in memory of a run that was killed',
  async () => {
    const { pid } = spawnSync('true');
    const killed = `/dev/shm/shingle-tests-${pid}-test`;
    const running = `/dev/shm/shingle-tests-${process.pid}-test`;
    for (const path of [killed, running]) mkdirSync(path);
    try {
      await start();
      expect([existsSync(killed), existsSync(running)]).toEqual([false, true]);
    } finally {
      rmSync(running, { recursive: true });
      rmSync(killed, { recursive: true, force: true });
    }
  },
);
