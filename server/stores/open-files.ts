/** How many files and connections this process may have open (`ulimit -n`). */

import { readFileSync } from 'node:fs';
import { AppError } from '../errors.ts';

/** Open files reserved for the database and everything else. */
const reservedFiles = 100;

/** The minimum: about what a handful of browsers open. */
const minConnections = 50;

/** How many connections the limit allows beside all other files. Throws `TOO_FEW_FILES`. */
export function connectionsAllowed(limit = openFileLimit()): number {
  const needed = minConnections + reservedFiles;
  if (limit < needed) {
    throw new AppError(
      'TOO_FEW_FILES',
      `Only ${limit} files may be open at once, and the site needs ${needed}. Please raise the limit: ` +
        'ulimit -n 4096, or LimitNOFILE=4096 in a systemd unit.',
    );
  }
  return limit - reservedFiles;
}

/** The limit; infinite where /proc does not contain it. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
