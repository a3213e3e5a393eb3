import { resolve } from 'node:path';
import { backupFolder } from '../app/data-folder.ts';
import { readEnv } from '../env.ts';
import { backupsIn } from '../maintenance/backup/catalog.ts';
import { inMegabytes } from '../maintenance/backup/files.ts';
import { findBackup, type Restored, restoreBackup } from '../maintenance/backup/restore.ts';
import { asRefusal } from './backup.ts';
import { type Command, counted, parse, printLine, Refusal } from './command.ts';
import { localTime } from './local-time.ts';

export const restore: Command = {
  name: 'restore',
  takes: '[FILE]',
  summary: 'Puts a backup in the place of the database, which is kept aside.',
  details: [
    'Without FILE it lists the backups in DATA_DIR. Stop the site first. The backup is read back before',
    'and after; when anything is wrong with it, nothing is changed. Where DATABASE_URL is set it is not',
    'restored, and the way to do that is said.',
  ],

  async run(args, io) {
    const { positionals } = parse({ args, allowPositionals: true });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new Refusal('Please name one file.');
    const { DATA_DIR: folder, DATABASE_URL: url } = readEnv(io.env);
    if (name !== undefined && url !== undefined) {
      throw new Refusal(
        'A backup is restored into a folder, and then moved. Please take DATABASE_URL out, and type: ' +
          `DATA_DIR=./restored npm run admin -- restore ${name}, then ` +
          'DATA_DIR=./restored npm run admin -- move --to postgres://… with an empty database.',
      );
    }
    if (name === undefined) {
      for (const line of linesOf(folder)) printLine(io.stdout, line);
      return;
    }
    const restored = await asRefusal(() =>
      restoreBackup({
        folder,
        file: findBackup(resolve(io.folder, name), backupFolder(folder)),
        now: io.now(),
      }),
    );
    for (const line of sentencesOn(restored)) printLine(io.stdout, line);
  },
};

function linesOf(folder: string): string[] {
  const shelf = backupsIn(folder);
  if (shelf.length === 0) return [`There are no backups in ${backupFolder(folder)}.`];
  return [
    ...shelf.map(
      ({ file, bytes, at }) => `${localTime.format(at)}  ${inMegabytes(bytes)}  ${file}`,
    ),
    `${counted(shelf.length, 'backup')}. To restore one: npm run admin -- restore FILE`,
  ];
}

function sentencesOn({ aside, checked = 0, wrong }: Restored): string[] {
  return [
    `Restored and read back: it is whole. ${figuresIn({ checked, wrong })}`,
    aside
      ? `What was there before is kept in ${aside}. Delete that folder when you no longer need it.`
      : 'There was no database before.',
    'Whoever was erased since the backup was made is in it again: npm run admin -- person erase.',
    'Sign in again once the site runs: with the password of the time of the backup, or that of ADMIN_PASSWORD.',
  ];
}

function figuresIn({ checked, wrong }: { checked: number; wrong: number }): string {
  if (checked === 0) return 'Nothing is counted in it yet.';
  const all = counted(checked, 'figure');
  return wrong === 0
    ? `${all} in it add up.`
    : `${counted(wrong, 'figure')} of ${all} in it do not add up: npm run admin -- verify says which.`;
}
