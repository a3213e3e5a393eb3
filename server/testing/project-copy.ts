/** For tests: a copy of the project's files in a folder of its own. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Copies the project without its build; returns the new folder, which the caller deletes. */
export function copyProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shingle-copy-'));
  const files = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const file of files.split('\0')) {
    if (file && file !== 'node_modules' && existsSync(file)) cpSync(file, join(folder, file));
  }
  // One link for each package, so that Vite's cache inside the folder is the copy's own.
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules')) {
    if (!name.startsWith('.')) {
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
  }
  return folder;
}
