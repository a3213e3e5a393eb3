/** Background jobs, from the start until the site is closed. */

import { site as siteConfig } from '../../site.config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { createExcludedCounts } from '../analytics/excluded-counts.ts';
import { dayOf } from '../analytics/time-window.ts';
import { siteQuotas } from '../booking/booking.ts';
import { readCalendars } from '../booking/busy/calendars.ts';
import type { Calls } from '../booking/calls.ts';
import { type EmailOptions, pausedSentence } from '../booking/emails.ts';
import { remindVisitors } from '../booking/reminders.ts';
import { floodSentence, reportMessages } from '../contact/email.ts';
import { testDaily } from '../contact/self-test.ts';
import { type SpamQuota, spamQuotaSentence } from '../contact/spam-quota.ts';
import { clockSkew } from '../database/clock-skew.ts';
import { type OutboxWorker, startOutboxWorker } from '../email/outbox-worker.ts';
import { createSmtp, senderAddress } from '../email/smtp.ts';
import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import { type Disk, diskSentence } from '../health/disk-space.ts';
import { lossAlert } from '../health/file-loss.ts';
import { createOwnerAlerts, inWords } from '../health/owner-alerts.ts';
import type { ProxyMonitor } from '../health/proxy-monitor.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Log } from '../log.ts';
import { startNightlyJob } from '../maintenance/nightly.ts';
import { createRetention } from '../maintenance/retention.ts';
import { repeat } from '../repeat.ts';
import { reportHourly } from '../reports/reporter.ts';
import type { MailServer } from '../settings/services.ts';
import { testEmail } from '../settings/test-email.ts';
import type { StripeEndpoint } from '../stripe/api.ts';
import type { IngestOptions } from '../stripe/ingest.ts';
import { rebuildSales } from '../stripe/rebuild.ts';
import { startStripeSync } from '../stripe/sync.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { announceAlerts } from '../webhooks/alerts.ts';
import { backupFolder } from './data-folder.ts';
import type { Stores } from './stores.ts';

export interface BackgroundOptions {
  env: Env;
  stores: Stores;
  /** When the owner takes calls, and the key that signs the links of bookings. */
  calls: Calls;
  bookingKey: () => Promise<Buffer>;
  /** The name and the place of a call. */
  callOf: EmailOptions['callOf'];
  /** How payments are ingested, and where Stripe's API is. */
  ingest: IngestOptions;
  stripeEndpoint: StripeEndpoint | undefined;
  /** Makes the nightly backup; undefined: no backup is made. */
  backUp: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Delivers events to the owner's receiver; undefined without one. */
  webhooks: OutboxWorker | undefined;
  disk: Disk;
  spamQuota: SpamQuota;
  proxyMonitor: Pick<ProxyMonitor, 'alert'>;
  /** The recipients of emails; undefined without a mail server. */
  recipients: readonly string[] | undefined;
  now: () => number;
  log: Log;
}

