/**
 * `npm run dev`: the whole product in one process at one address.
 *
 * Vite serves the browser's modules with hot reload; everything else goes to the same application
 * as in production, loaded through Vite, so that a change in a server file is there at the next
 * request. Prerendered pages are rendered for each request; a change in a part of them that the
 * browser never loads reloads the page.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Environment, isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite';
import type { PageAssets, PageName } from '../contract/pages.ts';
import type { Pages, Scene } from '../http/pages.ts';
import type { Slots } from '../http/slots.ts';
import type { Site } from '../site.ts';
import { islandNames } from './site-build.ts';

interface Prerender {
  renderPage(name: Exclude<PageName, 'app'>, assets: PageAssets): string;
}

export function siteDev(): Plugin {
  return {
    name: 'site-dev',
    apply: 'serve',
    configureServer(server) {
      const current = currentSite(server);
      return () => {
        server.middlewares.use((req, res, next) => {
          current()
            .then(({ handler }) => handler(req, res))
            .catch(next);
        });
      };
    },
    hotUpdate({ file, modules, server }) {
      const { client } = server.environments;
      const isBrowsers = (client.moduleGraph.getModulesByFile(file)?.size ?? 0) > 0;
      if (this.environment.name === 'prerender' && modules.length > 0 && !isBrowsers) {
        client.hot.send({ type: 'full-reload' });
      }
    },
  };
}

/** The site as the sources say now: opened again, on the same data, when a server file has changed. */
function currentSite(server: ViteDevServer): () => Promise<Site> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const { ssrFixStacktrace } = server;
  let open: { source: unknown; site: Promise<Site> } | undefined;

  return async () => {
    const source = await load<typeof import('../site.ts')>(server, 'server', '/server/site.ts');
    if (open?.source === source) return open.site;
    const previous = open?.site;
    const site = (async () => {
      await (await previous?.catch(() => undefined))?.close();
      const { readEnv } = await load<typeof import('../env.ts')>(
        server,
        'server',
        '/server/env.ts',
      );
      const { createLog } = await load<typeof import('../log.ts')>(
        server,
        'server',
        '/server/log.ts',
      );
      const env = readEnv(process.env);
      const log = createLog(env.LOG_LEVEL, { pretty: true });
      const opened = await source.openSite({ env, pages: devPages(server), log });
      const password = await opened.settlePassword();
      if (password) log.info(`Your admin password: ${password}`);
      return opened;
    })();
    open = { source, site };
    site.catch((error: unknown) => {
      if (error instanceof Error) ssrFixStacktrace(error);
      if (open?.site === site) open = undefined;
    });
    return site;
  };
}

function devPages(server: ViteDevServer): Pages {
  const render = async (name: PageName, path: string): Promise<string> => {
    if (name === 'app')
      return server.transformIndexHtml(path, await readFile('index.html', 'utf8'));
    const { renderPage } = await load<Prerender>(server, 'prerender', '/src/prerender.tsx');
    const islands = Object.fromEntries(
      (await islandNames()).map((island) => [island, [`/src/islands/${island}.tsx`]]),
    );
    return server.transformIndexHtml(path, renderPage(name, { boot: '/src/boot.ts', islands }));
  };
  const pagesModule = () =>
    load<typeof import('../http/pages.ts')>(server, 'server', '/server/http/pages.ts');
  const slotsModule = () =>
    load<typeof import('../http/slots.ts')>(server, 'server', '/server/http/slots.ts');
  const send = (res: ServerResponse, status: number, html: string) => {
    // Hot reload needs inline scripts and a socket: the strict policy is production's.
    res.removeHeader('Content-Security-Policy');
    res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  };

  return {
    async serve(req: IncomingMessage, res: ServerResponse, scene: Scene) {
      const { documents, pathOf } = await pagesModule();
      const path = pathOf(req);
      const name = documents[path];
      const html = await render(name ?? 'not-found', path);
      send(res, name ? 200 : 404, (await slotsModule()).fillSlots(html, { ...scene }));
    },
    async fill(res: ServerResponse, name: PageName, status: number, slots: Slots) {
      const { fillSlots } = await slotsModule();
      send(res, status, fillSlots(await render(name, `/${name}`), slots));
    },
  };
}

/** Loads a module of ours through Vite. Its type is the caller's word: the path names it. */
async function load<T>(server: ViteDevServer, environmentName: string, path: string): Promise<T> {
  const environment: Environment | undefined = server.environments[environmentName];
  if (!environment || !isRunnableDevEnvironment(environment)) {
    throw new Error(`Vite has no environment ${environmentName} that runs modules.`);
  }
  return environment.runner.import<T>(path);
}
