/** What can be said of the health of a site, each in words of its owner's. */
import { existsSync, statSync } from 'node:fs';
import { databaseFile } from '../app/data-folder.ts';
import { nameOf } from '../app/stores.ts';
import { schemaVersion } from '../database/migrate.ts';
import { isFolderShared } from '../database/sqlite/folder-lock.ts';
import type { Env } from '../env.ts';
import { delayOf } from '../health/owner-alerts.ts';
import { backupsIn } from '../maintenance/backup/catalog.ts';
import { freeBytesIn, inMegabytes, sizeOf } from '../maintenance/backup/files.ts';
import { counted, type Stores } from './command.ts';
import { localTime } from './local-time.ts';

export interface Finding {
  name: string;
  /** `note`: neither good nor bad. */
  is: 'well' | 'wrong' | 'note';
  says: string;
}

type Said = Omit<Finding, 'name'>;

const day = 24 * 60 * 60_000;

/** How old the last backup or the last night may be, in ms: one that failed is made up for by then. */
const stale = 2 * day;

/** How long the site may take to answer, in ms: longer than it waits for a busy database. */
const patience = 8000;

const well = (says: string): Said => ({ is: 'well', says });
const wrong = (says: string): Said => ({ is: 'wrong', says });
const note = (says: string): Said => ({ is: 'note', says });

/** Whether the site runs and can do its work. To be asked before this program works in the folder itself. */
export async function ofSite(env: Env): Promise<Finding> {
  return { name: 'site', ...(await siteSaid(env)) };
}

async function siteSaid(env: Env): Promise<Said> {
  const { DATA_DIR, DATABASE_URL } = env;
  // Of a server nobody can tell from here who works in it: only whether anybody does on this machine.
  if (DATABASE_URL === undefined && !isFolderShared(DATA_DIR)) {
    return wrong(`The site is not running on ${DATA_DIR}. To start it: npm start`);
  }
  const { address, status } = await askSite(env);
  if (status === 200) return well(`The site is running, and answers at ${address}.`);
  if (status === undefined && DATABASE_URL !== undefined) {
    return wrong(
      `No site answers at ${address}. To start it: npm start. ` +
        'Does it run with another PORT? Then please set the same here.',
    );
  }
  if (status === undefined) {
    return wrong(
      `Something works in ${DATA_DIR}, but no site answers at ${address}. ` +
        'Does it run with another PORT? Then please set the same here.',
    );
  }
  return wrong(
    'The site is running, but cannot write its database: no message can be kept. Its log says why.',
  );
}

/** Where the site is on this machine, and how it answers the question whether it is ready, if it does. */
export async function askSite({ PORT, HOST }: Env) {
  const address = `http://${hostOf(HOST)}:${PORT}`;
  const status = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(patience) }).then(
    (answer) => answer.status,
    () => undefined,
  );
  return { address, status };
}

