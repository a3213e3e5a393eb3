/** The findings of `npm run admin -- status`, in sentences for the owner. */
import { existsSync, statSync } from 'node:fs';
import { site as siteConfig } from '../../../site.config.ts';
import { delayOf, undeliveredOf } from '../../app/owner-alerts.ts';
import { siteQuotas } from '../../booking/booking.ts';
import { calendarAlert } from '../../booking/busy/calendars.ts';
import { pausedSentence } from '../../booking/emails.ts';
import { floodSentence } from '../../contact/email.ts';
import { inMegabytes, pluralize } from '../../contract/numbers.ts';
import { freeBytesIn, sizeOf } from '../../database/files.ts';
import { schemaVersion } from '../../database/migrate.ts';
import { isSiteRunning, lockFile } from '../../database/sqlite/folder-lock.ts';
import { isRescued } from '../../database/sqlite/rescue.ts';
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
    return wrong(
      `No site answers at ${address}. To start it: npm start. ` +
        'If it runs with another PORT, please set the same one here.',
    );
  }
  if (status === undefined) {
    return wrong(
      `A site is running on ${DATA_DIR}, but none answers at ${address}. ` +
        'If it runs with another PORT, please set the same one here.',
    );
  }
  if (status !== 503) {
    return wrong(
      `Another program answers at ${address} (status ${status}). If the site runs with another PORT, please set ` +
        'the same one here.',
    );
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

/** Every finding but the site's, the most urgent first. */
export async function dataFindings(env: Env, stores: Stores, now: number): Promise<Finding[]> {
  const folder = env.DATA_DIR;
  return [
    { name: 'messages', ...(await messagesVerdict(stores)) },
    { name: 'mail', ...(await mailVerdict(env, stores, now)) },
    ...(env.WEBHOOK_URL === undefined
      ? []
      : [{ name: 'webhooks', ...(await webhooksVerdict(stores, now)) }]),
    ...(await floodFindings(env, stores, now)),
    ...(await callFindings(env, stores)),
    ...(env.BUSY_CALENDARS === undefined
      ? []
      : [{ name: 'calendars', ...(await calendarsVerdict(env.BUSY_CALENDARS, stores, now)) }]),
    { name: 'visits', ...(await visitsVerdict(stores, now)) },
    { name: 'stripe', ...(await stripeVerdict(env, stores)) },
    ...(env.DATABASE_URL === undefined
      ? [
          ...lossFindings(folder, now),
          { name: 'backup', ...backupVerdict(folder, now) },
          { name: 'night', ...(await nightVerdict(stores, folder, now)) },
          { name: 'disk', ...diskVerdict(folder) },
          { name: 'database', ...note(`The database has ${databaseSize(folder)}, ${schema}.`) },
        ]
      : [
          { name: 'backup', ...serverBackupVerdict(env) },
          { name: 'night', ...(await nightVerdict(stores, folder, now)) },
          { name: 'database', ...note(`The data is in ${nameOf(env)}, ${schema}.`) },
        ]),
  ];
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
  const overdue = await mail.overdue(now);
  if (overdue) return wrong(delayOf(overdue, now));
  const state = await mail.state();
  const last = await mail.lastSent();
  const sent =
    last === undefined ? 'No email was sent yet' : `The last email was sent ${format(last)}`;
  return well(`${sent}; ${state.waiting} waiting.`);
}

/** That visitors cannot book, or that the contact form is flooded. */
async function floodFindings(
  { SMTP_URL }: Env,
  { bookings, contact }: Stores,
  now: number,
): Promise<Finding[]> {
  const pause = await bookings.pause(siteQuotas, now);
  const flood = floodSentence(await contact.flood(now), SMTP_URL !== undefined);
  return [
    ...(pause
      ? [{ name: 'bookings', ...wrong(pausedSentence(pause, siteConfig.calls.timeZone)) }]
      : []),
    ...(flood ? [{ name: 'flood', ...wrong(flood) }] : []),
  ];
}

async function webhooksVerdict({ webhooks }: Stores, now: number): Promise<Verdict> {
  const overdue = await webhooks.overdue(now);
  if (overdue) return wrong(undeliveredOf(overdue, now));
  const state = await webhooks.state();
  const last = await webhooks.lastSent();
  const delivered =
    last === undefined
      ? 'The receiver of your webhooks got no event yet'
      : `The receiver of your webhooks got its last event ${format(last)}`;
  return well(`${delivered}; ${state.waiting} waiting.`);
}

/** A finding for each calendar elsewhere whose webhook is connected. */
async function callFindings(env: Env, { elsewhere }: Stores): Promise<Finding[]> {
  const lastReports = await elsewhere.lastReports();
  const services = [
    { name: 'calendly', title: 'Calendly', secrets: env.CALENDLY_WEBHOOK_SECRET },
    { name: 'cal', title: 'Cal.com', secrets: env.CAL_WEBHOOK_SECRET },
  ] as const;
  return services
    .filter(({ secrets }) => secrets !== undefined)
    .map(({ name, title }) => {
      const last = lastReports?.[name];
      const verdict = last
        ? well(`${title} reported its last call ${format(last)}.`)
        : note(`${title} has reported no calls yet.`);
      return { name, ...verdict };
    });
}

async function calendarsVerdict(
  addresses: readonly string[],
  { busy }: Stores,
  now: number,
): Promise<Verdict> {
  const alert = await calendarAlert(busy, addresses, now);
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

/** A finding about lost files of the database, as on the dashboard. */
function lossFindings(folder: string, now: number): Finding[] {
  const alert = lossAlert({ folder, backups: backupFolder(folder) }, { now, format });
  return alert ? [{ name: 'files', ...wrong(alert) }] : [];
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
