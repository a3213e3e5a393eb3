/** Wires the site: stores, background jobs, services, request handler. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { site as siteConfig } from '../../site.config.ts';
import { optIn, currency as ownerCurrency } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import type { AnalyticsStore } from '../analytics/store.ts';
import { createVisitors } from '../analytics/visitors.ts';
import { ensurePassword } from '../auth/first-password.ts';
import { createKnownDevices } from '../auth/known-devices.ts';
import { createPasswords, type HashCost } from '../auth/password.ts';
import { createSessions } from '../auth/sessions.ts';
import { createSignInLog } from '../auth/sign-in-log.ts';
import { type Calls, callFields, hasSampleHours } from '../booking/calls.ts';
import { createCalendlyWebhook, createCalWebhook } from '../booking/elsewhere/webhook.ts';
import type { EmailOptions } from '../booking/emails.ts';
import { createFreeTimes } from '../booking/free-times.ts';
import { createSchedule } from '../booking/schedule.ts';
import { cachedLoad } from '../cached-load.ts';
import { createSpamQuota } from '../contact/spam-quota.ts';
import type { SqliteTiming } from '../database/sqlite/sqlite.ts';
import type { Env } from '../env.ts';
import { createDisk, type ReadBlocks } from '../health/disk-space.ts';
import { createLossReport } from '../health/file-loss.ts';
import { createMetrics } from '../health/metrics.ts';
import { createOutageLog } from '../health/outage-log.ts';
import { createProxyMonitor } from '../health/proxy-monitor.ts';
import { createReadiness, type ReadinessTiming } from '../health/readiness.ts';
import type { Checkout } from '../http/checkout.ts';
import { createClientErrorHandler } from '../http/client-error.ts';
import type { Pages } from '../http/pages/pages.ts';
import type { Embeds } from '../http/security.ts';
import { createApiKeys } from '../keys/api-keys.ts';
import { hasCallWebhooks } from '../launch-check/calls.ts';
import { createLaunchCheck } from '../launch-check/check.ts';
import type { Finding } from '../launch-check/finding.ts';
import type { Log } from '../log.ts';
import { backupsIn } from '../maintenance/backup/catalog.ts';
import {
  type BackUpTo,
  createBackupDownload,
  downloadProblem,
} from '../maintenance/backup/download.ts';
import type { StripeEndpoint } from '../stripe/api.ts';
import { createWebhook } from '../stripe/webhook.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import { startWebhooks } from '../webhooks/worker.ts';
import { createApp } from './app.ts';
import { recipientsOf, startBackground } from './background.ts';
import { createBookingVisits } from './booking-visits.ts';
import { prepareFolder, sessionSecret } from './data-folder.ts';
import { createRateLimiters } from './rate-limiters.ts';
import { openStores } from './stores.ts';

export type Site = Awaited<ReturnType<typeof openSite>>;

/** The connected calendars, without placeholders. */
const connected = Object.fromEntries(
  Object.entries(siteConfig.schedulers).filter(([, address]) => !isPlaceholder(address)),
);

/** What documents may load from: the connected calendars, or the site's own, and the opt-in script. */
export const embeds: Embeds = {
  frames: Object.values(siteConfig.schedulers).map((address) =>
    isPlaceholder(address) ? '/book' : address,
  ),
  scripts: [...(optIn.script ? [optIn.script] : []), ...optIn.hosts],
};

/** The finding on a site that runs without the owner's last changes. */
const outdated: Finding = {
  kind: 'todo',
  where: 'The running site',
  text: 'is older than your changes. Restart it: npm start',
};

