import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nameOf } from '../app/stores.ts';
import { readEnv } from '../env.ts';
import {
  deleteOldBackups,
  nightlyFile,
  nightsKept,
  ownFile,
} from '../maintenance/backup/catalog.ts';
import { UnusableBackup } from '../maintenance/backup/copy-sqlite.ts';
import { inMegabytes } from '../maintenance/backup/files.ts';
import { type Backup, makeBackup } from '../maintenance/backup/make.ts';
import { type Command, counted, type Io, parse, printLine, Refusal } from './command.ts';

export const backup: Command = {
  name: 'backup',
  takes: '[FILE] [--nightly]',
  summary: 'Backs everything up into one file, while the site goes on.',
  details: [
    'Without FILE it goes into the folder backups in DATA_DIR. It is read back before it gets its name.',
    `--nightly  makes the backup of this night, as the site does by itself, and keeps the newest ${nightsKept}.`,
    'From PostgreSQL, too, one SQLite file is made, which any machine can restore. Nights are left to it.',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      options: { nightly: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new Refusal('Please name one file.');
    if (name !== undefined && values.nightly) {
      throw new Refusal('The backup of a night has a name already. Please leave the file out.');
    }
    const env = readEnv(io.env);
    const { DATA_DIR: folder } = env;
    if (values.nightly && env.DATABASE_URL !== undefined) {
      throw new Refusal(
        `Of ${nameOf(env)} no backup is made by night: its server has a way of its own. ` +
          'For a file of it now, please leave --nightly out.',
      );
    }
    const file = fileFor({ name, isNightly: values.nightly, folder, io });
    const made = await asRefusal(() => makeBackup({ place: env, file, now: io.now() }));
    if (values.nightly) deleteOldBackups(folder, file);
    printLine(io.stdout, sentenceOn(made));
  },
};

function fileFor({
  name,
  isNightly,
  folder,
  io,
}: {
  name: string | undefined;
  isNightly: boolean;
  folder: string;
  io: Io;
}): string {
  if (isNightly) return nightlyFile(folder, io.now());
  if (name === undefined) return ownFile(folder, io.now());
  const file = resolve(io.folder, name);
  if (!existsSync(dirname(file))) {
    throw new Refusal(
      `There is no folder ${dirname(file)}. Please make it, or plug in the disk it is on.`,
    );
  }
  if (existsSync(file)) {
    throw new Refusal(`There is a file ${name} already. Please choose another name.`);
  }
  return file;
}

function sentenceOn({ file, bytes, checked, wrong }: Backup): string {
  const head = `Backed up to ${file} (${inMegabytes(bytes)}). Read back: it is whole`;
  if (!checked) return `${head}.`;
  if (wrong === 0) return `${head}, and ${counted(checked, 'figure')} in it add up.`;
  return (
    `${head}. ${counted(wrong, 'figure')} of ${counted(checked, 'figure')} in it did not add up ` +
    'before either: npm run admin -- verify says which.'
  );
}

/** What is wrong with a backup, as the command line says it. */
export async function asRefusal<T>(job: () => Promise<T> | T): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof UnusableBackup) throw new Refusal(error.message);
    throw error;
  }
}
