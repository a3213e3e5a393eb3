/**
 * The three files of an open database. SQLite continues to write into files that were deleted or replaced,
 * and what it wrote there is lost with the process (https://sqlite.org/howtocorrupt.html, section 4.4).
 */
import { statSync } from 'node:fs';

const suffixes = ['', '-wal', '-shm'] as const;

type Suffix = (typeof suffixes)[number];

export type OpenFiles = ReturnType<typeof trackFiles>;

/**
 * Tracks the files at `path` that a connection has just opened.
 *
 * @param logBytes returns how long the log must be to hold all commits; undefined: there is only the main file
 */
export function trackFiles(path: string, logBytes?: () => number) {
  const tracked = logBytes ? suffixes : suffixes.slice(0, 1);
  const opened = new Map(tracked.map((suffix) => [suffix, identityOf(path + suffix)]));
  let content = contentOf(path);

  const lacksCommits = () => {
    const expected = logBytes?.() ?? 0;
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < expected;
  };
  /** Whether the file at the path is the opened one, is that but cut short, is missing, or is another file. */
  const stateOf = (suffix: Suffix) => {
    const identity = identityOf(path + suffix);
    if (identity !== opened.get(suffix)) return identity === undefined ? 'missing' : 'other';
    // Asks twice, because another connection may have emptied the log between the two sizes.
    return suffix === '-wal' && lacksCommits() && lacksCommits() ? 'short' : 'same';
  };
  return {
    stateOf,
    /** Paths whose file is missing, another one, or a log that was cut short. */
    lost: () =>
      tracked.filter((suffix) => stateOf(suffix) !== 'same').map((suffix) => path + suffix),
    /** Accepts the current content of the main file as written by this database. */
    accept() {
      const current = contentOf(path);
      // Another file may have taken the path meanwhile.
      if (stateOf('') === 'same') content = current;
    },
    /** Whether the main file has not been written since `accept`. */
    isUnwritten: () => contentOf(path) === content,
  };
}

/** Device and inode of a file; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** Size and time of the last write of a file; undefined if there is none. */
function contentOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.size} ${stats.mtimeNs}`;
}
