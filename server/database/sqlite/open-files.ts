/**
 * The three files of an open database. SQLite continues to write into files that were deleted or replaced,
 * and what it wrote there is lost with the process (https://sqlite.org/howtocorrupt.html, section 4.4).
 */
import { statSync } from 'node:fs';
import type { LogState } from './write-ahead-log.ts';

const suffixes = ['', '-wal', '-shm'] as const;

type Suffix = (typeof suffixes)[number];

export type OpenFiles = ReturnType<typeof trackFiles>;

/**
 * Tracks the files at `path` that a connection has just opened.
 *
 * @param options.readLog undefined if there is only the main file
 * @param options.graceMs how long the main file may differ until a checkpoint explains it: that of another program
 *   shows in the log once it ends
 */
export function trackFiles(
  path: string,
  { readLog, graceMs }: { readLog?: (() => LogState | undefined) | undefined; graceMs: number },
) {
  const tracked = readLog ? suffixes : suffixes.slice(0, 1);
  const opened = new Map(tracked.map((suffix) => [suffix, identityOf(path + suffix)]));
  let accepted = { content: contentOf(path), log: readLog?.() };
  /** What `lost` last found explained. */
  let seen = accepted;
  /** When the main file was first seen with content that no checkpoint explains. */
  let suspectSince: number | undefined;

  const lacksCommits = () => {
    const expected = readLog?.()?.bytes ?? 0;
    return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) < expected;
  };
  /** Undefined within a transaction. */
  const isExplained = () => {
    const content = contentOf(path);
    if (content === accepted.content) return true;
    const log = readLog?.();
    if (log && isCheckpointed(log, accepted.log)) seen = { content, log };
    return log && seen.content === content;
  };
  const isOverwritten = () => {
    // Within a transaction the last answer stands.
    const isKnown = isExplained();
    if (isKnown) suspectSince = undefined;
    else if (isKnown === false) suspectSince ??= performance.now();
    return suspectSince !== undefined && performance.now() - suspectSince >= graceMs;
  };
  const stateOf = (suffix: Suffix): FileState => {
    const identity = identityOf(path + suffix);
    if (identity !== opened.get(suffix)) return identity === undefined ? 'missing' : 'other';
    if (suffix === '' && isOverwritten()) return 'overwritten';
    // Asks twice, because another connection may have emptied the log between the two sizes.
    return suffix === '-wal' && lacksCommits() && lacksCommits() ? 'short' : 'same';
  };
  return {
    stateOf,
    /** Paths of the files that are not the opened ones, or whose content is not that of the database. */
    lost: () =>
      tracked.filter((suffix) => stateOf(suffix) !== 'same').map((suffix) => path + suffix),
    /** Whether the main file has content that no checkpoint explains so far. */
    isSuspect: () => suspectSince !== undefined,
    /** Accepts what `lost` has just found: another program copied the log. */
    acceptSeen() {
      accepted = { content: seen.content, log: readLog?.() };
    },
    /** To be called after a commit or checkpoint of this connection: it explains the content, unless that was suspect before. */
    accept() {
      const log = readLog?.();
      // Another file may have taken the path meanwhile.
      const isKnown = suspectSince === undefined && identityOf(path) === opened.get('');
      accepted = { content: isKnown ? contentOf(path) : accepted.content, log };
      seen = accepted;
    },
    /** Whether the main file has not been written since `accept`. */
    isUnwritten: () => contentOf(path) === accepted.content,
  };
}

/** Of the file at a path: the opened one, that with other content or cut short, no file, or another one. */
type FileState = 'same' | 'overwritten' | 'short' | 'missing' | 'other';

/** Whether a program copied pages of the log into the main file meanwhile. */
function isCheckpointed(now: LogState, before: LogState | undefined): boolean {
  if (before === undefined) return true;
  const wasCopied = before.copiedPages === before.pages;
  const isCopied = now.copiedPages === now.pages;
  const restarted = now.pages < before.pages || now.copiedPages < before.copiedPages;
  if (!restarted && now.copiedPages > before.copiedPages) return true;
  // Before the log is written from its start again, all of it is copied.
  if (restarted && (!wasCopied || now.copiedPages > 0)) return true;
  // Another connection may have written and copied as many pages, or emptied the log.
  return isCopied && (now.dataVersion ?? before.dataVersion) !== before.dataVersion;
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
