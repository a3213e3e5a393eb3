/** How full the disk of the data folder is. */
import { statfs } from 'node:fs/promises';

/** Above this percentage the owner sees an alert. */
const alertFrom = 80;

/** Above this percentage messages that look like spam are refused, so that genuine ones keep their room. */
const nearlyFullFrom = 90;

/** What the file system says of its blocks. */
export type ReadBlocks = (folder: string) => Promise<Record<'blocks' | 'bfree' | 'bavail', number>>;

export interface Disk {
  /** Percent of the disk that are used, as `df` counts them; undefined when the file system does not say. */
  used(): Promise<number | undefined>;
  isNearlyFull(): Promise<boolean>;
}

/** @param folder where the embedded database is; undefined: there is none, and no disk to watch */
export function createDisk(folder: string | undefined, readBlocks: ReadBlocks = statfs): Disk {
  const used = async () => {
    if (folder === undefined) return undefined;
    const blocks = await readBlocks(folder).catch(() => undefined);
    if (!blocks) return undefined;
    const taken = blocks.blocks - blocks.bfree;
    const all = taken + blocks.bavail;
    return all > 0 ? (taken / all) * 100 : undefined;
  };
  return {
    used,
    isNearlyFull: async () => ((await used()) ?? 0) > nearlyFullFrom,
  };
}

/** What the owner must know of the disk; undefined: nothing. */
export function diskSentence(used: number | undefined): string | undefined {
  if (used === undefined || used <= alertFrom) return undefined;
  const refused =
    used > nearlyFullFrom ? ' Messages that look like spam are refused until then.' : '';
  return `The disk of DATA_DIR is ${Math.floor(used)}% full. Delete old backups and exports, or empty the spam folder under Messages.${refused}`;
}
