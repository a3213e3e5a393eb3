/** Who may read the file with the settings. */
import { statSync } from 'node:fs';
import type { Finding } from './finding.ts';

/** The settings hold passwords and keys: they are for the eyes of one user of the machine. */
export function envFileFindings(file: string, platform = process.platform): Finding[] {
  // There, modes say nothing of who may read.
  if (platform === 'win32') return [];
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found || (found.mode & 0o077) === 0) return [];
  return [
    {
      topic: 'settings',
      kind: 'todo',
      where: 'The file .env',
      text: 'may be read by other users of this machine, with the passwords in it. Run: chmod 600 .env',
    },
  ];
}
