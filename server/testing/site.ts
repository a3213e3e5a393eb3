/** For tests: a whole site on a database of its own, listening on a free port. */
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { SiteConfig } from '../../site.defaults.ts';
import { openSite, type SiteOptions } from '../app/site.ts';
import type { SitePages } from '../app/site-pages.ts';
import { readEnv } from '../env.ts';
import { createListener, type ListenerLimits } from '../http/listener.ts';
import type { Pages } from '../http/pages/pages.ts';
import { createLog } from '../log.ts';
import { site as sample } from './sample-config.ts';
import { migratedFolder } from './sqlite.ts';

export interface TestSite {
  /** `http://127.0.0.1:port` */
  origin: string;
  dataDir: string;
  /** The admin's password: that of the environment, or the generated one. */
  password: string;
  /** The generated code of the set-up; '' where there is none. */
  setupCode: string;
  /** Fetches a path of the site; cookies are the caller's business. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Uses another config from the next request on. */
  configure(config: SiteConfig): Promise<void>;
  /** POSTs JSON as a browser on the site would. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export const password = 'correct horse battery staple';

/** A browser's user agent: others are taken for bots. */
export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export const plainPages: Pages = {
  has: () => false,
  serve: (_req, res) => void res.writeHead(200).end('page'),
  fill: (res, page, status, slots) =>
    void res
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end(`${page} ${JSON.stringify(slots)}`),
  prepare: async () => {},
  cachedOrigins: () => [],
  alert: () => undefined,
};

export async function openTestSite({
  env = {},
  config = sample,
  pages = plainPages,
  now = Date.now,
  overrides = {},
  limits = {},
  backUpTo,
  log = createLog('silent', { pretty: false }),
}: {
  env?: Record<string, string | undefined>;
  config?: SiteConfig;
  limits?: Partial<ListenerLimits>;
  pages?: Pages | SitePages;
} & Partial<Omit<SiteOptions, 'env' | 'pages'>> = {}): Promise<TestSite> {
  const dataDir = await migratedFolder();
  const settings = readEnv({
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: password,
    TRUST_PROXY: '1',
    ...env,
  });
  const site = await openSite({
    env: settings,
    config,
    pages:
      'of' in pages
        ? pages
        : { of: () => pages, preview: async () => pages, addWords: async () => {} },
    log,
    now,
    overrides: { hashCost: { cost: 10, rounds: 1 }, ...overrides },
    ...(backUpTo && { backUpTo }),
  });
  const first = await site.ensurePassword();
  const { server } = createListener(site.handler, { log, overrides: limits });
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
    password: first.password ?? settings.ADMIN_PASSWORD ?? '',
    setupCode: first.setupPath?.split('#')[1] ?? '',
    fetch: request,
    configure: site.configure,
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
