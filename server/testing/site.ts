/** For tests: a whole site on a database of its own, listening on a free port. */
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { openSite } from '../app/site.ts';
import type { HashCost } from '../auth/password.ts';
import type { Calls } from '../booking/calls.ts';
import type { SqliteTiming } from '../database/sqlite/sqlite.ts';
import { readEnv } from '../env.ts';
import type { ReadBlocks } from '../health/disk-space.ts';
import type { ReadinessTiming } from '../health/readiness.ts';
import { createListener, type ListenerLimits } from '../http/listener.ts';
import type { Pages } from '../http/pages/pages.ts';
import { compileTrust } from '../http/request/request-info.ts';
import { createLog, type Log } from '../log.ts';
import type { BackUpTo } from '../maintenance/backup/download.ts';
import type { StripeEndpoint } from '../stripe/api.ts';
import { site as sample } from './sample-config.ts';
import { migratedFolder } from './sqlite.ts';

export interface TestSite {
  /** `http://127.0.0.1:port` */
  origin: string;
  dataDir: string;
  /** The admin's password: that of the environment, or the generated one. */
  password: string;
  /** Fetches a path of the site; cookies are the caller's business. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** POSTs JSON as a browser on the site would. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export const password = 'correct horse battery staple';

/** A browser's user agent: others are taken for bots. */
export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const plainPages: Pages = {
  serve: (_req, res) => void res.writeHead(200).end('page'),
  fill: (res, page, status, slots) =>
    void res
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end(`${page} ${JSON.stringify(slots)}`),
  prepare: async () => {},
};

export async function openTestSite({
  env = {},
  pages = plainPages,
  now = Date.now,
  hashCost = { cost: 10, rounds: 1 },
  timing = {},
  calendars = {},
  calls,
  checkout,
  currency,
  contact,
  stripeEndpoint,
  readBlocks,
  backUpTo,
  limits = {},
  checked = sample,
  log = createLog('silent', { pretty: false }),
}: {
  env?: Record<string, string | undefined>;
  pages?: Pages;
  now?: () => number;
  hashCost?: HashCost;
  timing?: SqliteTiming & ReadinessTiming;
  calendars?: Record<string, string>;
  calls?: Calls;
  checkout?: string;
  currency?: string;
  contact?: string;
  stripeEndpoint?: StripeEndpoint;
  readBlocks?: ReadBlocks;
  backUpTo?: BackUpTo;
  limits?: Partial<ListenerLimits>;
  /** What the launch check reads: by default a config without addresses of other servers. */
  checked?: typeof sample;
  log?: Log;
} = {}): Promise<TestSite> {
  const dataDir = await migratedFolder();
  const settings = readEnv({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: password,
    TRUST_PROXY: '1',
    ...env,
  });
  const site = await openSite({
    env: settings,
    pages,
    log,
    now,
    hashCost,
    timing,
    calendars,
    ...(calls && { calls }),
    ...(checkout !== undefined && { checkout }),
    ...(currency && { currency }),
    ...(contact && { contact }),
    ...(stripeEndpoint && { stripeEndpoint }),
    ...(readBlocks && { readBlocks }),
    ...(backUpTo && { backUpTo }),
    checked,
  });
  const generated = await site.ensurePassword();
  const trust = compileTrust(settings.TRUST_PROXY);
  const { server } = createListener(site.handler, { log, trust, overrides: limits });
  server.on('clientError', site.handleClientError);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { PUBLIC_URL } = settings;
  // Fetch does not let a caller set Host: as behind a proxy that passes it otherwise.
  const host = PUBLIC_URL && { 'x-forwarded-host': new URL(PUBLIC_URL).host };

  const request = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, {
      redirect: 'manual',
      ...init,
      headers: { 'user-agent': browser, ...host, ...init.headers },
    });
  return {
    origin,
    dataDir,
    password: generated ?? settings.ADMIN_PASSWORD ?? '',
    fetch: request,
    post: (path, body, headers = {}) =>
      request(path, {
        method: 'POST',
        ...(body === undefined
          ? { headers }
          : {
              headers: { 'content-type': 'application/json', ...headers },
              body: typeof body === 'string' ? body : JSON.stringify(body),
            }),
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Signs in and returns the `Cookie` header of the session. */
export async function signIn(
  site: TestSite,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await site.post('/api/admin/login', { password: site.password }, headers);
  if (!response.ok) throw new Error(`The login was refused: ${await response.text()}`);
  return cookieOf(response);
}

/** The cookies that a response sets, as the browser would send them back. */
export const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
