import { existsSync } from 'node:fs';
import type { SiteConfig } from '../../site.defaults.ts';
import { liveConfig } from '../content/live.ts';
import type { Env } from '../env.ts';
import { connectedEnv } from '../stores/connected-env.ts';
import { databaseFile } from '../stores/data-folder.ts';
import { withStoresAsTheyAre } from '../stores/stores.ts';

/** The config that the site shows; `file`, that of `site.config.ts`, when the stored one cannot be read. */
export async function shownConfig(env: Env, file: SiteConfig): Promise<SiteConfig> {
  if (!hasDatabase(env)) return file;
  const isPinned = env.SITE_CONTENT === 'file';
  return withStoresAsTheyAre(env, ({ content }) =>
    liveConfig({ store: content, file, isPinned }),
  ).catch(() => file);
}

/** The environment with what the owner has connected in the browser; without it when that cannot be read. */
export async function environment(env: Env): Promise<Env> {
  if (!hasDatabase(env)) return env;
  return withStoresAsTheyAre(env, (stores) => connectedEnv(env, stores)).catch(() => env);
}

/** Counts the test payments of a site that may be running. Changes nothing, also where an update would. */
export async function countTestSales(env: Env): Promise<number> {
  if (!hasDatabase(env)) return 0;
  return withStoresAsTheyAre(env, ({ payments }) => payments.countTestSales());
}

/** Whether the data of that site are made up; false when that cannot be read. */
export async function isDemo(env: Env): Promise<boolean> {
  return (
    hasDatabase(env) && withStoresAsTheyAre(env, (stores) => stores.isDemo()).catch(() => false)
  );
}

/** Whether an API key of the same site lets another checkout report sales; false when that cannot be read. */
export async function hasReportKey(env: Env): Promise<boolean> {
  if (!hasDatabase(env)) return false;
  return withStoresAsTheyAre(env, async ({ keys }) =>
    (await keys.all()).some(({ scopes }) => scopes.includes('write:conversions')),
  ).catch(() => false);
}

const hasDatabase = ({ DATABASE_URL, DATA_DIR }: Env) =>
  DATABASE_URL !== undefined || existsSync(databaseFile(DATA_DIR));
