/** Atomic creation of files through temporary files, and checks of free disk space. */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inMegabytes } from '../contract/numbers.ts';
import { AppError } from '../errors.ts';
import { dayMs } from '../time/units.ts';

const megabyte = 1024 * 1024;

/** Disk space to leave free for the running site, in bytes. */
const reservedBytes = 64 * megabyte;

/** After this age a temporary file is abandoned, in ms. */
const abandonedMs = dayMs;

const temporaryName = /\.part-[\da-f]{12}(-journal|-wal|-shm)?$/;

/** Returns a new name beside `file`, under which to write it. */
export const temporaryFileOf = (file: string) => `${file}.part-${randomBytes(6).toString('hex')}`;

/** Renames a complete temporary file to `file`, atomically and durably (fsync of file and folder). */
export function publish(temporaryFile: string, file: string): void {
  sync(temporaryFile);
  renameSync(temporaryFile, file);
  sync(dirname(file));
}

/** Flushes a file, or the entries of a folder, to disk (fsync). */
export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Deletes a temporary database file with its journal and log. */
export function discard(temporaryFile: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    rmSync(temporaryFile + suffix, { force: true });
  }
}

/** Deletes all temporary files of this file. The caller must hold the exclusive lock of the folder. */
export function discardTemporaryFilesOf(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(`${basename(file)}.part-`)) rmSync(join(dirname(file), name));
  }
}

/** Deletes abandoned temporary files in the folder, left by processes that were killed. */
export function deleteAbandonedFiles(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!temporaryName.test(name)) continue;
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > abandonedMs) rmSync(path, { force: true });
  }
}

/** Size of a database file with its write-ahead log, in bytes. */
export const sizeOf = (file: string): number =>
  ['', '-wal'].reduce(
    (sum, suffix) => sum + (existsSync(file + suffix) ? statSync(file + suffix).size : 0),
    0,
  );

/** Free space on the disk of the folder that is available to this user, in bytes. */
export function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws `UNUSABLE_BACKUP` unless the folder's disk has space for `bytes` and a reserve of 64 MB. */
export function requireFreeBytes(folder: string, bytes: number, free = freeBytesIn(folder)): void {
  if (free >= bytes + reservedBytes) return;
  throw new AppError(
    'UNUSABLE_BACKUP',
    `The disk has too little room: ${inMegabytes(bytes + reservedBytes)} are needed in ${folder}, ` +
      `${inMegabytes(free)} are free. Please free some space.`,
  );
}
