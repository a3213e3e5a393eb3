import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatNumber, inMegabytes, pluralize } from '../../contract/numbers.ts';
import { readEnv } from '../../env.ts';
import { AppError } from '../../errors.ts';
import {
  deleteOldBackups,
  manualFile,
  nightlyFile,
  nightsKept,
} from '../../maintenance/backup/catalog.ts';
import { type Backup, makeBackup } from '../../maintenance/backup/make.ts';
import { nameOf } from '../../stores/stores.ts';
import { type Command, type Io, parse, printLine } from '../command.ts';

export const backup: Command = {
  name: 'backup',
  usage: '[FILE] [--nightly]',
  summary: 'Backs everything up into one file while the site runs.',
  details: [
    'Without FILE it goes into the folder backups in DATA_DIR. The file is verified before it gets its name.',
    `--nightly  makes tonight’s backup, as the site does by itself, and keeps the newest ${nightsKept}.`,
    'From PostgreSQL, too, it makes one SQLite file, which any machine can restore; --nightly is refused there.',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      options: { nightly: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (more.length > 0) throw new AppError('COMMAND_FAILED', 'Please name one file.');
    if (name !== undefined && values.nightly) {
      throw new AppError(
        'COMMAND_FAILED',
        '--nightly names the file by itself. Please leave FILE out.',
      );
    }
    const env = readEnv(io.env);
    const { DATA_DIR: folder } = env;
    if (values.nightly && env.DATABASE_URL !== undefined) {
      throw new AppError(
        'COMMAND_FAILED',
        `--nightly does not back up ${nameOf(env)}: please use your database server’s own backups. ` +
          'To make a backup file now, leave --nightly out.',
      );
    }
    const file = fileFor({ name, isNightly: values.nightly, folder, io });
    const made = await makeBackup({ location: env, file, now: io.now() });
    if (values.nightly) await deleteOldBackups(folder, file);
    printLine(io.stdout, summaryOf(made));
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
  if (name === undefined) return manualFile(folder, io.now());
  const file = resolve(io.folder, name);
  if (!existsSync(dirname(file))) {
    throw new AppError(
      'COMMAND_FAILED',
      `The folder ${dirname(file)} does not exist. Please create it, or connect the disk it is on.`,
    );
  }
  if (existsSync(file)) {
    throw new AppError(
      'COMMAND_FAILED',
      `The file ${name} exists already. Please choose another name.`,
    );
  }
  return file;
}

function summaryOf({ file, bytes, checked, wrong }: Backup): string {
  const done = `Backed up to ${file} (${inMegabytes(bytes)}) and verified`;
  if (!checked) return `${done}.`;
  if (wrong === 0) return `${done}: ${pluralize(checked, 'figure')} add up.`;
  return (
    `${done}. ${formatWrong(wrong, checked)} did not add up in the database either: ` +
    'npm run admin -- verify lists them.'
  );
}

/** Formats wrong figures among all recounted ones: `2 of 1,000 figures`. */
export const formatWrong = (wrong: number, checked: number) =>
  `${formatNumber(wrong)} of ${pluralize(checked, 'figure')}`;
