/** Puts the parts together: database, stores, services, application. */

import { randomBytes, randomInt } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { site as siteConfig } from '../site.config.ts';
import { attributionOf } from './analytics/attribution-sqlite.ts';
import { settledPayments, settledSale, settleSale } from './analytics/sales-sqlite.ts';
import type { AnalyticsStore } from './analytics/store.ts';
import { createSqliteAnalyticsStore } from './analytics/store-sqlite.ts';
import { createTally } from './analytics/tally.ts';
import { createSalts, dayOf } from './analytics/visitors.ts';
import { createApp } from './app.ts';
import { createPasswords, hashPassword, matches, type Price } from './auth/password.ts';
import { createSessions } from './auth/sessions.ts';
import type { AuthStore } from './auth/store.ts';
import { createSqliteAuthStore } from './auth/store-sqlite.ts';
import { guardCalendars, type Pace } from './booking/guardian.ts';
import { createSqliteContactStore } from './contact/store-sqlite.ts';
import { isPlaceholder } from './contract/placeholder.ts';
import { databaseFile, prepareFolder, sessionSecret } from './data-folder.ts';
import { migrate } from './database/migrate.ts';
import { openSqlite } from './database/sqlite.ts';
import { BadEnvironment, type Env } from './env.ts';
import type { Checkout } from './http/checkout.ts';
import type { Pages } from './http/pages.ts';
import type { Embeds } from './http/security.ts';
import { createLimiter } from './limits.ts';
import type { Log } from './log.ts';
import { startPostman } from './mail/postman.ts';
import { createSmtp } from './mail/smtp.ts';
import { createSqliteMailStore } from './mail/store-sqlite.ts';
import { workNightly } from './nightly.ts';
import { createSqlitePaymentStore } from './payments/store-sqlite.ts';
import type { StripePlace } from './payments/stripe-api.ts';
import { watchStripe } from './payments/watch.ts';
import { createWebhook } from './payments/webhook.ts';
import { reportHourly } from './reports/reporter.ts';
import { troubleOf } from './trouble.ts';

export interface Site {
  handler: RequestListener;
  /**
   * Makes sure that there is a password: the environment's, the one already set, or a new one, which
   * it returns to be shown. To be called once the site listens: a start that fails shows nothing.
   */
  settlePassword(): Promise<string | undefined>;
  /** Writes what is waiting and lets the database go. */
  close(): Promise<void>;
}

/** The calendars that are connected: those that are no placeholders. */
const connected = Object.fromEntries(
  Object.entries(siteConfig.schedulers).filter(([, address]) => !isPlaceholder(address)),
);

/** The owner's embeds, which documents may load from. Placeholders are loaded from nowhere. */
export const embeds: Embeds = {
  frames: Object.values(connected),
  scripts: [siteConfig.optInScript].filter((address) => !isPlaceholder(address)),
};

/** Opens the database in `env.DATA_DIR` and builds the site on it. */
export async function openSite({
  env,
  pages,
  log,
  now = Date.now,
  price,
  calendars = connected,
  calendarPace,
  checkout = siteConfig.links.checkout,
  stripePlace,
}: {
  env: Env;
  pages: Pages;
  log: Log;
  now?: () => number;
  /** What is looked after and how often; another than the owner's is for tests. */
  calendars?: Record<string, string>;
  calendarPace?: Pace;
  /** Where payments are taken; another place than the owner's is for tests. */
  checkout?: string;
  /** Where Stripe is; another place than its own is for tests. */
  stripePlace?: StripePlace;
  /** What hashing a password costs; less than the default is for tests. */
  price?: Price;
}): Promise<Site> {
  const isPublic = env.PUBLIC_URL?.startsWith('https:') ?? false;
  // A setting with a fault is told before anything is opened.
  const readers = env.SMTP_URL === undefined ? [] : (env.CONTACT_TO ?? [ownAddress()]);
  prepareFolder(env.DATA_DIR);
  const stores = await openStores(env.DATA_DIR);
  const { auth, contact, analytics, payments } = stores;
  const stopForgetting = forgetEveryHour(analytics, now, log);
  let refused = '';
  const stopGuarding = guardCalendars({
    calendars,
    origin: env.PUBLIC_URL,
    log,
    async changed(names) {
      const next = names.join(' ');
      // Ready before it is shown: no visitor waits for its compression.
      await pages.prepare({ origin: env.PUBLIC_URL, refused: next });
      refused = next;
    },
    pace: calendarPace,
  });
  const intake = { store: payments, takesTrials: !isPublic, now, log };
  const stripe = watchStripe({
    apiKey: env.STRIPE_API_KEY,
    api: stripePlace,
    hasWebhook: env.STRIPE_WEBHOOK_SECRET !== undefined,
    ...intake,
  });
  const nightly = workNightly({
    analytics,
    payments,
    keepDays: env.KEEP_ACTIVITY_DAYS,
    now,
    log,
  });
  const postman =
    env.SMTP_URL === undefined
      ? undefined
      : startPostman({
          store: stores.mail,
          deliver: createSmtp({
            url: env.SMTP_URL,
            to: readers,
            name: siteConfig.brand.name,
          }),
          now,
          log,
        });
  const stopReporting =
    postman === undefined
      ? () => {}
      : reportHourly({
          analytics,
          mail: stores.mail,
          postman,
          address: env.PUBLIC_URL,
          now,
          log,
        });
  const tally = createTally({ store: analytics, now, log });
  const handler = createApp({
    services: {
      contact,
      analytics,
      passwords: createPasswords(auth),
      limiter: createLimiter(now),
      salts: createSalts(analytics),
      leaveOut: tally.add,
      passages: hostsOf([...Object.values(calendars), checkout, env.PUBLIC_URL]),
      now,
      trouble: async () =>
        troubleOf({
          nightly: nightly.trouble(),
          stripe: await stripe.report(),
          mail: postman && (await stores.mail.state()),
          now: now(),
        }),
      postman,
      stripe: stripe.report,
      conversionKey: env.CONVERSION_KEY,
    },
    pages,
    session: {
      sessions: createSessions(auth, now),
      keys: env.SESSION_SECRET ?? [sessionSecret(env.DATA_DIR)],
      secure: isPublic,
    },
    webhook:
      env.STRIPE_WEBHOOK_SECRET &&
      createWebhook({
        secrets: env.STRIPE_WEBHOOK_SECRET,
        delivered: stripe.delivered,
        ...intake,
      }),
    checkout: checkoutAt(checkout, analytics),
    log,
    trustProxy: env.TRUST_PROXY,
    publicOrigin: env.PUBLIC_URL,
    refusedCalendars: () => refused,
    isReady: stores.isReady,
  });
  return {
    handler,
    settlePassword: () => settlePassword(auth, { wanted: env.ADMIN_PASSWORD, now, price }),
    async close() {
      stopForgetting();
      stopGuarding();
      stripe.stop();
      nightly.stop();
      stopReporting();
      await tally.stop();
      await postman?.stop();
      await stores.close();
    },
  };
}

