/** The findings of `npm run admin -- status`, in sentences for the owner. */
import { existsSync, statSync } from 'node:fs';
import { delayOf, undeliveredOf } from '../../app/owner-alerts.ts';
import { siteQuotas } from '../../booking/booking.ts';
import { calendarAlert } from '../../booking/busy/calendars.ts';
import { pausedSentence } from '../../booking/emails.ts';
import { unreadableSentence } from '../../connections/connections.ts';
import type { ConnectionName } from '../../connections/values.ts';
import { floodSentence } from '../../contact/email.ts';
import { inMegabytes, pluralize } from '../../contract/numbers.ts';
import { freeBytesIn, sizeOf } from '../../database/files.ts';
import { schemaVersion } from '../../database/migrate.ts';
import { isSiteRunning, lockFile } from '../../database/sqlite/folder-lock.ts';
import { isRescued } from '../../database/sqlite/rescue.ts';
import type { OutboxQueue } from '../../email/store.ts';
import type { Env } from '../../env.ts';
import { lossAlert } from '../../health/file-loss.ts';
import { backupsIn } from '../../maintenance/backup/catalog.ts';
import { backupFolder, databaseFile } from '../../stores/data-folder.ts';
import type { Stores } from '../../stores/stores.ts';
import { nameOf } from '../../stores/stores.ts';
import { dayMs } from '../../time/units.ts';
import { localTime } from '../local-time.ts';

/** Printed as JSON by `status --json`. */
export interface Finding {
  name: string;
  /** `note` is neither good nor bad. */
  is: 'well' | 'wrong' | 'note';
  says: string;
}

type Verdict = Omit<Finding, 'name'>;

/** Age in ms from which the last backup or nightly job is wrong: leaves time for one retry. */
const staleAge = 2 * dayMs;

/** Timeout of the readiness check, in ms: longer than the site waits for a busy database. */
const timeoutMs = 8000;

const well = (says: string): Verdict => ({ is: 'well', says });
const wrong = (says: string): Verdict => ({ is: 'wrong', says });
const note = (says: string): Verdict => ({ is: 'note', says });

const otherPort = 'If the site runs with another PORT, please set the same one here.';

/** Whether the site is running and ready. Call it before this process opens the data folder. */
export async function siteFinding(env: Env): Promise<Finding> {
  return { name: 'site', ...(await siteVerdict(env)) };
}

async function siteVerdict(env: Env): Promise<Verdict> {
  const { DATA_DIR, DATABASE_URL } = env;
  // On PostgreSQL there is no folder lock, and only this machine's instance is visible.
  if (DATABASE_URL === undefined && !isSiteRunning(DATA_DIR)) {
    return wrong(`The site is not running on ${DATA_DIR}. To start it: npm start`);
  }
  const { address, status } = await probeSite(env);
  if (status === 200) return well(`The site is running at ${address}.`);
  if (status === undefined && DATABASE_URL !== undefined) {
    return wrong(`No site answers at ${address}. To start it: npm start. ${otherPort}`);
  }
  if (status === undefined) {
    return wrong(`A site is running on ${DATA_DIR}, but none answers at ${address}. ${otherPort}`);
  }
  if (status !== 503) {
    return wrong(`Another program answers at ${address} (status ${status}). ${otherPort}`);
  }
  return wrong(
    'The site is running but cannot write to its database, so it cannot save messages. ' +
      'Its log says why.',
  );
}

/** The site's local address and the status of its `/readyz`; undefined without a response. */
export async function probeSite({ PORT, HOST }: Env) {
  const address = `http://${connectHost(HOST)}:${PORT}`;
  const status = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (response) => response.status,
    () => undefined,
  );
  return { address, status };
}

