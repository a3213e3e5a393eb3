import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { formatNumber } from '../../contract/numbers.ts';
import { type Env, readEnv } from '../../env.ts';
import { AppError, isAppError } from '../../errors.ts';
import type { Content } from '../../maintenance/transfer/copy.ts';
import { transferSite } from '../../maintenance/transfer/transfer.ts';
import { databaseFile, sessionSecretFile } from '../../stores/data-folder.ts';
import { type DatabaseLocation, nameOf } from '../../stores/stores.ts';
import { type Command, type Io, parse, printLine } from '../command.ts';
import { promptHidden } from '../hidden-input.ts';
import { probeSite } from '../status/health.ts';

const example = 'npm run admin -- move --to postgres://shingle:password@localhost:5432/shingle';

export const move: Command = {
  name: 'move',
  usage: '--to <postgres://… | sqlite>',
  summary: 'Moves the whole site to PostgreSQL, or back into DATA_DIR.',
  details: [
    'Stop the site first. It is copied from the database in DATABASE_URL, or else from DATA_DIR.',
    '--to postgres://user:password@host:5432/name  into this empty database',
    '--to -  the same, but prompts for the address, so that the password is not in the shell’s history',
    '--to sqlite  into DATA_DIR, which must hold no database',
    'Every row is read back and compared. The source is never changed: after a difference or an',
    'interruption, run the command again.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { to: { type: 'string' } } });
    const env = readEnv(io.env);
    const from: DatabaseLocation = env;
    const to = targetOf(values.to === '-' ? await readAddress(io) : values.to, env);
    await requireStopped(env);
    printLine(io.stderr, `Copying from ${nameOf(from)} to ${nameOf(to)} …`);
    printLine(
      io.stderr,
      'You can interrupt this (Ctrl-C) without harm to the site, and run the command again later.',
    );
    const tables = await transferSite({ from, to });
    for (const line of [...summaryOf(tables), ...nextSteps(from, to, env)]) {
      printLine(io.stdout, line);
    }
  },
};

async function readAddress(io: Io): Promise<string> {
  if (!io.stdin.isTTY) return (await text(io.stdin)).trim();
  const [address] = await promptHidden(['Address of the database, postgres://…: '], io);
  if (address === undefined) throw new AppError('COMMAND_FAILED', 'Nothing was moved.');
  return address.trim();
}

/** The location that `--to` names. */
function targetOf(to: string | undefined, env: Env): DatabaseLocation {
  if (to === undefined)
    throw new AppError('COMMAND_FAILED', `Please say where to. For example: ${example}`);
  if (to === 'sqlite') {
    if (env.DATABASE_URL !== undefined) return { DATA_DIR: env.DATA_DIR };
    throw new AppError(
      'COMMAND_FAILED',
      `The site is already in the SQLite file in ${env.DATA_DIR}. ` +
        'To move it from PostgreSQL, please set DATABASE_URL to that database.',
    );
  }
  if (!/^postgres(ql)?:/.test(to)) {
    throw new AppError(
      'COMMAND_FAILED',
      `Please move to a PostgreSQL database, or to sqlite. For example: ${example}`,
    );
  }
  const DATABASE_URL = parseAddress(to);
  if (DATABASE_URL !== env.DATABASE_URL) return { DATABASE_URL, DATA_DIR: env.DATA_DIR };
  throw new AppError(
    'COMMAND_FAILED',
    'DATABASE_URL already names this database. To move the site there from DATA_DIR, ' +
      'please unset DATABASE_URL until it has moved.',
  );
}

/** `readEnv` requires a session secret beside DATABASE_URL. */
const unusedSecret = 'x'.repeat(32);

function parseAddress(to: string) {
  try {
    return readEnv({ SESSION_SECRET: unusedSecret, DATABASE_URL: to }).DATABASE_URL;
  } catch (error) {
    if (!isAppError(error, 'INVALID_ENVIRONMENT')) throw error;
    const [problem] = error.message
      .replace('DATABASE_URL', 'The address after --to')
      .split(' For example:');
    throw new AppError('COMMAND_FAILED', `${problem} For example: ${example}`);
  }
}

/** On SQLite the transfer itself takes the folder's lock, and fails while the site holds it. */
async function requireStopped(env: Env): Promise<void> {
  if (env.DATABASE_URL === undefined) return;
  const { address, status } = await probeSite(env);
  if (status !== 200 && status !== 503) return;
  throw new AppError(
    'COMMAND_FAILED',
    `The site is running at ${address}. Please stop every instance of it first, and try again.`,
  );
}

function summaryOf(tables: Content[]): string[] {
  const width = Math.max(...tables.map(({ table }) => table.length));
  const digits = Math.max(...tables.map(({ rows }) => formatNumber(rows).length));
  return tables.map(
    ({ table, rows }) =>
      `  ${table.padEnd(width)}  ${formatNumber(rows).padStart(digits)} copied and verified`,
  );
}

function nextSteps(from: DatabaseLocation, to: DatabaseLocation, env: Env): string[] {
  const source = from.DATABASE_URL === undefined ? databaseFile(from.DATA_DIR) : nameOf(from);
  const sourceHint = `${source} is unchanged. Delete it when you no longer need it.`;
  if (to.DATABASE_URL === undefined) {
    return [
      `Moved to ${nameOf(to)}. Now remove DATABASE_URL from .env, leave SESSION_SECRET in it, and start the site.`,
      sourceHint,
    ];
  }
  const { SESSION_SECRET: secret } = env;
  const file = sessionSecretFile(env.DATA_DIR);
  return [
    `Moved to ${nameOf(to)}. Now set DATABASE_URL to that address, and start the site.`,
    ...(secret === undefined
      ? [
          existsSync(file)
            ? `Set SESSION_SECRET, too. With the content of ${file} you stay signed in.`
            : 'Set SESSION_SECRET, too. To make one: openssl rand -hex 24',
        ]
      : []),
    sourceHint,
  ];
}
