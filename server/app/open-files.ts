/** How many files and connections this process may have open (`ulimit -n`). */
import { readFileSync } from 'node:fs';

/** Files that are kept for the database and everything else when connections take the rest. */
const otherFiles = 100;

/** Fewer connections than a handful of browsers open. */
const fewestConnections = 50;

/** The limit on open files is too low: one line for a person, with what to do. */
export class TooFewFiles extends Error {}

/** How many connections the limit allows beside all other files. Throws `TooFewFiles`. */
export function connectionsAllowed(limit = openFileLimit()): number {
  const needed = fewestConnections + otherFiles;
  if (limit < needed) {
    throw new TooFewFiles(
      `Only ${limit} files may be open at once, and the site needs ${needed}. Please raise the limit: ` +
        'ulimit -n 4096, or LimitNOFILE=4096 in a systemd unit.',
    );
  }
  return limit - otherFiles;
}

/** The limit; infinite where the system does not say it in /proc. */
function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
