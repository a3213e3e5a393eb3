import { lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Continues as `user`, a numeric id, when the process runs as root, and gives that user a data folder of root. Hosts of
 * containers mount folders that belong to root, and run commands in a container as root.
 * @param {number} user
 * @param {string} dataFolder
 */
export function dropRoot(user, dataFolder) {
  if (process.getuid?.() !== 0) return;
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const owner = lstatSync(dataFolder).uid;
    // Later starts change nothing: programs of that user could swap a folder for a link meanwhile.
    if (owner === 0) takeOver(resolve(dataFolder), user);
    else if (owner !== user) throw new Error(`${dataFolder} belongs to user ${owner}`);
    process.setgroups?.([user]);
    process.setgid?.(user);
    process.setuid?.(user);
  } catch (error) {
    console.error(
      `Could not continue as user ${user}: ${error instanceof Error ? error.message : error}`,
    );
    console.error('Please start the container as the owner of its data: docker run --user …');
    process.exit(1);
  }
}

/**
 * Changes the owner of a path and everything in it, without following links.
 * @param {string} path
 * @param {number} user
 */
function takeOver(path, user) {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) takeOver(join(path, name), user);
  }
  // A folder comes last, so that an interrupted start is repeated.
  lchownSync(path, user, user);
}
