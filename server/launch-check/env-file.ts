import { statSync } from 'node:fs';
import type { Finding } from './finding.ts';

/** A finding when other users than `user` may read `file`, which holds passwords and keys. */
export function envFileFindings(
  file: string,
  platform = process.platform,
  user = process.getuid?.(),
): Finding[] {
  // Node.js reports no meaningful file modes on Windows.
  if (platform === 'win32') return [];
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return [];
  // A service reads a file of root as a member of its group.
  const excess = stats.uid === user ? 0o077 : 0o027;
  if ((stats.mode & excess) === 0) return [];
  return [
    {
      kind: 'todo',
      where: 'The file .env',
      text: 'and the passwords in it can be read by other users of this machine. Run: chmod 600 .env',
    },
  ];
}
