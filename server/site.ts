/** Puts the parts together: database, stores, services, application. */

import { randomInt } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { site as siteConfig } from '../site.config.ts';
import { createSqliteAnalyticsStore } from './analytics/store-sqlite.ts';
import { createSalts } from './analytics/visitors.ts';
import { createApp } from './app.ts';
import { createPasswords, hashPassword, matches, type Price } from './auth/password.ts';
import { createSessions } from './auth/sessions.ts';
import type { AuthStore } from './auth/store.ts';
import { createSqliteAuthStore } from './auth/store-sqlite.ts';
import { createSqliteContactStore } from './contact/store-sqlite.ts';
import { databaseFile, prepareFolder, sessionSecret } from './data-folder.ts';
import { migrate } from './database/migrate.ts';
import { openSqlite } from './database/sqlite.ts';
import type { Env } from './env.ts';
import type { Pages } from './http/pages.ts';
import type { Embeds } from './http/security.ts';
import { createLimiter } from './limits.ts';
import type { Log } from './log.ts';

export interface Site {
  handler: RequestListener;
  /** Set at the very first start, when nobody had chosen a password. */
  generatedPassword: string | undefined;
  /** Writes what is waiting and lets the database go. */
  close(): Promise<void>;
}

/** The owner's embeds, which documents may load from. */
export const embeds: Embeds = {
  frames: Object.values(siteConfig.schedulers),
  scripts: [siteConfig.optInScript],
};

/** Opens the database in `env.DATA_DIR` and builds the site on it. */
export async function openSite({
  env,
  pages,
  log,
  now = Date.now,
  price,
}: {
  env: Env;
  pages: Pages;
  log: Log;
  now?: () => number;
  /** What hashing a password costs; less than the default is for tests. */
  price?: Price;
}): Promise<Site> {
  prepareFolder(env.DATA_DIR);
  const stores = await openStores(env.DATA_DIR);
  const { auth, contact, analytics } = stores;
  const generatedPassword = await settlePassword(auth, { wanted: env.ADMIN_PASSWORD, now, price });

  const handler = createApp({
    services: {
      contact,
      analytics,
      passwords: createPasswords(auth),
      limiter: createLimiter(now),
      salts: createSalts(analytics),
      now,
      conversionKey: env.CONVERSION_KEY,
    },
    pages,
    session: {
      sessions: createSessions(auth, now),
      keys: env.SESSION_SECRET ?? [sessionSecret(env.DATA_DIR)],
      secure: env.PUBLIC_URL?.startsWith('https:') ?? false,
    },
    log,
    trustProxy: env.TRUST_PROXY,
    publicOrigin: env.PUBLIC_URL,
    isReady: stores.isReady,
  });
  return { handler, generatedPassword, close: stores.close };
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
    isReady: async () => void database.read((tx) => tx.get('SELECT 1')),
    close: () => database.close(),
  };
}

/** Makes sure there is a password: the environment's, the one already set, or a new one to print. */
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
  await auth.setPasswordHash(await hashPassword(generated, price), now());
  return generated;
}

/** Four groups of five letters and digits that cannot be misread: 98 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