/** Opens the database that `env` names and builds the site on it. */
export async function openSite({
  env: given,
  pages,
  log,
  now = Date.now,
  hashCost,
  timing,
  calendars = connected,
  calls = siteConfig.calls,
  checkout = siteConfig.links.checkout,
  currency = ownerCurrency,
  contact: contactEmail = withAsciiDomain(siteConfig.brand.email),
  stripeEndpoint,
  checked = siteConfig,
  isOutdated = () => false,
  backUp,
  backUpTo = async (file) => {
    const { makeBackup } = await import('../maintenance/backup/make.ts');
    await makeBackup({ location: given, file, now: now() });
  },
  readBlocks,
}: {
  env: Env;
  pages: Pages;
  log: Log;
  now?: () => number;
  /** The connected calendars. Only tests override them. */
  calendars?: Record<string, string>;
  /** When the owner takes calls. Only tests override it. */
  calls?: Calls;
  /** The address of the checkout. Only tests override it. */
  checkout?: string;
  /** The owner's currency. Only tests override it. */
  currency?: string;
  /** The public email address. Only tests override it. */
  contact?: string;
  /** The location of Stripe's API. Only tests override it. */
  stripeEndpoint?: StripeEndpoint;
  /** The site config that the launch check reads. Only tests override it. */
  checked?: typeof siteConfig;
  /** Whether the sources have changed since the build that runs. */
  isOutdated?: () => boolean;
  /** Makes the nightly backup; undefined: no backup is made. */
  backUp?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Makes a backup for a download; by default in this process, which blocks it. */
  backUpTo?: BackUpTo;
  /** Reads the blocks of the file system. Only tests override it. */
  readBlocks?: ReadBlocks;
  /** The cost of password hashing. Only tests lower it. */
  hashCost?: HashCost;
  /** Timeouts. Only tests override them. */
  timing?: SqliteTiming & ReadinessTiming;
}) {
  const isPublic = given.PUBLIC_URL?.startsWith('https:') ?? false;
  // Validate before anything is opened.
  const recipients = recipientsOf(given);
  // With PostgreSQL the folder stores no data.
  if (given.DATABASE_URL === undefined) prepareFolder(given.DATA_DIR);
  const stores = await openStores(given, timing, {
    hasWebhook: given.WEBHOOK_URL !== undefined,
    recovery: createLossReport({ folder: given.DATA_DIR, now, log }),
  });
  const isDemo = await stores.isDemo();
  const env = isDemo ? disconnected(given) : given;
  const { auth, contact, analytics } = stores;
  await analytics.setCurrency(currency);
  const { WEBHOOK_URL: url, WEBHOOK_SECRET: secrets } = env;
  const webhooks =
    url !== undefined && secrets !== undefined
      ? startWebhooks({ receiver: { url, secrets }, store: stores.webhooks, now, log })
      : undefined;
  const ingest = {
    store: stores.payments,
    acceptsTestPayments: !isPublic,
    now,
    onStored: webhooks?.wake,
    log,
  };
  const disk = createDisk(env.DATABASE_URL === undefined ? env.DATA_DIR : undefined, readBlocks);
  const spamQuota = createSpamQuota({ contact, disk, now });
  const proxyMonitor = createProxyMonitor({ now, log });
  const callOf: EmailOptions['callOf'] = (name) => ({
    title: siteConfig.bookingPages[callFields[name]],
    place: calls[callFields[name]].place,
  });
  const bookingKey = cachedLoad(() => stores.bookings.key()).read;
  const background = startBackground({
    env,
    stores,
    calls,
    bookingKey,
    callOf,
    webhooks,
    ingest,
    stripeEndpoint,
    backUp,
    disk,
    spamQuota,
    proxyMonitor,
    recipients,
    now,
    log,
  });
  const { stripe } = background;
  const metrics = createMetrics();
  const signInLog = createSignInLog({ store: auth, now, log });
  const isReady = createReadiness(stores.isReady, timing);
  const outages = createOutageLog({ log, isWell: isReady });
  const keys = env.SESSION_SECRET ?? [sessionSecret(env.DATA_DIR)];
  const { limiter, messageLimiter, loginThrottle, visitors } = createRateLimiters({
    uses: stores.uses,
    secret: keys[0] ?? '',
    passwordHash: auth.passwordHash,
    now,
  });
  const counting = {
    countVisitor: createVisitors({ store: analytics, shared: visitors, now }),
    exclude: background.exclude,
    ignoredReferrers: hostsOf([...Object.values(calendars), checkout, env.PUBLIC_URL]),
    now,
  };
  const apiKeys = createApiKeys({ store: stores.keys, conversionKey: env.CONVERSION_KEY, now });
  const hasReportKey = () => apiKeys.hasAny('write:conversions').catch(() => false);
  const hasWebhooks = hasCallWebhooks(calendars, env);
  // Without calendars on the page, only webhooks know of calls elsewhere.
  const isCounted = hasWebhooks || Object.keys(calendars).length === 0;
  const elsewhere = { store: stores.elsewhere, isCounted, now, log };
  const schedule = createSchedule(calls, { isOpen: !(isPublic && hasSampleHours(calls)) });
  const app = createApp({
    services: {
      contact,
      spamQuota,
      bookings: stores.bookings,
      schedule,
      freeTimes: createFreeTimes({
        bookings: stores.bookings,
        schedule,
        changes: stores.busyTimeWrites,
        now,
      }),
      bookingKey,
      callOf,
      bookingVisits: createBookingVisits(counting),
      bookingEmails: background.bookingEmails,
      busyTimesAt: background.busyTimesAt,
      analytics,
      sales: stores.sales,
      passwords: createPasswords(auth, { now, hashCost }),
      isPasswordFixed: env.ADMIN_PASSWORD !== undefined,
      limiter,
      messageLimiter,
      loginThrottle,
      signInLog,
      ...counting,
      ownerAlerts: background.ownerAlerts,
      isDemo: stores.isDemo,
      outboxWorker: background.outboxWorker,
      webhooks,
      hasCallWebhooks: hasWebhooks,
      stripe: stripe.report,
      apiKeys,
      launchCheck: createLaunchCheck({
        site: checked,
        env: given,
        envFile: '.env',
        countTestSales: stores.payments.countTestSales,
        isDemo: stores.isDemo,
        hasReportKey,
        buildFindings: () => (isOutdated() ? [outdated] : []),
        // The owner waits in the browser.
        timeoutMs: 4000,
      }),
      mailServer: background.mailServer,
      backups: () => ({
        isNightly: env.DATABASE_URL === undefined,
        files: env.DATABASE_URL === undefined ? backupsIn(env.DATA_DIR) : [],
        problem: downloadProblem(env),
      }),
    },
    pages,
    session: {
      sessions: createSessions({ store: auth, now, outbox: background.outboxWorker }),
      devices: createKnownDevices({ store: auth, keys, now }),
      keys,
      secure: isPublic,
    },
    openBackup: createBackupDownload({ location: env, backUpTo, now }),
    deliveries: {
      stripe:
        env.STRIPE_WEBHOOK_SECRET &&
        createWebhook({
          secrets: env.STRIPE_WEBHOOK_SECRET,
          onDelivery: stripe.recordDelivery,
          ...ingest,
        }),
      calendly:
        env.CALENDLY_WEBHOOK_SECRET &&
        createCalendlyWebhook({ ...elsewhere, secrets: env.CALENDLY_WEBHOOK_SECRET }),
      cal:
        env.CAL_WEBHOOK_SECRET &&
        createCalWebhook({ ...elsewhere, secrets: env.CAL_WEBHOOK_SECRET }),
    },
    checkout: checkoutAt(checkout, analytics),
    securityContact: isPlaceholder(contactEmail.replace(/.*@/, '')) ? undefined : contactEmail,
    log,
    outages,
    proxyMonitor,
    trustProxy: env.TRUST_PROXY,
    publicOrigin: env.PUBLIC_URL,
    isReady,
    metrics,
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
  let release = () => {};
  const settled = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Until then a new ADMIN_PASSWORD would be rejected, and the old one and its sessions accepted.
  let handle: RequestListener = (req, res) => void settled.then(() => app(req, res));
  return {
    /** Holds every request until `ensurePassword` is done. */
    handler: (req: IncomingMessage, res: ServerResponse) => handle(req, res),
    /** The listener for the server's `clientError` event. */
    handleClientError: createClientErrorHandler({ https: isPublic }),
    /**
     * Sets the password that the site starts with: the environment's, the stored one, or a generated one,
     * which it returns. Call it once the port is bound: a start that fails must not use up the password.
     */
    async ensurePassword(): Promise<string | undefined> {
      const generated = await ensurePassword(auth, {
        configured: env.ADMIN_PASSWORD,
        now,
        hashCost,
      });
      handle = app;
      release();
      return generated;
    },
    /** Whether an API key lets another checkout report sales; false when that cannot be read. */
    hasReportKey,
    /** Finishes pending writes and closes the database. */
    async close(): Promise<void> {
      metrics.close();
      outages.stop();
      await Promise.all([background.stop(), signInLog.stop()]);
      await stores.close();
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

/** The checkout, with its key fetched in advance; undefined for a placeholder. */
function checkoutAt(address: string, analytics: AnalyticsStore): Checkout | undefined {
  if (isPlaceholder(address)) return undefined;
  const key = cachedLoad(() => analytics.attributionKey()).read;
  key().catch(() => {});
  return { address, key };
}

/** The hosts of all valid addresses, without `www.`. */
const hostsOf = (addresses: (string | undefined)[]) =>
  addresses.flatMap((address = '') =>
    URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : [],
  );
