/** What the last night's work came to, kept in the data folder: a new start knows it, and so does a command. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const night = z.object({ at: z.number(), trouble: z.array(z.string()) });

export interface Night {
  /** When the work began, milliseconds since 1970, UTC. */
  at: number;
  /** What went wrong, in sentences for the owner. */
  trouble: string[];
}

export interface NightRecord {
  /** The last night that was worked through; undefined while there is none, or it cannot be read. */
  read(): Night | undefined;
  write(night: Night): void;
}

/** The record in this data folder. */
export function nightRecordIn(folder: string): NightRecord {
  const path = join(folder, 'last-night.json');
  return {
    read() {
      try {
        return night.parse(JSON.parse(readFileSync(path, 'utf8')));
      } catch {
        return undefined;
      }
    },
    write(value) {
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}
