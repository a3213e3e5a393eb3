/** Files that are there whole or not at all, and the room they need. */
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
import { UnusableBackup } from './copy-sqlite.ts';

const megabyte = 1024 * 1024;

/** What must be left on the disk for the site to go on, in bytes. */
const spare = 64 * megabyte;

/** How old a draft is that nobody is working on any more, in milliseconds. */
const abandoned = 24 * 60 * 60_000;

const draftName = /\.part-[\da-f]{12}(-journal|-wal|-shm)?$/;

/** A name beside `file` under which it is made. */
export const temporaryFileOf = (file: string) => `${file}.part-${randomBytes(6).toString('hex')}`;

/** Gives the draft its name: from here on the file is there, whole and on disk, also after a power cut. */
export function publish(draft: string, file: string): void {
  sync(draft);
  renameSync(draft, file);
  sync(dirname(file));
}

/** Waits until a file, or the names in a folder, are on disk. */
export function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Removes the draft and what the database put beside it. */
export function discard(draft: string): void {
  for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(draft + ending, { force: true });
}

/** Removes every draft of this file: for whoever has its folder to themselves. */
export function discardTemporaryFilesOf(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (name.startsWith(`${basename(file)}.part-`)) rmSync(join(dirname(file), name));
  }
}

/** Removes drafts in the folder whose makers ended before they were done. */
export function sweep(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!draftName.test(name)) continue;
    const path = join(folder, name);
    if (now - statSync(path).mtimeMs > abandoned) rmSync(path, { force: true });
  }
}

/** Bytes of a database with what waits in its log. */
export const sizeOf = (file: string): number =>
  ['', '-wal'].reduce(
    (sum, ending) => sum + (existsSync(file + ending) ? statSync(file + ending).size : 0),
    0,
  );

/** Free bytes on the disk that holds the folder, as far as this user may fill it. */
export function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Throws `UnusableBackup` unless the folder's disk has room for so many bytes, and some to spare. */
export function requireFreeBytes(folder: string, bytes: number, room = freeBytesIn(folder)): void {
  if (room >= bytes + spare) return;
  throw new UnusableBackup(
    `The disk has too little room: ${inMegabytes(bytes + spare)} are needed in ${folder}, ` +
      `${inMegabytes(room)} are free. Please free some space.`,
  );
}

/** 4404019 as 4.2 MB. */
export const inMegabytes = (bytes: number) =>
  `${(bytes / megabyte).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })} MB`;
