/** Opens a site: its platform, its core, and its configured part, which can be replaced while it runs. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SiteConfig } from '../../site.defaults.ts';
import { ensurePassword } from '../auth/first-password.ts';
import { createClientErrorHandler } from '../http/client-error.ts';
import type { BackUpTo } from '../maintenance/backup/download.ts';
import { repeat } from '../repeat.ts';
import { minuteMs } from '../time/units.ts';
import { startConfigured } from './configured.ts';
import { startCore } from './core.ts';
import { recipientsOf } from './mail.ts';
import { openPlatform, type PlatformOptions } from './platform.ts';
import type { SitePages } from './site-pages.ts';

export type Site = Awaited<ReturnType<typeof openSite>>;

export interface SiteOptions extends PlatformOptions {
  config: SiteConfig;
  pages: SitePages;
  /** Whether the sources have changed since the build that runs. */
  isOutdated?: () => boolean;
  /** Makes the nightly backup; undefined: no backup is made. */
  backUp?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Makes a backup for a download; by default in this process, which blocks it. */
  backUpTo?: BackUpTo;
}

/** Opens the database that `env` names and builds the site on it. */
export async function openSite({
  config,
  pages,
  isOutdated = () => false,
  backUp,
  backUpTo = async (file) => {
    const { makeBackup } = await import('../maintenance/backup/make.ts');
    await makeBackup({ location: options.env, file, now: options.now?.() ?? Date.now() });
  },
  ...options
}: SiteOptions) {
  // Validate before anything is opened.
  recipientsOf(options.env, config);
  const platform = await openPlatform(options);
  const { env, isPublic, stores, now, log, overrides } = platform;
  const core = startCore(platform, backUp);
  const start = async (next: SiteConfig, origins: string[] = []) => {
    const nextPages = await pages(next);
    // The first visitor after a publish must not wait for a compression.
    await Promise.all(origins.map(nextPages.prepare));
    return {
      config: next,
      pages: nextPages,
      ...(await startConfigured(core, { config: next, pages: nextPages, isOutdated, backUpTo })),
    };
  };
  let configured = await start(config);
  core.rebuildSales();
  /** Starts the configured part anew beside the old one, which then finishes its requests and stops. */
  const replace = async (next = configured.config) => {
    const old = configured;
    configured = await start(next, old.pages.cachedOrigins());
    if (handle === old.handler) handle = configured.handler;
    if (String(next.paymentLinks) !== String(old.config.paymentLinks)) core.rebuildSales();
    await old.stop();
  };
  let replaced = Promise.resolve();
  const queueReplacement = (next?: SiteConfig) => {
    const run = () => replace(next);
    replaced = replaced.then(run, run);
    return replaced;
  };
  // The command `demo` may fill the database of a running site.
  const stopDemoCheck = repeat(
    minuteMs,
    async () => {
      if ((await stores.isDemo()) !== configured.isDemo) await queueReplacement();
    },
    (error) => log.error({ error }, 'demo data: could not look for them; will retry'),
  );

  let release = () => {};
  const settled = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Until then a new ADMIN_PASSWORD would be rejected, and the old one and its sessions accepted.
  let handle: RequestListener = (req, res) => void settled.then(() => handle(req, res));
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
      const generated = await ensurePassword(stores.auth, {
        configured: env.ADMIN_PASSWORD,
        now,
        hashCost: overrides.hashCost,
      });
      handle = configured.handler;
      release();
      return generated;
    },
    /**
     * Uses another config from the next request on. Resolves once the jobs of the old one have stopped; rejects,
     * and keeps the old one, when the site cannot start with it.
     */
    configure: (next: SiteConfig): Promise<void> => queueReplacement(next),
    hasReportKey: core.hasReportKey,
    /** Compresses the landing page for `origin`. */
    prepare: (origin: string) => configured.pages.prepare(origin),
    /** Finishes pending writes and closes the database. */
    async close(): Promise<void> {
      stopDemoCheck();
      await replaced.catch(() => {});
      await Promise.all([configured.stop(), core.stop()]);
      await stores.close();
    },
  };
}