/** How this machine reaches what listens there. */
function hostOf(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** All the rest, the most urgent first. */
export async function ofData(env: Env, stores: Stores, now: number): Promise<Finding[]> {
  const folder = env.DATA_DIR;
  return [
    { name: 'messages', ...(await messagesSaid(stores)) },
    { name: 'mail', ...(await mailSaid(env, stores, now)) },
    { name: 'visits', ...(await visitsSaid(stores, now)) },
    { name: 'stripe', ...(await stripeSaid(env, stores)) },
    ...(env.DATABASE_URL === undefined
      ? [
          { name: 'backup', ...backupSaid(folder, now) },
          { name: 'night', ...(await nightSaid(stores, folder, now)) },
          { name: 'disk', ...diskSaid(folder) },
          { name: 'database', ...note(`The database has ${sizeSaid(folder)}, ${schema}.`) },
        ]
      : [
          { name: 'backup', ...serverBackupSaid(env) },
          { name: 'night', ...(await nightSaid(stores, folder, now)) },
          { name: 'database', ...note(`The data are in ${nameOf(env)}, ${schema}.`) },
        ]),
  ];
}

const schema = `schema ${schemaVersion}`;

const sizeSaid = (folder: string) => inMegabytes(sizeOf(databaseFile(folder)));

const at = (time: number) => localTime.format(time);

async function messagesSaid({ contact }: Stores): Promise<Said> {
  const [last] = await contact.list({ limit: 1 });
  if (!last) return note('No message has come yet.');
  const all = counted(await contact.count(), 'message');
  return note(`The last message came ${at(last.receivedAt)}; ${all} in all.`);
}

async function mailSaid({ SMTP_URL }: Env, { mail }: Stores, now: number): Promise<Said> {
  if (SMTP_URL === undefined) {
    return note('There is no mail server: messages are kept here. npm run admin -- messages');
  }
  const state = await mail.state();
  const trouble = delayOf(state, now);
  if (trouble) return wrong(trouble);
  const last = await mail.lastSent();
  const sent =
    last === undefined ? 'No letter was sent yet' : `The last letter was sent ${at(last)}`;
  return well(`${sent}; ${state.waiting === 0 ? 'none waits' : `${state.waiting} on their way`}.`);
}

async function visitsSaid({ analytics }: Stores, now: number): Promise<Said> {
  const last = await analytics.lastView(now);
  return note(
    last === undefined ? 'Nobody was counted yet.' : `The last visitor came ${at(last)}.`,
  );
}

async function stripeSaid(env: Env, { payments }: Stores): Promise<Said> {
  if (env.STRIPE_WEBHOOK_SECRET === undefined && env.STRIPE_API_KEY === undefined) {
    return note('Stripe is not connected.');
  }
  const last = await payments.newest();
  if (last === undefined) return note('Stripe has told of nothing yet.');
  return well(`The last thing that Stripe told of happened ${at(last)}.`);
}

function backupSaid(folder: string, now: number): Said {
  const shelf = backupsIn(folder);
  const [last] = shelf;
  const hint = 'To make one now: npm run admin -- backup';
  if (!last) {
    if (ageOf(folder, now) < stale) {
      return note('There is no backup yet: the first is made some minutes after the start.');
    }
    return wrong(`There is no backup. ${hint}`);
  }
  const said = `The last backup was made ${at(last.at)} (${inMegabytes(last.bytes)}); ${counted(shelf.length, 'backup')} kept.`;
  return now - last.at < stale ? well(said) : wrong(`${said} ${hint}`);
}

/** What its server does is not to be seen from here; nor is its disk. */
function serverBackupSaid(env: Env): Said {
  const [last] = backupsIn(env.DATA_DIR);
  const own = last
    ? ` The last file of it was made here ${at(last.at)} (${inMegabytes(last.bytes)}).`
    : '';
  return note(
    `The site makes no backups of ${nameOf(env)}: please see to it that its server does, by pg_dump or ` +
      `point-in-time recovery.${own} For a file of it now: npm run admin -- backup`,
  );
}

async function nightSaid({ night }: Stores, folder: string, now: number): Promise<Said> {
  const last = await night.read();
  if (!last) {
    if (ageOf(folder, now) < stale) return note('The first night is still to come.');
    return wrong('No night’s work was ever done: the site must run for some minutes a day.');
  }
  if (last.trouble.length > 0) return wrong(last.trouble.join(' '));
  const said = `The figures were counted again ${at(last.at)}, and add up.`;
  return now - last.at < stale ? well(said) : wrong(`${said} That is long ago.`);
}

/** How long there has been a database, in ms. */
function ageOf(folder: string, now: number): number {
  const file = databaseFile(folder);
  return existsSync(file) ? now - statSync(file).birthtimeMs : 0;
}

function diskSaid(folder: string): Said {
  const room = freeBytesIn(folder);
  const said = `The disk has ${inMegabytes(room)} left.`;
  return room < 2 * sizeOf(databaseFile(folder)) + tight
    ? wrong(`${said} Please free some space: a full disk takes no messages.`)
    : well(said);
}

/** So few bytes beside the next backup are soon none. */
const tight = 256 * 1024 * 1024;
