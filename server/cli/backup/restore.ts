import { resolve } from 'node:path';
import { inMegabytes, pluralize } from '../../contract/numbers.ts';
import { readEnv } from '../../env.ts';
import { AppError } from '../../errors.ts';
import { backupsIn } from '../../maintenance/backup/catalog.ts';
import { findBackup, type Restored, restoreBackup } from '../../maintenance/backup/restore.ts';
import { backupFolder } from '../../stores/data-folder.ts';
import { type Command, parse, printLine } from '../command.ts';
import { localTime } from '../local-time.ts';
import { formatWrong } from './backup.ts';

export const restore: Command = {
  name: 'restore',
  usage: '[FILE]',
  summary: 'Replaces the database with a backup, and keeps the old database in a folder.',
  details: [
    'Without FILE it lists the backups in DATA_DIR. Stop the site first. The backup is verified before and',
    'after; if anything is wrong with it, nothing is changed. While DATABASE_URL is set it restores nothing,',
    'and prints the commands to use instead.',
  ],

  async run(args, io) {
    const { positionals } = parse({ args, allowPositionals: true });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new AppError('COMMAND_FAILED', 'Please name one file.');
    const { DATA_DIR: folder, DATABASE_URL: url } = readEnv(io.env);
    if (name !== undefined && url !== undefined) {
      throw new AppError(
        'COMMAND_FAILED',
        'A backup is restored into a folder, and then moved to PostgreSQL. Please unset DATABASE_URL, and run: ' +
          `DATA_DIR=./restored npm run admin -- restore ${name}, then ` +
          'DATA_DIR=./restored npm run admin -- move --to postgres://… with an empty database.',
      );
    }
    if (name === undefined) {
      for (const line of listOf(folder)) printLine(io.stdout, line);
      return;
    }
    const restored = await restoreBackup({
      folder,
      file: findBackup(resolve(io.folder, name), backupFolder(folder)),
      now: io.now(),
    });
    for (const line of summaryOf(restored)) printLine(io.stdout, line);
  },
};

function listOf(folder: string): string[] {
  const backups = backupsIn(folder);
  if (backups.length === 0) return [`There are no backups in ${backupFolder(folder)}.`];
  return [
    ...backups.map(
      ({ file, bytes, at }) => `${localTime.format(at)}  ${inMegabytes(bytes)}  ${file}`,
    ),
    `${pluralize(backups.length, 'backup')}. To restore one: npm run admin -- restore FILE`,
  ];
}

function summaryOf({ aside, isDeleted, checked = 0, wrong }: Restored): string[] {
  return [
    `Restored and verified. ${figuresOf(checked, wrong)}`,
    aside
      ? `The previous database is kept in ${aside}. Delete that folder when you no longer need it.`
      : 'There was no database before.',
    ...(isDeleted ? ['The restored file was deleted: the database has all its data.'] : []),
    'People whom you erased after this backup was made are in it again: npm run admin -- person erase.',
    'Once the site runs, sign in with the password from the time of the backup, or with ADMIN_PASSWORD.',
  ];
}

function figuresOf(checked: number, wrong: number): string {
  if (checked === 0) return 'There are no figures yet.';
  return wrong === 0
    ? `${pluralize(checked, 'figure')} add up.`
    : `${formatWrong(wrong, checked)} do not add up: npm run admin -- verify lists them.`;
}
