/** For tests: every engine the stores run on, opened empty, closed and opened again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, type Stores } from '../stores.ts';

export type { Stores };

export interface Engine {
  name: string;
  /** Makes an empty place to keep things; `open` opens it, again and again if need be. */
  create(): Promise<{ open: () => Promise<Stores>; remove: () => Promise<void> }>;
}

export const engines: Engine[] = [
  {
    name: 'SQLite',
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'shingle-store-'));
      return {
        open: () => openStores(folder),
        remove: () => rm(folder, { recursive: true }),
      };
    },
  },
];
