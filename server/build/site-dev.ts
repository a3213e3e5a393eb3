/**
 * `npm run dev`: the whole product in one process on one port.
 *
 * Vite serves the browser's modules with hot reload. All other requests go to the production application,
 * loaded through Vite, so that the next request uses a changed server file. Pages are rendered for each
 * request. A change in a component that the browser has loaded keeps the page and its state, for example
 * in an island that was opened; a change in a module that only the prerenderer loads reloads the page.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseEnv } from 'node:util';
import {
  type Connect,
  type Environment,
  isRunnableDevEnvironment,
  type Plugin,
  type ViteDevServer,
} from 'vite';
import type { SiteConfig } from '../../site.defaults.ts';
import type { Site } from '../app/site.ts';
import { withWords } from '../contract/words/words.ts';
import type { PageName } from '../http/pages/documents.ts';
import type { Pages } from '../http/pages/pages.ts';
import type { TemplateVariables } from '../http/pages/template.ts';
import { mistakesIn } from './config/mistakes.ts';
import { mistakesPage } from './config/mistakes-page.ts';
import { openStudio, withFiles } from './pictures.ts';
import { islandNames } from './site-build.ts';

type Prerender = typeof import('../../src/prerender/prerender.tsx');

/**
 * Serves the site in development. Mistakes in `site.config.ts` are printed and shown over the open page,
 * and as a page of their own when one is requested. Vite's page shows errors of other files, until the next change.
 */
export function siteDev(): Plugin {
  let printed = '';
  let site: DevelopedSite | undefined;
  /** Whether a browser may show Vite's page of an error. It reloads only for modules of the browser. */
  let isErrorShown = false;
  /** Returns the mistakes in the owner's file, and prints them once in the terminal. */
  const findMistakes = async (): Promise<string[]> => {
    const sentences = await mistakesIn();
    const text = sentences.join('\n');
    if (text && text !== printed) console.error(`\n${text}\n`);
    printed = text;
    return sentences;
  };

  return {
    name: 'site-dev',
    apply: 'serve',
    configureServer(server) {
      /** Of the requests that are being handled. */
      const nexts = new WeakMap<ServerResponse, Connect.NextFunction>();
      const showError = (res: ServerResponse, error: unknown) => {
        isErrorShown = true;
        // Of the site, whose policy forbids the script of Vite's page.
        for (const name of res.getHeaderNames()) res.removeHeader(name);
        res.setHeader('Content-Type', 'text/html; charset=utf-8');
        nexts.get(res)?.(error);
      };
      const developed = developSite(server, showError);
      site = developed;
      const handle = async (req: IncomingMessage, res: ServerResponse) => {
        const sentences = await findMistakes();
        if (sentences.length === 0) return (await developed.current()).handler(req, res);
        const html = await server.transformIndexHtml('/', mistakesPage(sentences));
        res.writeHead(500, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
      };
      return () => {
        server.middlewares.use((req, res, next) => {
          nexts.set(res, next);
          handle(req, res).catch((error: unknown) => showError(res, error));
        });
      };
    },
    // Also at a restart, after a change of `.env` or of a file that vite.config.ts imports.
    closeBundle: () => site?.close(),
    async hotUpdate({ file, modules, server }) {
      const { client } = server.environments;
      if (file === `${server.config.root}/site.config.ts`) {
        const sentences = await findMistakes();
        const isWhole = sentences.length === 0;
        if (this.environment.name === 'client') {
          const err = { message: sentences.join('\n'), stack: '' };
          if (isWhole) client.hot.send({ type: 'full-reload' });
          // Without an open page Vite would keep the error, and show it to the next one.
          else if (server.ws.clients.size > 0) client.hot.send({ type: 'error', err });
        }
        // The last good page stays below the overlay until the file is whole: it may be half saved.
        return isWhole ? undefined : [];
      }
      const isFromBrowser = (client.moduleGraph.getModulesByFile(file)?.size ?? 0) > 0;
      const isPrerendered = this.environment.name === 'renderer' && !isFromBrowser;
      if (modules.length > 0 && (isPrerendered || isErrorShown)) {
        isErrorShown = false;
        client.hot.send({ type: 'full-reload' });
      }
      return undefined;
    },
  };
}

/**
 * The variables of `.env` and of this process, which take precedence. `process.loadEnvFile` would keep the
 * values of before when the server restarts.
 */
export const developmentEnv = (): NodeJS.Dict<string> => ({
  ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))),
  ...process.env,
});

interface DevelopedSite {
  /** Opens the site, or reopens it on the same data after a server file changed. */
  current(): Promise<Site>;
  close(): Promise<void>;
}

/** Shows an error instead of a response. */
type ShowError = (res: ServerResponse, error: unknown) => void;