/** The host to connect to for a server that listens on `host`. */
function connectHost(host: string | undefined): string {
  if (host === undefined || host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** That connections cannot be read with the secrets of this environment. */
export function connectionFindings(unreadable: readonly ConnectionName[]): Finding[] {
  const says = unreadableSentence(unreadable);
  return says === undefined ? [] : [{ name: 'connections', ...wrong(says) }];
}

/** Every other finding but the site's, the most urgent first. */
export async function dataFindings(
  env: Env,
  stores: Stores,
  { timeZone, now }: { timeZone: string; now: number },
): Promise<Finding[]> {
  const { DATA_DIR: folder, DATABASE_URL: url } = env;
  const calls = await stores.elsewhere.lastReports();
  const verdicts: [name: string, Verdict | undefined][] = [
    ['messages', await messagesVerdict(stores)],
    ['mail', await mailVerdict(env, stores, now)],
    ['webhooks', await webhooksVerdict(env, stores, now)],
    ['bookings', await bookingsVerdict(stores, { timeZone, now })],
    ['flood', await floodVerdict(env, stores, now)],
    ['calendly', env.CALENDLY_WEBHOOK_SECRET && callsVerdict('Calendly', calls?.calendly)],
    ['cal', env.CAL_WEBHOOK_SECRET && callsVerdict('Cal.com', calls?.cal)],
    ['calendars', await calendarsVerdict(env, stores, now)],
    ['visits', await visitsVerdict(stores, now)],
    ['stripe', await stripeVerdict(env, stores)],
    ['files', url === undefined ? lossVerdict(folder, now) : undefined],
    ['backup', url === undefined ? backupVerdict(folder, now) : serverBackupVerdict(env)],
    ['night', await nightVerdict(stores, folder, now)],
    ['disk', url === undefined ? diskVerdict(folder) : undefined],
    [
      'database',
      url === undefined
        ? note(`The database has ${databaseSize(folder)}, ${schema}.`)
        : note(`The data is in ${nameOf(env)}, ${schema}.`),
    ],
  ];
  return verdicts.flatMap(([name, verdict]) => (verdict ? { name, ...verdict } : []));
}

const schema = `schema ${schemaVersion}`;

const databaseSize = (folder: string) => inMegabytes(sizeOf(databaseFile(folder)));

const format = (time: number) => localTime.format(time);

async function messagesVerdict({ contact }: Stores): Promise<Verdict> {
  const [last] = await contact.list({ limit: 1 });
  if (!last) return note('There are no messages yet.');
  const all = pluralize(await contact.count(), 'message');
  return note(`The last message arrived ${format(last.receivedAt)}; ${all} in total.`);
}

async function mailVerdict(
  { SMTP_URL }: Env,
  { mail, isDemo }: Stores,
  now: number,
): Promise<Verdict> {
  if (await isDemo()) return note('The data is made up by the command demo, so nothing is sent.');
  if (SMTP_URL === undefined) {
    return note('No mail server is set. To read messages here: npm run admin -- messages');
  }
  return queueVerdict(mail, now, {
    late: delayOf,
    never: 'No email was sent yet',
    last: 'The last email was sent',
  });
}

async function webhooksVerdict({ WEBHOOK_URL }: Env, { webhooks }: Stores, now: number) {
  if (WEBHOOK_URL === undefined) return undefined;
  return queueVerdict(webhooks, now, {
    late: undeliveredOf,
    never: 'The receiver of your webhooks got no event yet',
    last: 'The receiver of your webhooks got its last event',
  });
}

async function queueVerdict(
  queue: Pick<OutboxQueue<unknown>, 'overdue' | 'state' | 'lastSent'>,
  now: number,
  words: { late: typeof delayOf; never: string; last: string },
): Promise<Verdict> {
  const overdue = await queue.overdue(now);
  if (overdue) return wrong(words.late(overdue, now));
  const { waiting } = await queue.state();
  const last = await queue.lastSent();
  const sent = last === undefined ? words.never : `${words.last} ${format(last)}`;
  return well(`${sent}; ${waiting} waiting.`);
}

/** That visitors cannot book. */
async function bookingsVerdict(
  { bookings }: Stores,
  { timeZone, now }: { timeZone: string; now: number },
) {
  const pause = await bookings.pause(siteQuotas, now);
  return pause && wrong(pausedSentence(pause, timeZone));
}

/** That the contact form is flooded. */
async function floodVerdict({ SMTP_URL }: Env, { contact }: Stores, now: number) {
  const flood = floodSentence(await contact.flood(now), SMTP_URL !== undefined);
  return flood === undefined ? undefined : wrong(flood);
}

/** What a calendar elsewhere, whose webhook is connected, reported last. */
const callsVerdict = (service: string, last: number | null | undefined) =>
  last
    ? well(`${service} reported its last call ${format(last)}.`)
    : note(`${service} has reported no calls yet.`);

async function calendarsVerdict({ BUSY_CALENDARS }: Env, { busy }: Stores, now: number) {
  if (BUSY_CALENDARS === undefined) return undefined;
  const alert = await calendarAlert(busy, BUSY_CALENDARS, now);
  return alert ? wrong(alert) : well('No calendar of yours failed to be read.');
}

async function visitsVerdict({ analytics }: Stores, now: number): Promise<Verdict> {
  const last = await analytics.lastView(now);
  return note(
    last === undefined
      ? 'No visitors were counted yet.'
      : `The last visitor was counted ${format(last)}.`,
  );
}

async function stripeVerdict(env: Env, { payments }: Stores): Promise<Verdict> {
  if (env.STRIPE_WEBHOOK_SECRET === undefined && env.STRIPE_API_KEY === undefined) {
    return note('Stripe is not connected.');
  }
  const last = await payments.newest();
  if (last === undefined) return note('Stripe has sent no events yet.');
  return well(`The last event from Stripe happened ${format(last)}.`);
}

/** That files of the database were lost, as on the dashboard. */
function lossVerdict(folder: string, now: number) {
  const alert = lossAlert({ folder, backups: backupFolder(folder) }, { now, format });
  return alert === undefined ? undefined : wrong(alert);
}

function backupVerdict(folder: string, now: number): Verdict {
  const backups = backupsIn(folder).filter(({ file }) => !isRescued(file));
  const [last] = backups;
  const hint = 'To make one now: npm run admin -- backup';
  if (!last) {
    if (ageOf(folder, now) < staleAge) {
      return note('There is no backup yet: the first is made some minutes after the start.');
    }
    return wrong(`There is no backup. ${hint}`);
  }
  const sentence = `The last backup was made ${format(last.at)} (${inMegabytes(last.bytes)}); ${pluralize(backups.length, 'backup')} kept.`;
  return now - last.at < staleAge ? well(sentence) : wrong(`${sentence} ${hint}`);
}

/** A database server's own backups and its disk cannot be checked from here. */
function serverBackupVerdict(env: Env): Verdict {
  const [last] = backupsIn(env.DATA_DIR);
  const own = last
    ? ` The last backup file here was made ${format(last.at)} (${inMegabytes(last.bytes)}).`
    : '';
  return note(
    `The site does not back up ${nameOf(env)}: please make sure that its server does, with pg_dump or ` +
      `point-in-time recovery.${own} To make a backup file now: npm run admin -- backup`,
  );
}

async function nightVerdict(
  { nightlyLease }: Stores,
  folder: string,
  now: number,
): Promise<Verdict> {
  const last = await nightlyLease.read();
  if (!last) {
    if (ageOf(folder, now) < staleAge) return note('The nightly job has not run yet.');
    return wrong('The nightly job has never run: the site must run for some minutes a day.');
  }
  if (last.problems.length > 0) return wrong(last.problems.join(' '));
  const sentence = `The figures were recounted ${format(last.at)}, and add up.`;
  return now - last.at < staleAge
    ? well(sentence)
    : wrong(`${sentence} The nightly job has not run since.`);
}

/**
 * The ms since a program first opened the folder; 0 when none did. Not every file system stores when the
 * database was created, and each write changes its time of modification.
 */
function ageOf(folder: string, now: number): number {
  const file = lockFile(folder);
  return existsSync(file) ? now - statSync(file).mtimeMs : 0;
}

/** Bytes that must be free besides the space for the next backup. */
const reserve = 256 * 1024 * 1024;

function diskVerdict(folder: string): Verdict {
  const free = freeBytesIn(folder);
  const sentence = `The disk has ${inMegabytes(free)} left.`;
  return free < 2 * sizeOf(databaseFile(folder)) + reserve
    ? wrong(`${sentence} Please free some space: messages cannot be saved on a full disk.`)
    : well(sentence);
}
