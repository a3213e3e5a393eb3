/** What works by itself beside the requests, from the start until the site is closed. */
import { site as siteConfig } from '../../site.config.ts';
import { createExcludedCounts } from '../analytics/excluded-counts.ts';
import { dayOf } from '../analytics/visitors.ts';
import { monitorFrames, type Pace } from '../booking/frame-monitor.ts';
import { floodSentence } from '../contact/flood.ts';
import { summarizeHourly } from '../contact/flood-summary.ts';
import { testDaily } from '../contact/self-test.ts';
import { type SpamQuota, spamQuotaSentence } from '../contact/spam-quota.ts';
import { reportSpamDaily } from '../contact/spam-report.ts';
import { isPlaceholder } from '../contract/placeholder.ts';
import { clockSkew } from '../database/clock-skew.ts';
import { startOutboxWorker } from '../email/outbox-worker.ts';
import { createSmtp } from '../email/smtp.ts';
import { BadEnvironment, type Env } from '../env.ts';
import { type Disk, diskSentence } from '../health/disk-space.ts';
import { createOwnerAlerts } from '../health/owner-alerts.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Pages } from '../http/pages.ts';
import type { Log } from '../log.ts';
import { startNightlyJob } from '../maintenance/nightly.ts';
import { createRetention } from '../maintenance/retention.ts';
import { reportHourly } from '../reports/reporter.ts';
import type { StripePlace } from '../stripe/api.ts';
import type { IngestOptions } from '../stripe/ingest.ts';
import { startStripeSync } from '../stripe/sync.ts';
import type { Stores } from './stores.ts';

export interface BackgroundOptions {
  env: Env;
  stores: Stores;
  pages: Pages;
  /** The calendars that are looked after, and how often. */
  calendars: Record<string, string>;
  calendarPace: Pace | undefined;
  /** How payments are taken in, and where Stripe is. */
  intake: IngestOptions;
  stripePlace: StripePlace | undefined;
  /** Makes the backup of a night; undefined: none is made. */
  backUp: ((signal: AbortSignal) => Promise<void>) | undefined;
  disk: Disk;
  spamRoom: SpamQuota;
  /** Who gets letters; undefined: there is no mail server. */
  readers: readonly string[] | undefined;
  now: () => number;
  log: Log;
}

/** Starts all of it; what the answer holds is for the requests. */
export function startBackground(options: BackgroundOptions) {
  const { env, stores, pages, calendars, intake, now, log } = options;
  const { analytics, payments } = stores;
  const stopForgetting = forgetVisitors(stores, now, log);
  let refused = '';
  const stopGuarding = monitorFrames({
    calendars,
    origin: env.PUBLIC_URL,
    log,
    async changed(names) {
      const next = names.join(' ');
      // Ready before it is shown: no visitor waits for its compression.
      await pages.prepare(next, env.PUBLIC_URL);
      refused = next;
    },
    pace: options.calendarPace,
  });
  const stripe = startStripeSync({
    apiKey: env.STRIPE_API_KEY,
    api: options.stripePlace,
    hasWebhook: env.STRIPE_WEBHOOK_SECRET !== undefined,
    ...intake,
  });
  const nightly = startNightlyJob({
    analytics,
    payments,
    keepDays: env.KEEP_ACTIVITY_DAYS,
    backUp: options.backUp,
    lease: stores.night,
    recordsRuns: options.backUp !== undefined || env.DATABASE_URL !== undefined,
    retention: createRetention({ env, stores, now, log }),
    now,
    log,
  });
  const mail = startMail(options);
  const tally = createExcludedCounts({ store: analytics, now, log });

  return {
    stripe,
    postman: mail?.postman,
    leaveOut: tally.add,
    /** Names of the calendars that cannot be framed now. */
    refusedCalendars: () => refused,
    /** What the owner must know of at once. */
    trouble: async () =>
      createOwnerAlerts({
        storage: storageErrorSentence(stores.lastError()),
        nightly: await nightly.alert(),
        stripe: await stripe.report(),
        mail: mail && (await stores.mail.state()),
        test: mail && (await stores.mail.waitingTest()),
        disk: diskSentence(await options.disk.used()),
        // A damaged table must not hide the sentence that says so.
        flood: await stores.contact.flood(now()).then(
          (flood) => floodSentence(flood, mail !== undefined),
          () => undefined,
        ),
        spam: await options.spamRoom.used().then(spamQuotaSentence, () => undefined),
        now: now(),
      }),
    /** Ends all of it; what was counted is written down first. */
    async stop() {
      stopForgetting();
      stopGuarding();
      stripe.stop();
      nightly.stop();
      await Promise.all([tally.stop(), mail?.stop()]);
    },
  };
}

/** Letters to the owner, where there is a mail server. */
function startMail({ env, stores, readers, now, log }: BackgroundOptions) {
  if (env.SMTP_URL === undefined || readers === undefined) return undefined;
  const postman = startOutboxWorker({
    store: stores.mail,
    deliver: createSmtp({ url: env.SMTP_URL, to: readers, name: siteConfig.brand.name }),
    now,
    log,
  });
  const { analytics, contact, mail } = stores;
  const address = env.PUBLIC_URL;
  const stops = [
    reportHourly({ analytics, mail, postman, address, now, log }),
    reportSpamDaily({ contact, outboxWorker: postman, address, now, log }),
    summarizeHourly({ contact, outboxWorker: postman, address, now, log }),
    testDaily({ contact, mail, outboxWorker: postman, now, log }),
  ];
  return {
    postman,
    async stop() {
      for (const stop of stops) stop();
      await postman.stop();
    },
  };
}

/** Who gets letters: whom the owner has named, or the site's own address. */
export function readersOf({ SMTP_URL, CONTACT_TO }: Env): readonly string[] | undefined {
  if (SMTP_URL === undefined) return undefined;
  if (CONTACT_TO) return CONTACT_TO;
  const { email } = siteConfig.brand;
  if (!isPlaceholder(`https://${email.replace(/.*@/, '')}`)) return [email];
  throw new BadEnvironment(
    'CONTACT_TO must name your e-mail address, since that in site.config.ts is a sample. ' +
      'For example: CONTACT_TO=me@my-domain.com',
  );
}

/**
 * How often visitors of past days are forgotten: at the latest an hour after midnight, though not before it
 * is midnight by every clock.
 */
const forgetEvery = 60 * 60_000 - clockSkew;

/** Deletes what could tell visitors of past days, or whoever tried something, apart: now and again. */
function forgetVisitors({ analytics, uses }: Stores, now: () => number, log: Log): () => void {
  const forget = () => {
    // Another instance may be in yesterday still, and must know whom it has counted there.
    const today = dayOf(now() - clockSkew);
    const forgotten = Promise.all([analytics.forgetVisitors(today), uses?.deleteExpired(now())]);
    forgotten.catch((error: unknown) => {
      log.error(
        { error },
        'the visitors of past days could not be forgotten; trying again in an hour',
      );
    });
  };
  forget();
  const timer = setInterval(forget, forgetEvery);
  timer.unref();
  return () => clearInterval(timer);
}
