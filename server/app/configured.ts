/** The part of a site that depends on its config and its connections: it can be made anew while the site runs. */

import type { RequestListener } from 'node:http';
import { currencyOf, type SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { createSessions } from '../auth/sessions.ts';
import { siteQuotas } from '../booking/booking.ts';
import { readCalendars } from '../booking/busy/calendars.ts';
import { callFields, hasSampleHours } from '../booking/calls.ts';
import { createCalendlyWebhook, createCalWebhook } from '../booking/elsewhere/webhook.ts';
import { type EmailOptions, pausedSentence } from '../booking/emails.ts';
import { createFreeTimes } from '../booking/free-times.ts';
import { createSchedule } from '../booking/schedule.ts';
import { type ReadConnections, unreadableSentence } from '../connections/connections.ts';
import type { ConnectionHealth, ConnectionServices } from '../connections/services.ts';
import type { ConnectionName } from '../connections/values.ts';
import { floodSentence } from '../contact/email.ts';
import { spamQuotaSentence } from '../contact/spam-quota.ts';
import { configOf, filesOf, mistakesIn } from '../content/document.ts';
import type { LiveContent } from '../content/live.ts';
import { dateAndTime } from '../contract/times.ts';
import { withWords } from '../contract/words/words.ts';
import { heldUntil } from '../email/owner-notice.ts';
import type { Env } from '../env.ts';
import { diskSentence } from '../health/disk-space.ts';
import { lossAlert } from '../health/file-loss.ts';
import { storageErrorSentence } from '../health/storage-errors.ts';
import type { Checkout } from '../http/checkout.ts';
import type { Pages } from '../http/pages/pages.ts';
import { hasCallWebhooks } from '../launch-check/calls.ts';
import { createLaunchCheck } from '../launch-check/check.ts';
import type { Finding } from '../launch-check/finding.ts';
import { backupsIn } from '../maintenance/backup/catalog.ts';
import {
  type BackUpTo,
  createBackupDownload,
  downloadProblem,
} from '../maintenance/backup/download.ts';
import { createPeople } from '../maintenance/people.ts';
import { isPublicAddress } from '../outbound/public-address.ts';
import type { OutboundOptions } from '../outbound/request.ts';
import { startStripeSync } from '../sales/stripe/sync.ts';
import { createWebhook } from '../sales/stripe/webhook.ts';
import { backupFolder } from '../stores/data-folder.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import { announceAlerts } from '../webhooks/alerts.ts';
import { startWebhooks } from '../webhooks/worker.ts';
import { createApp } from './app.ts';
import { createTrials } from './connection-trials.ts';
import type { Core } from './core.ts';
import {
  noRecipients,
  noRecipientsSentence,
  recipientMistakes,
  recipientsOf,
  startMail,
} from './mail.ts';
import { createOwnerAlerts, delayOf, inWords, undeliveredOf } from './owner-alerts.ts';
import type { SitePages } from './site-pages.ts';

export interface ConfiguredOptions {
  config: SiteConfig;
  /** What the owner has connected in the browser. */
  connections: ReadConnections;
  changes: Omit<
    ConnectionServices['connections'],
    'try' | 'release' | 'notify' | 'health' | 'paymentLinks'
  >;
  /** Whether it stands in for a published one that cannot be shown: what that one has set stays in the database. */
  isFallback: boolean;
  /** The config of `site.config.ts`. */
  file: SiteConfig;
  live: Pick<LiveContent, 'refresh' | 'alert'>;
  pages: Pages;
  /** Makes the pages of other configs. */
  sitePages: SitePages;
  /** Adds to the pages the texts of versions that these have not shown. */
  findWords: () => Promise<void>;
  /** Whether the sources have changed since the build that runs. */
  isOutdated: () => boolean;
  /** Makes a backup for a download. */
  backUpTo: BackUpTo;
}

/** Starts the request handler, and the jobs that call other servers. */
export async function startConfigured(
  core: Core,
  {
    config,
    connections,
    changes,
    isFallback,
    file,
    live,
    pages,
    sitePages,
    findWords,
    isOutdated,
    backUpTo,
  }: ConfiguredOptions,
) {
  const { stores, isPublic, bookingKey, apiKeys, now, log } = core;
  const { analytics, bookings, contact, payments } = stores;
  /** How to reach addresses that were typed in the browser. */
  const outbound: OutboundOptions = {
    ...{ isAllowed: isPublicAddress, localHosts: core.env.LOCAL_HOSTS },
    ...core.overrides.outbound,
  };
  const isDemo = await stores.isDemo();
  const { env: connectedEnv, typed } = connections;
  const env = isDemo ? disconnected(connectedEnv) : connectedEnv;
  const { calls } = config;
  const words = withWords(config);
  const { timeZone } = calls;
  // A config that cannot be used throws here, before any job has started.
  const schedule = createSchedule(calls, { isOpen: !(isPublic && hasSampleHours(calls)) });
  const recipients = recipientsOf(env, config);
  const hasNoRecipients = env.SMTP_URL !== undefined && recipients === undefined;
  const isFile = config === file && !isFallback;
  // Stored content must not keep the site down.
  if (hasNoRecipients && isFile && !typed.has('email')) throw noRecipients();
  if (!isFallback) {
    await analytics.setCurrency(currencyOf(config));
    await stores.sales.setPaymentLinks(config.paymentLinks);
  }

  const callOf: EmailOptions['callOf'] = (name) => ({
    title: words.bookingPages[callFields[name]],
    place: calls[callFields[name]].place,
  });
  const mail = startMail(core, {
    ...{ env, config, words, recipients, callOf },
    outbound: typed.has('email') ? outbound : undefined,
  });
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets } = env;
  core.saleSettings.hasWebhook = connectedEnv.WEBHOOK_URL !== undefined;
  const webhooks =
    url !== undefined && secrets !== undefined
      ? startWebhooks({
          receiver: { url, secrets, outbound: typed.has('webhook') ? outbound : undefined },
          ...{ store: stores.webhooks, now, log },
        })
      : undefined;
  const ingest = {
    store: payments,
    acceptsTestPayments: !isPublic,
    now,
    onStored: webhooks?.wake,
    log,
  };
  const stripe = startStripeSync({
    apiKey: env.STRIPE_API_KEY,
    endpoint: core.overrides.stripeEndpoint,
    currency: analytics.currency,
    hasWebhook: env.STRIPE_WEBHOOK_SECRET !== undefined,
    ...ingest,
  });
  const busy = readCalendars({
    store: stores.busy,
    addresses: env.BUSY_CALENDARS ?? [],
    ...(typed.has('busyCalendars') && { outbound }),
    timeZone,
    sendEmail: mail && ((email) => stores.mail.queue(email, now())),
    now,
    log,
  });

  /** That the deliveries of a service have the signature of another secret. */
  const refusedBy = (name: 'stripe' | 'calendly' | 'calcom') =>
    core.refusals.sentence(name, changes.setBy(name).at(-1));
  const currentLossAlert = () =>
    lossAlert(
      { folder: env.DATA_DIR, backups: backupFolder(env.DATA_DIR) },
      { now: now(), format: (at) => dateAndTime(at, timeZone) },
    );
  const currentAlerts = async () =>
    createOwnerAlerts({
      storage: storageErrorSentence(stores.lastError()),
      files: env.DATABASE_URL === undefined ? currentLossAlert() : undefined,
      site: live.alert(),
      connections: unreadableSentence(connections.unreadable),
      pictures: pages.alert(),
      recipients: hasNoRecipients ? noRecipientsSentence : undefined,
      nightly: await core.nightlyAlert(),
      stripe: await stripe.report(),
      mail: mail && (await stores.mail.overdue(now())),
      webhooks: webhooks && (await stores.webhooks.overdue(now())),
      disk: diskSentence(await core.disk.used()),
      // A damaged table must not hide the sentence that says so.
      flood: await contact.flood(now()).then(
        (flood) => floodSentence(flood, mail !== undefined),
        () => undefined,
      ),
      spam: await core.spamQuota.used().then(spamQuotaSentence, () => undefined),
      deliveries: inSentences(refusedBy('stripe'), refusedBy('calendly'), refusedBy('calcom')),
      calendars: await busy.alert().catch(() => undefined),
      paused: await bookings.pause(siteQuotas, now()).then(
        (pause) => pause && `${pausedSentence(pause, timeZone)} Look at them under Bookings.`,
        () => undefined,
      ),
      proxy: core.proxyMonitor.alert(),
      now: now(),
    });
  const health: Record<ConnectionName, () => Promise<ConnectionHealth | undefined>> = {
    async email() {
      if (hasNoRecipients) return { problem: noRecipientsSentence };
      const overdue = mail && (await stores.mail.overdue(now()));
      return { problem: overdue && delayOf(overdue, now()) };
    },
    async stripe() {
      const report = await stripe.report();
      return {
        checkedAt: report?.reconciliation?.at ?? report?.lastEventAt,
        lastEventAt: report?.lastEventAt,
        problem: inSentences(report?.alert, refusedBy('stripe')),
      };
    },
    async busyCalendars() {
      return {
        checkedAt: (await busy.upToDateAt()) ?? undefined,
        problem: await busy.alert(),
        items: await busy.health(),
      };
    },
    async webhook() {
      const overdue = webhooks && (await stores.webhooks.overdue(now()));
      return { problem: overdue && undeliveredOf(overdue, now()) };
    },
    calcom: async () => ({ problem: refusedBy('calcom') }),
    calendly: async () => ({ problem: refusedBy('calendly') }),
  };
  const trials = createTrials(core, { config, outbound });
  const stopAlerting =
    webhooks &&
    announceAlerts({ currentAlerts, store: stores.webhooks, worker: webhooks, now, log });

  const calendars = calendarsOf(config);
  const checkout = checkoutOf(config, core);
  const counting = {
    countVisitor: core.countVisitor,
    exclude: core.exclude,
    ignoredReferrers: hostsOf([...Object.values(calendars), config.links.checkout, env.PUBLIC_URL]),
    now,
  };
  const hasWebhooks = hasCallWebhooks(calendars, env);
  const elsewhere = {
    store: stores.elsewhere,
    // Without calendars on the page, only webhooks know of calls elsewhere.
    isCounted: hasWebhooks || Object.keys(calendars).length === 0,
    now,
    log,
  };
  const contactEmail = withAsciiDomain(config.brand.email);

  const handler: RequestListener = createApp({
    services: {
      content: {
        store: stores.content,
        photos: stores.photos,
        file,
        isPinned: env.SITE_CONTENT === 'file',
        mistakesIn: (document, photos) => [
          ...mistakesIn(document, filesOf(file, pages.has, photos)),
          ...recipientMistakes(env, document),
        ],
        prepare: async (document) => {
          const next = configOf(document);
          if (!next) return;
          const photos = await stores.photos.photosIn(next);
          await sitePages.of({ config: next, photos }, { env, readPhoto: stores.photos.read });
        },
        showLive: live.refresh,
      },
      connections: {
        ...changes,
        try: trials.try,
        release: trials.release,
        async notify(name, { at }) {
          if (name === 'email') await mail?.sendHeld(heldUntil(at));
          else mail?.outboxWorker.wake();
        },
        paymentLinks: () => trials.paymentLinks(env.STRIPE_API_KEY),
        health: async (name) => (await health[name]()) ?? {},
      },
      people: createPeople(stores, { now }),
      contact,
      spamQuota: core.spamQuota,
      bookings,
      schedule,
      freeTimes: createFreeTimes({ bookings, schedule, changes: stores.busyTimeWrites, now }),
      bookingKey,
      words,
      callOf,
      bookingEmails: mail?.bookingEmails,
      busyTimesAt: busy.upToDateAt,
      analytics,
      sales: stores.sales,
      passwords: core.passwords,
      brandName: config.brand.name,
      isPasswordFixed: env.ADMIN_PASSWORD !== undefined,
      limiter: core.limiter,
      messageLimiter: core.messageLimiter,
      loginThrottle: core.loginThrottle,
      setup: core.setup,
      signInLog: core.signInLog,
      ownerLog: stores.auth.entries,
      ...counting,
      ownerAlerts: async () => inWords(await currentAlerts()),
      isDemo: stores.isDemo,
      outboxWorker: mail?.outboxWorker,
      webhooks,
      hasCallWebhooks: hasWebhooks,
      stripe: stripe.report,
      apiKeys,
      launchCheck: createLaunchCheck({
        site: config,
        isFile,
        env: connectedEnv,
        envFile: '.env',
        countTestSales: payments.countTestSales,
        isDemo: stores.isDemo,
        hasReportKey: core.hasReportKey,
        buildFindings: () => (isOutdated() ? [outdated] : []),
        // The owner waits in the browser.
        network: { timeoutMs: 4000, ...core.overrides.outbound },
      }),
      mailServer: mail?.mailServer,
      backups: () => ({
        isNightly: env.DATABASE_URL === undefined,
        files: env.DATABASE_URL === undefined ? backupsIn(env.DATA_DIR) : [],
        problem: downloadProblem(env),
      }),
    },
    pages,
    preview: (shown, page, scheme) => sitePages.preview(shown, page, { env, scheme }),
    loadPhoto: core.loadPhoto,
    findWords,
    session: {
      sessions: createSessions({ store: stores.auth, now, outbox: mail?.outboxWorker }),
      devices: core.devices,
      keys: core.keys,
      secure: isPublic,
    },
    openBackup: createBackupDownload({ location: env, backUpTo, now }),
    deliveries: {
      stripe: core.refusals.watch('stripe', env.STRIPE_WEBHOOK_SECRET, (secrets) =>
        createWebhook({ secrets, onDelivery: stripe.recordDelivery, ...ingest }),
      ),
      calendly: core.refusals.watch('calendly', env.CALENDLY_WEBHOOK_SECRET, (secrets) =>
        createCalendlyWebhook({ ...elsewhere, secrets }),
      ),
      cal: core.refusals.watch('calcom', env.CAL_WEBHOOK_SECRET, (secrets) =>
        createCalWebhook({ ...elsewhere, secrets }),
      ),
    },
    checkout,
    securityContact: isPlaceholder(contactEmail.replace(/.*@/, '')) ? undefined : contactEmail,
    log,
    outages: core.outages,
    proxyMonitor: core.proxyMonitor,
    trustProxy: env.TRUST_PROXY,
    publicOrigin: env.PUBLIC_URL,
    isReady: core.isReady,
    metrics: core.metrics,
    metricsGuard: {
      key: env.METRICS_KEY,
      trustsMachine: !env.PUBLIC_URL && !env.TRUST_PROXY && !env.METRICS_KEY,
    },
    state: async () => ({
      ...stores.work(),
      // Metrics must stay available during a database outage.
      mail: await stores.mail.state().catch(() => undefined),
    }),
  });
  return {
    handler,
    /** Whether the data are made up, so that nothing is sent. */
    isDemo,
    /** Stops its jobs. Requests that it handles still finish. */
    async stop(): Promise<void> {
      stripe.stop();
      stopAlerting?.();
      await Promise.all([mail?.stop(), webhooks?.stop(), busy.stop()]);
    },
  };
}

