/** Opens a site: its platform, its core, and its configured part, which can be replaced while it runs. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SiteConfig } from '../../site.defaults.ts';
import { ensurePassword, type FirstStart } from '../auth/first-password.ts';
import type { StoredValues } from '../connections/values.ts';
import { createLiveContent } from '../content/live.ts';
import { createClientErrorHandler } from '../http/client-error.ts';
import type { BackUpTo } from '../maintenance/backup/download.ts';
import { createQueue } from '../queue.ts';
import { repeat } from '../repeat.ts';
import { openConnections } from '../stores/connected-env.ts';
import { minuteMs } from '../time/units.ts';
import { startConfigured } from './configured.ts';
import { startCore } from './core.ts';
import { openPlatform, type PlatformOptions } from './platform.ts';
import { createWordsFinder, type SitePages } from './site-pages.ts';

type Configured = Awaited<ReturnType<typeof startConfigured>>;

export type Site = Awaited<ReturnType<typeof openSite>>;

export interface SiteOptions extends PlatformOptions {
  /** The config of `site.config.ts`, which the site shows unless another one was published. */
  config: SiteConfig;
  pages: SitePages;
  /** Whether the sources have changed since the build that runs. */
  isOutdated?: () => boolean;
  /** Makes the nightly backup; undefined: no backup is made. */
  backUp?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Makes a backup for a download; by default in this process, which blocks it. */
  backUpTo?: BackUpTo;
}

/** How often an instance looks for connections that another one has changed, in ms. */
const connectionCheckMs = 1000;

/** How long after a failure it tries again to use them, in ms. */
const connectionRetryMs = 5000;

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
  const platform = await openPlatform(options);
  const { env, isPublic, stores, now, log, overrides } = platform;
  const live = createLiveContent({
    store: stores.content,
    file: config,
    isPinned: env.SITE_CONTENT === 'file',
    now,
    log,
  });
  const core = startCore(platform, { backUp, file: config });
  const connections = openConnections(env, stores);
  const findWords = createWordsFinder(pages, { store: stores.content, file: config });
  const changes = { ...connections, apply: () => applyConnections() };
  const start = async (
    next: SiteConfig,
    isFallback: boolean,
    { values, origins = [] }: { values?: StoredValues; origins?: string[] } = {},
  ) => {
    const photos = await stores.photos.photosIn(next);
    const read = await connections.read(values);
    if (read.env.WEBHOOK_URL !== undefined)
      await connections.rememberReceiver(read.env.WEBHOOK_URL);
    const nextPages = await pages.of(
      { config: next, photos },
      { env: read.env, readPhoto: stores.photos.read },
    );
    // Visitors see them also while the database is away. One that cannot be read now is read when it is requested.
    const files = photos.flatMap((photo) => photo.files);
    await Promise.allSettled(files.map(({ address }) => core.loadPhoto(address)));
    // The first visitor after a publish must not wait for a compression.
    await Promise.all(origins.map(nextPages.prepare));
    const options = {
      ...{ config: next, isFallback, file: config, live, pages: nextPages, sitePages: pages },
      ...{ connections: read, changes, findWords, isOutdated, backUpTo },
    };
    return {
      config: next,
      isFallback,
      pages: nextPages,
      connections: read,
      ...(await startConfigured(core, options)),
    };
  };
  const close = async (configured?: Configured) => {
    await Promise.all([configured?.stop(), core.stop()]);
    await stores.close();
  };
  let configured = await live
    .start((first, isFallback) => start(first, isFallback))
    .catch(async (error: unknown) => {
      await close();
      throw error;
    });
  core.rebuildSales();
  /** The old configured parts, which finish their requests and stop beside the new one. */
  let stopped = Promise.resolve();
  /** Starts it anew with another config, or again with the same one. */
  const replace = async (other?: SiteConfig) => {
    await stopped;
    const old = configured;
    const next = other ?? old.config;
    configured = await start(next, !other && old.isFallback, {
      values: old.connections.values,
      origins: old.pages.cachedOrigins(),
    });
    if (handle === old.handler) handle = configured.handler;
    if (String(next.paymentLinks) !== String(old.config.paymentLinks)) core.rebuildSales();
    stopped = old
      .stop()
      .catch((error: unknown) => log.error({ error }, 'jobs of the config before: could not stop'));
  };
  const queue = createQueue();
  const queueReplacement = (next?: SiteConfig) => queue(() => replace(next));
  // The command `demo` may fill the database of a running site.
  const stopDemoCheck = repeat(
    minuteMs,
    async () => {
      if ((await stores.isDemo()) !== configured.isDemo) await queueReplacement();
    },
    (error) => log.error({ error }, 'demo data: could not look for them; will retry'),
  );

  live.follow(queueReplacement);
  let isClosed = false;
  /** Starts with the connections of the newest revision, after what else is queued. */
  const applyConnections = () =>
    queue(async () => {
      const isCurrent = (await connections.revision()) === configured.connections.revision;
      if (!isCurrent && !isClosed) await replace();
    });
  /** The revision that a check could not start with, and when it is tried again. */
  let failed: { revision: number; until: number } | undefined;
  const stopConnectionCheck = repeat(
    connectionCheckMs,
    async () => {
      const revision = await connections.revision();
      if (revision === configured.connections.revision) return;
      if (revision === failed?.revision && performance.now() < failed.until) return;
      failed = { revision, until: performance.now() + connectionRetryMs };
      await applyConnections();
    },
    (error) =>
      log.error({ error }, 'connections: could not use those that have changed; will retry'),
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
     * Sets the password that the site starts with: the environment's, the stored one, or a generated one. Call
     * it once the port is bound: a start that fails must not use up the password.
     */
    async ensurePassword(): Promise<FirstStart> {
      const first = await ensurePassword(stores.auth, {
        configured: env.ADMIN_PASSWORD,
        setupCode: env.SETUP_CODE,
        now,
        hashCost: overrides.hashCost,
      });
      handle = configured.handler;
      release();
      return first;
    },
    /** The config that is used. */
    config: (): SiteConfig => configured.config,
    /** Uses another config from the next request on. Rejects, and keeps the old one, when the site cannot start with it. */
    configure: (next: SiteConfig): Promise<void> => queueReplacement(next),
    hasReportKey: core.hasReportKey,
    /** Compresses the landing page for `origin`. */
    prepare: (origin: string) => configured.pages.prepare(origin),
    /** Finishes pending writes and closes the database. */
    async close(): Promise<void> {
      isClosed = true;
      stopDemoCheck();
      stopConnectionCheck();
      live.stop();
      await queue(() => stopped);
      await close(configured);
    },
  };
}
