import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { databaseFile, sessionSecretFile } from '../app/data-folder.ts';
import { type DatabaseLocation, nameOf } from '../app/stores.ts';
import { BadEnvironment, type Env, readEnv } from '../env.ts';
import { UnusableBackup } from '../maintenance/backup/copy-sqlite.ts';
import { TransferRefused } from '../maintenance/transfer/target.ts';
import { type TransferResult, transferSite } from '../maintenance/transfer/transfer.ts';
import { type Command, counted, grouped, type Io, parse, printLine, Refusal } from './command.ts';
import { askSite } from './health.ts';
import { askHidden } from './hidden-input.ts';

const example = 'npm run admin -- move --to postgres://shingle:password@localhost:5432/shingle';

export const move: Command = {
  name: 'move',
  takes: '--to <postgres://… | sqlite>',
  summary: 'Carries the whole site over to PostgreSQL, or back into DATA_DIR.',
  details: [
    'Stop the site first. It is moved from where it is: the database DATABASE_URL names, or else DATA_DIR.',
    '--to postgres://user:password@host:5432/name  into this empty database',
    '--to -  the same, and asks for the address without showing it: its password is in no shell’s history',
    '--to sqlite  into DATA_DIR, which must hold no database',
    'Every row is read back, and the dashboard of both sides is compared. When anything differs, or the',
    'move is broken off, the site is where it was, as it was: type the line again.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { to: { type: 'string' } } });
    const env = readEnv(io.env);
    const from: DatabaseLocation = env;
    const to = placeMeant(values.to === '-' ? await addressTyped(io) : values.to, env);
    await refuseRunning(env);
    printLine(io.stderr, `Copying from ${nameOf(from)} to ${nameOf(to)} …`);
    printLine(
      io.stderr,
      'Broken off (Ctrl-C), it changes nothing where the site is: type the line again.',
    );
    const moved = await asRefusal(() => transferSite({ from, to, now: io.now() }));
    for (const line of [...linesOn(moved), ...nextSteps(from, to, env)]) printLine(io.stdout, line);
  },
};

async function addressTyped(io: Io): Promise<string> {
  if (!io.stdin.isTTY) return (await text(io.stdin)).trim();
  const [address] = await askHidden(['Address of the database, postgres://…: '], io);
  if (address === undefined) throw new Refusal('Nothing was moved.');
  return address.trim();
}

/** Where the owner wants it. */
function placeMeant(to: string | undefined, env: Env): DatabaseLocation {
  if (to === undefined) throw new Refusal(`Please say where to. For example: ${example}`);
  if (to === 'sqlite') {
    if (env.DATABASE_URL !== undefined) return { DATA_DIR: env.DATA_DIR };
    throw new Refusal(
      `The site is in the SQLite file in ${env.DATA_DIR} already. ` +
        'To move it from PostgreSQL, please set DATABASE_URL to where it is.',
    );
  }
  if (!/^postgres(ql)?:/.test(to)) {
    throw new Refusal(
      `Please move to a PostgreSQL database, or to sqlite. For example: ${example}`,
    );
  }
  const DATABASE_URL = addressMeant(to);
  if (DATABASE_URL !== env.DATABASE_URL) return { DATABASE_URL, DATA_DIR: env.DATA_DIR };
  throw new Refusal(
    'DATABASE_URL names this database as the place where the site is. To move it there from DATA_DIR, ' +
      'please leave DATABASE_URL out until it has moved.',
  );
}

/** Its absence is no fault of an address. */
const unused = 'x'.repeat(32);

function addressMeant(to: string) {
  try {
    return readEnv({ SESSION_SECRET: unused, DATABASE_URL: to }).DATABASE_URL;
  } catch (error) {
    if (!(error instanceof BadEnvironment)) throw error;
    const [fault] = error.message
      .replace('DATABASE_URL', 'The address after --to')
      .split(' For example:');
    throw new Refusal(`${fault} For example: ${example}`);
  }
}

/** On SQLite the lock of its folder tells, and is held meanwhile. */
async function refuseRunning(env: Env): Promise<void> {
  if (env.DATABASE_URL === undefined) return;
  const { address, status } = await askSite(env);
  if (status !== 200 && status !== 503) return;
  throw new Refusal(
    `The site is running, and answers at ${address}. Please stop every instance of it first, and try again.`,
  );
}

function linesOn({ tables, answers }: TransferResult): string[] {
  const width = Math.max(...tables.map(({ table }) => table.length));
  const digits = Math.max(...tables.map(({ rows }) => grouped(rows).length));
  const { windows, checked, wrong } = answers;
  return [
    ...tables.map(
      ({ table, rows }) =>
        `  ${table.padEnd(width)}  ${grouped(rows).padStart(digits)} copied, and read back the same`,
    ),
    `The dashboard says the same on both sides, for ${counted(windows, 'window')} of time.`,
    checked === 0
      ? 'Nothing is counted in it yet.'
      : `${counted(checked, 'figure')} were counted again on both sides: ` +
        (wrong === 0
          ? 'they add up.'
          : `${grouped(wrong)} do not add up, as before. npm run admin -- verify says which.`),
  ];
}

function nextSteps(from: DatabaseLocation, to: DatabaseLocation, env: Env): string[] {
  const before = from.DATABASE_URL === undefined ? databaseFile(from.DATA_DIR) : nameOf(from);
  const kept = `What was in ${before} is there as it was. Delete it when you no longer need it.`;
  if (to.DATABASE_URL === undefined) {
    return [
      `Moved to ${nameOf(to)}. Now take DATABASE_URL out of .env, leave SESSION_SECRET in it, and start the site.`,
      kept,
    ];
  }
  const { SESSION_SECRET: known } = env;
  const file = sessionSecretFile(env.DATA_DIR);
  return [
    `Moved to ${nameOf(to)}. Now set DATABASE_URL to that address, and start the site.`,
    ...(known === undefined
      ? [
          existsSync(file)
            ? `Set SESSION_SECRET, too. With what stands in ${file} you stay signed in.`
            : 'Set SESSION_SECRET, too. To make one: openssl rand -hex 24',
        ]
      : []),
    kept,
  ];
}

async function asRefusal<T>(job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (error) {
    if (error instanceof TransferRefused || error instanceof UnusableBackup) {
      throw new Refusal(error.message);
    }
    throw error;
  }
}
