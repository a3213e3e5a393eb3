/** What everything else stands on: made first, and closed last. */
import type { HashCost } from '../auth/password.ts';
import type { SqliteTiming } from '../database/sqlite/sqlite.ts';
import type { Env } from '../env.ts';
import type { ReadBlocks } from '../health/disk-space.ts';
import { createLossReport } from '../health/file-loss.ts';
import type { ReadinessTiming } from '../health/readiness.ts';
import type { Log } from '../log.ts';
import type { OutboundOptions } from '../outbound/request.ts';
import type { SaleSettings } from '../sales/settle.ts';
import type { StripeEndpoint } from '../sales/stripe/api.ts';
import { prepareFolder } from '../stores/data-folder.ts';
import { openStores } from '../stores/stores.ts';

export interface PlatformOptions {
  env: Env;
  log: Log;
  /** Milliseconds since 1970, UTC. */
  now?: () => number;
  /** What only tests replace. */
  overrides?: {
    /** The cost of password hashing. */
    hashCost?: HashCost;
    timing?: SqliteTiming & ReadinessTiming;
    /** Reads the blocks of the file system. */
    readBlocks?: ReadBlocks;
    /** The location of Stripe's API. */
    stripeEndpoint?: StripeEndpoint;
    /** How to reach the addresses that the owner typed. */
    outbound?: OutboundOptions;
    /** The ports at which mail servers that were typed in the browser may listen. */
    smtpPorts?: readonly number[];
  };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** Opens the database that `env` names. */
export async function openPlatform({ env, log, now = Date.now, overrides = {} }: PlatformOptions) {
  // With PostgreSQL the folder stores no data.
  if (env.DATABASE_URL === undefined) prepareFolder(env.DATA_DIR);
  const saleSettings: SaleSettings = { hasWebhook: false };
  const stores = await openStores(env, overrides.timing, {
    sales: saleSettings,
    recovery: createLossReport({ folder: env.DATA_DIR, now, log }),
  });
  return {
    env,
    /** Whether visitors reach the site by https. */
    isPublic: env.PUBLIC_URL?.startsWith('https:') ?? false,
    stores,
    saleSettings,
    log,
    now,
    overrides,
  };
}
