/** The output of commands that cannot build the site, such as when `site.config.ts` has mistakes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { withoutRights } from '../../testing/process/server-process.ts';
import { copyProject } from '../../testing/project-copy.ts';

// Each command here starts Vite.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;

/** Copies the project with its build, and writes a config with two mistakes. */
beforeAll(() => {
  folder = copyProject();
  cpSync('dist', join(folder, 'dist'), { recursive: true });
  const text = readFileSync('server/testing/sample-file.ts', 'utf8')
    .replace(/quiz: 'https[^']*'/, "quiz: 'quiz'")
    .replace(/(links: \{\s*)instagram:/, '$1instagramm:');
  writeFileSync(join(folder, 'site.config.ts'), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const sentences = [
  /^site\.config\.ts, line \d+: links\.instagramm is not known\. Is it instagram\?$/m,
  /^site\.config\.ts, line \d+: links\.quiz must be a web address such as https:\/\/…, not "quiz"\.$/m,
];

it.each([
  ['npm start', [process.execPath, 'server/run.mjs', 'main']],
  ['npm run build', [process.execPath, 'node_modules/vite/bin/vite.js', 'build']],
])(
  '%s reports config mistakes, exits with 1, and leaves the last build unchanged',
  (_, command) => {
    const [program = '', ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data') },
    });
    const output = stdout + stderr;
    expect(status).toBe(1);
    for (const sentence of sentences) expect(output).toMatch(sentence);
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain('is ready');
    expect(readFileSync(join(folder, 'dist/pages/home.html'), 'utf8')).toBe(
      readFileSync('dist/pages/home.html', 'utf8'),
    );
    expect(readFileSync(join(folder, 'dist/stamp'), 'utf8')).toBe(
      readFileSync('dist/stamp', 'utf8'),
    );
  },
);

/** Runs `npm run admin -- messages`, by a program that starts it with other rights where there is one. */
function listMessages(starter: string[] = []) {
  const command = [...starter, process.execPath, 'server/run.mjs', 'admin', 'messages'];
  const [program = '', ...args] = command;
  return spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data') },
  });
}

it('admin commands use the last build when the config has mistakes', () => {
  const { status, stdout, stderr } = listMessages();
  expect(status).toBe(0);
  for (const sentence of sentences) expect(stderr).toMatch(sentence);
  expect(stdout).toContain('No messages yet.');
});

it('admin commands use the last build when their user may not write to the folder', () => {
  // Vite writes the config that it loads there, or else beside it.
  rmSync(join(folder, 'node_modules/.vite-temp'), { recursive: true, force: true });
  mkdirSync(join(folder, 'data'), { recursive: true });
  const closed = [folder, join(folder, 'node_modules')];
  for (const path of closed) chmodSync(path, 0o555);
  const { status, stdout, stderr } = listMessages(process.getuid?.() === 0 ? withoutRights : []);
  for (const path of closed) chmodSync(path, 0o755);
  expect(stderr).toMatch(
    /^This user may not write to .+\. Run npm run build as the owner of that folder\.$/m,
  );
  expect(stderr).not.toMatch(/^\s+at /m);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('No messages') });
});

it('admin commands use the last build when the build fails unexpectedly', () => {
  writeFileSync(join(folder, 'vite.config.ts'), 'throw new Error("a plugin failed");');
  const { status, stdout, stderr } = listMessages();
  expect(stderr).toContain('a plugin failed');
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('No messages') });
});
