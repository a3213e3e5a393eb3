/** The part of a site that lives as long as the process: what is kept in memory, and the jobs on stored data. */
import type { SiteConfig } from '../../site.defaults.ts';
import { createExcludedCounts } from '../analytics/excluded-counts.ts';
import { dayOf } from '../analytics/time-window.ts';
import { createVisitors } from '../analytics/visitors.ts';
import { createKnownDevices } from '../auth/known-devices.ts';
import { createPasswords } from '../auth/password.ts';
import { createSetup } from '../auth/setup.ts';
import { createSignInLog } from '../auth/sign-in-log.ts';
import { cachedLoad } from '../cached-load.ts';
import { createSpamQuota } from '../contact/spam-quota.ts';
import { createDisk } from '../health/disk-space.ts';
import { createMetrics } from '../health/metrics.ts';
import { createOutageLog } from '../health/outage-log.ts';
import { createProxyMonitor } from '../health/proxy-monitor.ts';
import { createReadiness } from '../health/readiness.ts';
import { createPhotoCache } from '../http/photos.ts';
import { createApiKeys } from '../keys/api-keys.ts';
import type { Log } from '../log.ts';
import { startNightlyJob } from '../maintenance/nightly.ts';
import { createRetention } from '../maintenance/retention.ts';
import { repeat } from '../repeat.ts';
import { createRebuild } from '../sales/stripe/rebuild.ts';
import { openConnections, sessionSecrets } from '../stores/connected-env.ts';
import type { Stores } from '../stores/stores.ts';
import { clockSkew, hourMs } from '../time/units.ts';
import { createRefusals } from '../webhooks/refusals.ts';
import type { Platform } from './platform.ts';
import { createRateLimiters } from './rate-limiters.ts';

export type Core = ReturnType<typeof startCore>;

/**
 * Starts the core.
 *
 * @param backUp makes the nightly backup; undefined: no backup is made
 * @param file the config of `site.config.ts`
 */
export function startCore(
  platform: Platform,
  {
    backUp,
    file,
  }: { backUp: ((signal: AbortSignal) => Promise<void>) | undefined; file: SiteConfig },
) {
  const { env, isPublic, stores, log, now, overrides } = platform;
  const { analytics, auth, contact, payments, sales } = stores;
  const disk = createDisk(
    env.DATABASE_URL === undefined ? env.DATA_DIR : undefined,
    overrides.readBlocks,
  );
  const keys = sessionSecrets(env);
  const { limiter, messageLimiter, loginThrottle, setupAttempts, visitors } = createRateLimiters({
    uses: stores.uses,
    secret: keys[0] ?? '',
    passwordHash: auth.passwordHash,
    now,
  });
  const isReady = createReadiness(stores.isReady, overrides.timing);
  const metrics = createMetrics();
  const outages = createOutageLog({ log, isWell: isReady });
  const signInLog = createSignInLog({ store: auth, now, log });
  const excludedCounts = createExcludedCounts({ store: analytics, now, log });
  const stopDeleting = deleteVisitorsDaily(stores, now, log);
  const rebuild = createRebuild({
    store: payments,
    sales,
    acceptsTestPayments: !isPublic,
    log,
  });
  const nightly = startNightlyJob({
    analytics,
    sales,
    keepDays: env.KEEP_ACTIVITY_DAYS,
    backUp,
    lease: stores.nightlyLease,
    recordsRuns: backUp !== undefined || env.DATABASE_URL !== undefined,
    retention: createRetention({ env, stores, file, now, log }),
    reencrypt: openConnections(env, stores).reencrypt,
    now,
    log,
  });
  const apiKeys = createApiKeys({ store: stores.keys, conversionKey: env.CONVERSION_KEY, now });
  return {
    ...platform,
    disk,
    spamQuota: createSpamQuota({ contact, disk, now }),
    proxyMonitor: createProxyMonitor({ now, log }),
    refusals: createRefusals({ now }),
    /** They sign sessions: the first one new ones. */
    keys,
    limiter,
    messageLimiter,
    loginThrottle,
    setup: createSetup({ store: auth, attempts: setupAttempts }),
    countVisitor: createVisitors({ store: analytics, shared: visitors, now }),
    exclude: excludedCounts.add,
    isReady,
    metrics,
    outages,
    signInLog,
    passwords: createPasswords(auth, { hashCost: overrides.hashCost }),
    devices: createKnownDevices({ store: auth, keys, now }),
    apiKeys,
    loadPhoto: createPhotoCache(stores.photos),
    rebuildSales: rebuild.start,
    /** Whether an API key lets another checkout report sales; false when that cannot be read. */
    hasReportKey: () => apiKeys.hasAny('write:conversions').catch(() => false),
    /** The key that signs the links of bookings, and that of the tokens of the checkout. */
    bookingKey: cachedLoad(() => stores.bookings.key()).read,
    attributionKey: cachedLoad(() => analytics.attributionKey()).read,
    nightlyAlert: nightly.alert,
    /** Stops all jobs after storing pending counts. */
    async stop(): Promise<void> {
      metrics.close();
      outages.stop();
      stopDeleting();
      nightly.stop();
      await Promise.all([excludedCounts.stop(), signInLog.stop(), rebuild.stop()]);
    },
  };
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