/** Starts all background jobs. Returns what requests need of them. */
export function startBackground(options: BackgroundOptions) {
  const { env, stores, ingest, now, log } = options;
  const { analytics, payments } = stores;
  const stopDeleting = deleteVisitorsDaily(stores, now, log);
  const stopCounting = countButtons(analytics, log);
  const stopRebuilding = rebuildSales({ ...ingest, sales: stores.sales });
  const stripe = startStripeSync({
    apiKey: env.STRIPE_API_KEY,
    endpoint: options.stripeEndpoint,
    currency: analytics.currency,
    hasWebhook: env.STRIPE_WEBHOOK_SECRET !== undefined,
    ...ingest,
  });
  const nightly = startNightlyJob({
    analytics,
    sales: stores.sales,
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
  const excludedCounts = createExcludedCounts({ store: analytics, now, log });
  const busy = readCalendars({
    store: stores.busy,
    addresses: env.BUSY_CALENDARS ?? [],
    timeZone: options.calls.timeZone,
    sendEmail: mail && ((email) => stores.mail.queue(email, now())),
    now,
    log,
  });
  // The command `demo` may fill the database of a running site.
  const stopDemoCheck = repeat(
    minuteMs,
    async () => {
      if (!(await stores.isDemo())) return;
      stopDemoCheck();
      stripe.stop();
      await busy.stop();
    },
    (error) => log.error({ error }, 'demo data: could not look for them; will retry'),
  );
  const lossTime = new Intl.DateTimeFormat('en-US', {
    timeZone: options.calls.timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const currentLossAlert = () =>
    lossAlert(
      { folder: env.DATA_DIR, backups: backupFolder(env.DATA_DIR) },
      { now: now(), format: (at) => lossTime.format(at) },
    );
  const currentAlerts = async () =>
    createOwnerAlerts({
      storage: storageErrorSentence(stores.lastError()),
      files: env.DATABASE_URL === undefined ? currentLossAlert() : undefined,
      nightly: await nightly.alert(),
      stripe: await stripe.report(),
      mail: mail && (await stores.mail.overdue(now())),
      webhooks: options.webhooks && (await stores.webhooks.overdue(now())),
      disk: diskSentence(await options.disk.used()),
      // A damaged table must not hide the sentence that says so.
      flood: await stores.contact.flood(now()).then(
        (flood) => floodSentence(flood, mail !== undefined),
        () => undefined,
      ),
      spam: await options.spamQuota.used().then(spamQuotaSentence, () => undefined),
      calendars: await busy.alert().catch(() => undefined),
      paused: await stores.bookings.pause(siteQuotas, now()).then(
        (pause) =>
          pause && `${pausedSentence(pause, options.calls.timeZone)} Look at them under Bookings.`,
        () => undefined,
      ),
      proxy: options.proxyMonitor.alert(),
      now: now(),
    });
  const stopAlerting =
    options.webhooks &&
    announceAlerts({ currentAlerts, store: stores.webhooks, worker: options.webhooks, now, log });

  return {
    stripe,
    outboxWorker: mail?.outboxWorker,
    mailServer: mail?.mailServer,
    /** What the emails about bookings say; undefined without a mail server. */
    bookingEmails: mail?.bookingEmails,
    exclude: excludedCounts.add,
    busyTimesAt: busy.upToDateAt,
    /** The current owner alerts, or null. */
    ownerAlerts: async () => inWords(await currentAlerts()),
    /** Stops all jobs after storing pending counts. */
    async stop() {
      stopDeleting();
      stopDemoCheck();
      stripe.stop();
      nightly.stop();
      stopAlerting?.();
      await Promise.all([
        ...[excludedCounts.stop(), mail?.stop(), options.webhooks?.stop(), busy.stop()],
        ...[stopCounting(), stopRebuilding()],
      ]);
    },
  };
}

/** Timeout of each step of a test email, in ms: the owner waits for the result in the browser. */
const testTimeoutMs = 4000;

/** Counts the buttons of rows from before they were counted. Returns the function that stops it. */
function countButtons({ countButtons }: Stores['analytics'], log: Log): () => Promise<void> {
  const stopping = new AbortController();
  const running = countButtons(stopping.signal).then(
    (counters) => {
      if (counters > 0) log.info({ counters }, 'analytics: counted the buttons of earlier clicks');
    },
    (error: unknown) =>
      log.error({ error }, 'analytics: could not count buttons; the nightly job tries again'),
  );
  return () => {
    stopping.abort();
    return running;
  };
}

/** Starts the outbox worker and the jobs that send emails; undefined without a mail server. */
function startMail({
  env,
  stores,
  calls,
  callOf,
  bookingKey,
  recipients,
  now,
  log,
}: BackgroundOptions) {
  if (env.SMTP_URL === undefined || recipients === undefined) return undefined;
  const { timeZone } = calls;
  const brand = { name: siteConfig.brand.name, lines: siteConfig.colours.lines };
  const smtp = {
    url: env.SMTP_URL,
    from: env.EMAIL_FROM,
    to: recipients,
    brand,
    origin: env.PUBLIC_URL,
  };
  const outboxWorker = startOutboxWorker({
    store: stores.mail,
    deliver: createSmtp(smtp),
    now,
    log,
  });
  const deliverTest = createSmtp({ ...smtp, timeoutMs: testTimeoutMs });
  const mailServer: MailServer = {
    host: new URL(smtp.url).hostname,
    recipients,
    sendTest: () => deliverTest(testEmail(now())),
  };
  const { analytics, bookings, contact, mail } = stores;
  const address = env.PUBLIC_URL;
  const owner = { name: brand.name, address: senderAddress(smtp) };
  const replyTo = { name: brand.name, address: recipients[0] ?? owner.address };
  const bookingEmails: Omit<EmailOptions, 'key'> = {
    owner,
    replyTo,
    timeZone,
    callOf,
    origin: address,
  };
  const stops = [
    reportHourly({ analytics, outbox: mail, outboxWorker, timeZone, address, now, log }),
    reportMessages({ contact, outboxWorker, address, now, log }),
    testDaily({ contact, mail, outboxWorker, now, log }),
    remindVisitors({ bookings, key: bookingKey, outboxWorker, emails: bookingEmails, now, log }),
  ];
  return {
    outboxWorker,
    mailServer,
    bookingEmails,
    async stop() {
      for (const stop of stops) stop();
      await outboxWorker.stop();
    },
  };
}

/** The recipients of emails: CONTACT_TO, or the address in site.config.ts; undefined without a mail server. */
export function recipientsOf({ SMTP_URL, CONTACT_TO }: Env): readonly string[] | undefined {
  if (SMTP_URL === undefined) return undefined;
  if (CONTACT_TO) return CONTACT_TO;
  const email = withAsciiDomain(siteConfig.brand.email);
  if (!isPlaceholder(`https://${email.replace(/.*@/, '')}`)) return [email];
  throw new AppError(
    'INVALID_ENVIRONMENT',
    'CONTACT_TO must name your e-mail address, since that in site.config.ts is a sample. ' +
      'For example: CONTACT_TO=me@my-domain.com',
  );
}

/**
 * How often visitors of past days are deleted, in ms: within an hour after midnight, but not before every
 * instance's clock has passed it.
 */
const deleteEvery = hourMs - clockSkew;

/** Periodically deletes what distinguishes visitors of past days, and expired rate limit counts. */
const deleteVisitorsDaily = (
  { analytics, uses }: Stores,
  now: () => number,
  log: Log,
): (() => void) =>
  repeat(
    deleteEvery,
    // Another instance's clock may still be in yesterday, and it needs the visitors it has counted.
    () =>
      Promise.all([
        analytics.deleteVisitorKeys(dayOf(now() - clockSkew)),
        uses?.deleteExpired(now()),
      ]),
    (error) =>
      log.error({ error }, 'visitors: could not delete those of past days; retrying in an hour'),
  );