/** Where letters go whose owner has named no other place. */
function ownAddress(): string {
  const { email } = siteConfig.brand;
  if (!isPlaceholder(`https://${email.replace(/.*@/, '')}`)) return email;
  throw new BadEnvironment(
    'CONTACT_TO must name your e-mail address, since that in site.config.ts is a sample. ' +
      'For example: CONTACT_TO=me@my-domain.com',
  );
}

/** The checkout, if there is one, with the key that is fetched before the first buyer comes. */
function checkoutAt(address: string, analytics: AnalyticsStore): Checkout | undefined {
  if (isPlaceholder(address)) return undefined;
  const key = once(() => analytics.attributionKey(randomBytes(32)));
  key().catch(() => {});
  return { address, key };
}

/** The hosts of addresses that name any. */
const hostsOf = (addresses: (string | undefined)[]) =>
  addresses.flatMap((address = '') =>
    URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : [],
  );

/** Asks once for what stays the same; again only after it could not be had. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    answer.catch(() => {
      answer = undefined;
    });
    return answer;
  };
}

/** Deletes what could tell the visitors of past days apart, now and every hour. */
function forgetEveryHour(analytics: AnalyticsStore, now: () => number, log: Log): () => void {
  const forget = () => {
    analytics.forgetVisitors(dayOf(now())).catch((error: unknown) => {
      log.error(
        { error },
        'the visitors of past days could not be forgotten; trying again in an hour',
      );
    });
  };
  forget();
  const timer = setInterval(forget, 60 * 60_000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Opens the embedded database and the stores on it. */
export async function openStores(folder: string) {
  const database = openSqlite(databaseFile(folder));
  try {
    await migrate(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    contact: createSqliteContactStore(database),
    auth: createSqliteAuthStore(database),
    analytics: createSqliteAnalyticsStore(database),
    payments: createSqlitePaymentStore(database, {
      settle: settleSale,
      settled: settledSale,
      payments: settledPayments,
      attribution: attributionOf,
    }),
    mail: createSqliteMailStore(database),
    isReady: async () => void database.read((tx) => tx.get('SELECT 1')),
    close: () => database.close(),
  };
}

async function settlePassword(
  auth: AuthStore,
  {
    wanted,
    now,
    price,
  }: { wanted: string | undefined; now: () => number; price?: Price | undefined },
): Promise<string | undefined> {
  const current = await auth.passwordHash();
  if (wanted !== undefined) {
    const isCurrent = current !== undefined && (await matches(wanted, current));
    if (!isCurrent) await auth.setPasswordHash(await hashPassword(wanted, price), now());
    return undefined;
  }
  if (current !== undefined) return undefined;
  const generated = generatePassword();
  const isFirst = await auth.setFirstPasswordHash(await hashPassword(generated, price), now());
  return isFirst ? generated : undefined;
}

/** Four groups of five letters and digits that cannot be misread: 98 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
