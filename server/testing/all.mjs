/**
 * Runs every check of `npm test`: lint, types and dead code beside the build, then the unit and
 * integration tests beside the browser tests. Prints the output of a step that fails, and one summary.
 * With `--long`, the property tests and the kill test run in full length, and the long tests (`TEST_LONG=1`). Run it by npm,
 * which puts the programs on the PATH.
 */
import { spawn } from 'node:child_process';
import { getPriority, setPriority, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { folderInMemory, remove } from './folder-in-memory.mjs';

process.chdir(fileURLToPath(new URL('../..', import.meta.url)));
if (process.argv.includes('--long')) process.env.TEST_LONG = '1';

// The tests write thousands of small databases, which takes less time in memory than on a disk.
const inMemory = tmpdir() === '/tmp' ? folderInMemory() : undefined;
if (inMemory) {
  // The unpacked programs, some 400 MB, stay on the disk for the next run.
  process.env.TEST_PROGRAMS ??= tmpdir();
  process.env.TMPDIR = inMemory;
  process.on('exit', () => remove(inMemory));
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const children = new Set();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    isStopped = true;
    // The runners close what they started. Ctrl-C has reached them, too, and a second SIGINT would end them at once.
    if (signal !== 'SIGINT') signalAll('SIGINT');
    setTimeout(() => signalAll('SIGKILL'), 15_000).unref();
  });
}

/** Lines in which a test runner sums up its run. */
const summaryLine = /^\s*(Test Files|Tests|Duration|\d+ (passed|failed|flaky|did not run))\b/;
/** Lines that name a failed test and its error, repeated in the summary below pages of output. */
const failureLine = /^\s*(FAIL |\d+\) |\w*Error: |[+-] +\S)/;
const mostFailureLines = 40;
const colour = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');

/**
 * Runs a command; resolves with whether it passed, how long it took, its failures and its totals.
 * @param {string} name
 * @param {string} command Words without quotes, separated by spaces.
 * @param {number} [niceness] Added to that of this process: the higher, the less CPU time beside others.
 * @returns {Promise<{ name: string, passed: boolean, seconds: number, summary: string[] }>}
 */
function run(name, command, niceness = 0) {
  const startedAt = performance.now();
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  if (child.pid) setPriority(child.pid, Math.min(19, getPriority() + niceness));
  children.add(child);
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => output.push(chunk));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => output.push(Buffer.from(`${error.message}\n`)));
    child.on('close', (code) => {
      children.delete(child);
      const passed = code === 0;
      const seconds = Math.round((performance.now() - startedAt) / 1000);
      const text = Buffer.concat(output).toString();
      const lines = text.replaceAll(colour, '').split('\n');
      if (!passed) console.log(text);
      console.log(`${passed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
      const failures = passed ? [] : lines.filter((line) => failureLine.test(line));
      const totals = lines.filter((line) => summaryLine.test(line));
      const summary = [...failures.slice(0, mostFailureLines), ...totals];
      resolve({ name, passed, seconds, summary });
    });
  });
}

/** @param {NodeJS.Signals} signal */
function signalAll(signal) {
  for (const child of children) child.kill(signal);
}

const startedAt = performance.now();
const results = await Promise.all([
  run('lint and format', 'biome ci --error-on-warnings'),
  // The checks run side by side, and one thread needs a third less CPU time than four.
  run('types', 'tsc --noEmit --singleThreaded'),
  run('dead code', 'knip'),
  run('build', 'node server/run.mjs --build-only'),
]);
// Without a build most tests only repeat its error.
if (!isStopped && results.every(({ name, passed }) => passed || name !== 'build')) {
  console.log('Running the tests, for about six minutes on two cores …');
  const tests = [
    run('unit and integration tests', 'vitest run'),
    // The others take longer.
    run('browser tests', 'playwright test -c e2e', 5),
  ];
  results.push(...(await Promise.all(tests)));
}

console.log(`\nSummary, after ${Math.round((performance.now() - startedAt) / 1000)} s`);
for (const { name, passed, seconds, summary } of results) {
  console.log(`  ${passed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  for (const line of summary) console.log(`            ${line.trim()}`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
