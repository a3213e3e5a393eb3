import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

/** Runs in the folder of a project, and prints after each step whether it is outdated and what was read. */
const program = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  const read = [];
  const { readFileSync } = fs;
  fs.readFileSync = (path, ...options) => {
    read.push(path);
    return readFileSync(path, ...options);
  };
  syncBuiltinESMExports();
  const { createIsOutdated, hashOfSources } = await import(process.argv[1]);
  const isOutdated = createIsOutdated(hashOfSources());
  const report = () => console.log(isOutdated(), read.splice(0).length);
  read.length = 0;
  report();
  report();
  fs.writeFileSync('site.config.ts', 'changed');
  // As if an older file were copied with its time.
  fs.utimesSync('site.config.ts', 1, 1);
  report();
  report();`;

it('sources of a running site are hashed once after each change', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-stamp-'));
  mkdirSync(join(folder, 'src'));
  const strayFiles = ['src/.DS_Store', 'src/.app.tsx.swp', 'src/app.tsx~'];
  for (const name of ['vite.config.ts', 'src/app.tsx', 'site.config.ts', ...strayFiles]) {
    writeFileSync(join(folder, name), 'original');
  }
  const stamp = pathToFileURL('server/build/stamp.mjs').href;
  const args = ['--input-type=module', '-e', program, stamp];
  const output = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(output.trim().split('\n')).toEqual(['false 3', 'false 0', 'true 3', 'true 0']);
});