function developSite(server: ViteDevServer, showError: ShowError): DevelopedSite {
  const { ssrFixStacktrace } = server;
  let open: { source: unknown; config: SiteConfig; site: Promise<Site> } | undefined;
  let isClosed = false;
  const closeSite = async (site: Promise<Site> | undefined) =>
    (await site?.catch(() => undefined))?.close();

  const current = async () => {
    // Until Vite has restarted, the server before still gets requests.
    if (isClosed) throw new Error('The development server restarts. Please reload the page.');
    const source = await serverModule<typeof import('../app/site.ts')>(server, 'app/site.ts');
    const { site: config } = await load<{ site: SiteConfig }>(server, 'server', '/site.config.ts');
    if (open?.source === source && open.config === config) return open.site;
    const previous = open?.site;
    const site = (async () => {
      await closeSite(previous);
      const { readEnv } = await serverModule<typeof import('../env.ts')>(server, 'env.ts');
      const { createLog } = await serverModule<typeof import('../log.ts')>(server, 'log.ts');
      const { settingsVariables } = await serverModule<
        typeof import('../http/pages/settings-variables.ts')
      >(server, 'http/pages/settings-variables.ts');
      // PUBLIC_URL would redirect every page to the live site.
      const env = { ...readEnv(developmentEnv()), PUBLIC_URL: undefined };
      const log = createLog(env.LOG_LEVEL, { pretty: true });
      const pages = devPages(server, settingsVariables(env, withWords(config).language), showError);
      const opened = await source.openSite({
        env,
        config,
        pages: { of: () => pages, preview: async () => pages, addWords: async () => {} },
        log,
      });
      const { password, setupPath } = await opened.ensurePassword();
      if (password) log.info(`Your admin password: ${password}`);
      if (setupPath) log.info(`Set it up: ${setupPath}`);
      return opened;
    })();
    open = { source, config, site };
    site.catch((error: unknown) => {
      if (error instanceof Error) ssrFixStacktrace(error);
      if (open?.site === site) open = undefined;
    });
    return site;
  };
  const close = () => {
    isClosed = true;
    return closeSite(open?.site);
  };
  return { current, close };
}

function devPages(server: ViteDevServer, settings: TemplateVariables, showError: ShowError): Pages {
  const prerender = () => load<Prerender>(server, 'renderer', '/src/prerender/prerender.tsx');
  const render = async (
    name: PageName,
    path: string,
    variables: TemplateVariables,
  ): Promise<string> => {
    if (name === 'app')
      return server.transformIndexHtml(path, await readFile('index.html', 'utf8'));
    const { renderPage } = await prerender();
    const { fillTemplate } = await templateModule();
    const islands = Object.fromEntries(
      (await islandNames()).map((island) => [island, [`/src/islands/${island}.tsx`]]),
    );
    const rendered = renderPage(name, {
      boot: '/src/boot/boot.ts',
      optIn: '/src/landing/opt-in.ts',
      islands,
      words: [],
      photos: {},
    });
    const filled = fillTemplate(rendered, variables);
    return name.includes('.') ? filled : server.transformIndexHtml(path, filled);
  };
  const documentsModule = () =>
    serverModule<typeof import('../http/pages/documents.ts')>(server, 'http/pages/documents.ts');
  const urlModule = () =>
    serverModule<typeof import('../http/request/url.ts')>(server, 'http/request/url.ts');
  const templateModule = () =>
    serverModule<typeof import('../http/pages/template.ts')>(server, 'http/pages/template.ts');
  const renderPicture = async (path: string): Promise<Buffer | undefined> => {
    const draw = (await prerender()).pictures[path];
    if (!draw) return undefined;
    const { measure, draw: drawFile } = await openStudio();
    return drawFile(path, withFiles(draw(measure), 'public'));
  };
  const send = async (
    res: ServerResponse,
    { name, status, body }: { name: string; status: number; body: string | Buffer },
  ) => {
    const { documentType } = await documentsModule();
    res
      .writeHead(status, {
        'Content-Type': documentType(name),
        // Hot reload needs inline scripts and a WebSocket, which production's policy forbids.
        'Content-Security-Policy': "frame-ancestors 'none'",
      })
      .end(body);
  };

  const orError = async (res: ServerResponse, sendPage: () => Promise<void>) => {
    try {
      await sendPage();
    } catch (error) {
      showError(res, error);
    }
  };

  return {
    // Express serves every path that is no call.
    has: () => false,
    serve: (req, res, context) =>
      orError(res, async () => {
        const { documentAt, templateVariablesOf } = await documentsModule();
        const { pathOf } = await urlModule();
        const path = pathOf(req);
        const picture = await renderPicture(path);
        if (picture) return send(res, { name: path, status: 200, body: picture });
        const found = documentAt(path, context);
        const name = found ?? 'not-found';
        const variables = { ...settings, ...templateVariablesOf(context) };
        const body = await render(name, path, variables);
        return send(res, { name, status: found ? 200 : 404, body });
      }),
    fill: (res, name, status, variables) =>
      orError(res, async () =>
        send(res, {
          name,
          status,
          body: await render(name, `/${name}`, { ...settings, ...variables }),
        }),
      ),
    // There is no cache: each request renders its page.
    prepare: async () => {},
    cachedOrigins: () => [],
    alert: () => undefined,
  };
}

/** Loads a module below `server/` as the site of development runs it. */
const serverModule = <T>(server: ViteDevServer, path: string) =>
  load<T>(server, 'server', `/server/${path}`);

/** Loads a module of this project through Vite. The caller names the type that belongs to `path`. */
async function load<T>(server: ViteDevServer, environmentName: string, path: string): Promise<T> {
  const environment: Environment | undefined = server.environments[environmentName];
  if (!environment || !isRunnableDevEnvironment(environment)) {
    throw new Error(`Vite has no environment ${environmentName} that runs modules.`);
  }
  return environment.runner.import<T>(path);
}