/** The environment of a site with made-up data: it sends nothing and calls no other server. */
const disconnected = (env: Env): Env => ({
  ...env,
  SMTP_URL: undefined,
  WEBHOOK_URL: undefined,
  STRIPE_API_KEY: undefined,
  BUSY_CALENDARS: undefined,
});

/** The finding on a site that runs without the owner's last changes. */
const outdated: Finding = {
  kind: 'todo',
  where: 'The running site',
  text: 'is older than your changes. Restart it: npm start',
};

/** The connected calendars, without placeholders. */
const calendarsOf = ({ schedulers }: SiteConfig) =>
  Object.fromEntries(Object.entries(schedulers).filter(([, address]) => !isPlaceholder(address)));

/** The checkout, with its key fetched in advance; undefined for a placeholder. */
function checkoutOf({ links }: SiteConfig, { attributionKey }: Core): Checkout | undefined {
  if (isPlaceholder(links.checkout)) return undefined;
  attributionKey().catch(() => {});
  return { address: links.checkout, key: attributionKey };
}

const inSentences = (...sentences: (string | undefined)[]) =>
  sentences.filter(Boolean).join(' ') || undefined;

/** The hosts of all valid addresses, without `www.`. */
const hostsOf = (addresses: (string | undefined)[]) =>
  addresses.flatMap((address = '') =>
    URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : [],
  );
