/** How full the disk of the data folder is. */
import { statfs } from 'node:fs/promises';

/** Above this percentage the owner sees an alert. */
const alertFrom = 80;

/** Above this percentage messages that look like spam are refused, so that genuine ones keep their room. */
const nearlyFullFrom = 90;

/** Reads the number of blocks of a file system. */
export type ReadBlocks = (folder: string) => Promise<Record<'blocks' | 'bfree' | 'bavail', number>>;

export type Disk = ReturnType<typeof createDisk>;

/** @param folder the folder of the embedded database; undefined when PostgreSQL stores the data */
export function createDisk(folder: string | undefined, readBlocks: ReadBlocks = statfs) {
  const used = async () => {
    if (folder === undefined) return undefined;
    const blocks = await readBlocks(folder).catch(() => undefined);
    if (!blocks) return undefined;
    const taken = blocks.blocks - blocks.bfree;
    const all = taken + blocks.bavail;
    return all > 0 ? (taken / all) * 100 : undefined;
  };
  return {
    /** The used percentage of the disk, as `df` counts it; undefined when it cannot be read. */
    used,
    isNearlyFull: async () => ((await used()) ?? 0) > nearlyFullFrom,
  };
}

/** The alert for the owner; undefined while the disk has enough room. */
export function diskSentence(used: number | undefined): string | undefined {
  if (used === undefined || used <= alertFrom) return undefined;
  const refused =
    used > nearlyFullFrom ? ' Messages that look like spam are refused until then.' : '';
  return `The disk of DATA_DIR is ${Math.floor(used)}% full. Delete old backups and exports, or empty the spam folder under Messages.${refused}`;
}
