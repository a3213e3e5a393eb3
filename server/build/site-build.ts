/**
 * `vite build` builds the product in four steps: the browser's files, the prerendered pages, the server, the client of the API.
 *
 *     dist/client   static files, served by path (hashed ones under assets/)
 *     dist/pages    documents, served by name, such as home and not-found, and files for crawlers
 *     dist/renderer the bundle that renders the documents, here and when the owner publishes, with the addresses of the
 *                   files, and what draws the pictures: resvg's code and fonts
 *     dist/server   main.js, admin.js, launch-check.js, and render-process.js, which runs the renderer
 *     dist/api      the package of the client, which other projects install and import as `shingle/client` and `shingle/trpc`
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Manifest, type Plugin, runnerImport, type ViteBuilder } from 'vite';
import packageJson from '../../package.json' with { type: 'json' };
import type { PageAssets } from '../../src/prerender/prerender.tsx';
import type { MadePhotos } from '../../src/ui/photo.tsx';
import { configVariable } from '../contract/pages.ts';
import { checkSiteConfig, SiteMistakes } from './config/mistakes.ts';
import { makePhotos, photoMistakes } from './photos.ts';
import { writePictures } from './pictures.ts';
import { precompress } from './precompress.ts';
import { groupsIn } from './site-words.ts';
import { hashOfSources, writeStamp } from './stamp.mjs';

type Declarations = typeof import('../client/declarations.ts');
type Prerender = typeof import('../../src/prerender/prerender.tsx');

const dist = resolve('dist');
/** The build goes here first, so that a failed one leaves the last good build in `dist`. */
const next = resolve('dist.next');

/** Lists the names of the islands, one for each file of `src/islands`. */
export async function islandNames(): Promise<string[]> {
  const files = await readdir('src/islands');
  return files.filter((f) => /^[\w-]+\.tsx$/.test(f)).map((f) => f.replace(/\.tsx$/, ''));
}

/** These only create components and contexts: without a use, the bundler may remove their calls. */
const manualPureFunctions = [
  ...['chakra', 'createContext', 'createRecipeContext', 'createSlotRecipeContext', 'forwardRef'],
  ...['withContext', 'withProvider', 'withRootProvider', 'createAnatomy', 'createGuards'],
  ...['createMachine', 'createProps', 'createSplitProps', 'createIcon', 'lazy', 'memo'],
];

/** The renderer's bundle takes the config when it runs. */
export function configAtRunTime(): Plugin {
  return {
    name: 'config-at-run-time',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'renderer',
    load: {
      filter: { id: /\/site\.config\.ts$/ },
      handler: () => `export const site = globalThis.${configVariable};`,
    },
  };
}

/** Builds all environments into `dist`. */
export function siteBuild(): Plugin {
  return {
    name: 'site-build',
    async config(_, { command }) {
      const islands = await islandNames();
      return {
        // On slow machines rolldown would print timings of plugins, which confuse the owner.
        build: { rolldownOptions: { checks: { bundlerTimings: false } } },
        environments: {
          client: {
            build: {
              outDir: join(next, 'client'),
              manifest: true,
              // The boot code preloads modules itself, in fewer bytes than the polyfill.
              modulePreload: { polyfill: false },
              assetsInlineLimit: 0,
              rolldownOptions: {
                input: {
                  app: 'index.html',
                  boot: 'src/boot/boot.ts',
                  'opt-in': 'src/landing/opt-in.ts',
                  ...Object.fromEntries(islands.map((name) => [name, `src/islands/${name}.tsx`])),
                },
                // The boot code imports an island's `mount` by a URL that the bundler cannot see.
                preserveEntrySignatures: 'allow-extension',
                treeshake: {
                  manualPureFunctions,
                  // No screen uses what needs them: a function of Emotion, and tRPC over WebSocket.
                  moduleSideEffects: [
                    { test: /hoist-non-react-statics|[\\/]wsLink-/, sideEffects: false },
                  ],
                },
              },
            },
          },
          renderer: {
            consumer: 'server',
            build: {
              outDir: join(next, 'renderer'),
              copyPublicDir: false,
              // Inline scripts are functions of this bundle, as text.
              minify: true,
              rolldownOptions: { input: { renderer: 'src/prerender/prerender.tsx' } },
            },
            define: command === 'build' ? { 'process.env.NODE_ENV': '"production"' } : {},
            // The running site has no packages of the browser's. In development all code must share one copy of
            // React and emotion, and their contexts.
            resolve: {
              noExternal: command === 'build' || [/^@chakra-ui/, /^@emotion/, /^@ark-ui/],
            },
          },
          server: {
            consumer: 'server',
            build: {
              outDir: join(next, 'server'),
              copyPublicDir: false,
              rolldownOptions: {
                input: {
                  main: 'server/main.ts',
                  admin: 'server/cli/admin.ts',
                  'launch-check': 'server/launch-check/main.ts',
                  'render-process': 'server/content/render-process.ts',
                },
              },
            },
            // One file loads faster than two hundred. Left out are packages that load files of their own
            // by path, and large ones that only some sites load. In development Vite cannot run CommonJS.
            resolve: {
              noExternal: command === 'build' || [],
              external: ['@photostructure/sqlite', 'nodemailer', 'pg', 'pino', 'stripe'],
            },
          },
          api: {
            consumer: 'server',
            build: {
              outDir: join(next, 'api'),
              copyPublicDir: false,
              rolldownOptions: { input: { client: 'server/client/client.ts' } },
            },
          },
        },
        builder: { buildApp },
      };
    },
  };
}

async function buildApp(builder: ViteBuilder) {
  await checkSiteConfig();
  const hash = hashOfSources();
  await rm(next, { recursive: true, force: true });
  for (const name of ['client', 'renderer', 'server', 'api']) {
    const environment = builder.environments[name];
    if (environment) await builder.build(environment);
  }
  await writePages();
  await writeClientPackage();
  await precompress([join(next, 'client'), join(next, 'pages')]);
  writeStamp(next, hash);
  await rm(dist, { recursive: true, force: true });
  await rename(next, dist);
}

async function writePages() {
  const pages = join(next, 'pages');
  await mkdir(pages, { recursive: true });
  const app = await readFile(join(next, 'client/index.html'), 'utf8');
  await rm(join(next, 'client/index.html'));

  const manifestPath = join(next, 'client/.vite/manifest.json');
  const manifest: Manifest = JSON.parse(await readFile(manifestPath, 'utf8'));
  await rm(join(next, 'client/.vite'), { recursive: true });

  const { module } = await runnerImport<{ site: object }>('site.config.ts');
  Object.assign(globalThis, { [configVariable]: module.site });
  const entry = pathToFileURL(join(next, 'renderer/renderer.js')).href;
  const {
    renderSite,
    pictures: drawings,
    photos,
  }: Prerender = await import(/* @vite-ignore */ entry);
  const mistakes = await photoMistakes(photos);
  if (mistakes.length > 0) throw new SiteMistakes(mistakes);
  const client = join(next, 'client');
  const assets = await assetsFrom(manifest, await makePhotos({ wanted: photos, client }));
  const { documents, files, pictures } = renderSite(assets, app);
  for (const [name, text] of Object.entries(documents)) {
    await writeFile(join(pages, name.includes('.') ? name : `${name}.html`), text);
  }
  for (const [address, text] of Object.entries(files)) await writeFile(join(client, address), text);
  const renderer = join(next, 'renderer');
  const drawn = await writePictures(drawings, { client, renderer });
  const sources = Object.fromEntries(drawn.map((address) => [address, pictures[address]]));
  await writeFile(
    join(renderer, 'assets.json'),
    JSON.stringify({ assets, app, pictures: sources }),
  );
}

/** Makes the folder of the client a package of its own, so that it is installed without the server's packages. */
async function writeClientPackage() {
  const { module } = await runnerImport<Declarations>('server/client/declarations.ts');
  await writeFile(join(next, 'api/client.d.ts'), module.clientDeclarations());
  await writeFile(join(next, 'api/trpc.d.ts'), module.trpcDeclarations());
  const { name, version, license } = packageJson;
  const exports = {
    './client': { types: './client.d.ts', default: './client.js' },
    './trpc': { types: './trpc.d.ts' },
  };
  const peers = {
    peerDependencies: { '@trpc/server': '^11.0.0' },
    peerDependenciesMeta: { '@trpc/server': { optional: true } },
  };
  const client = { name, version, license, private: true, type: 'module', exports, ...peers };
  await writeFile(join(next, 'api/package.json'), JSON.stringify(client, null, 2));
}

async function assetsFrom(manifest: Manifest, photos: MadePhotos): Promise<PageAssets> {
  const files = (key: string): string[] => {
    const seen = new Set<string>();
    const visit = (k: string) => {
      const chunk = manifest[k];
      if (!chunk) throw new Error(`The build made no file for ${k}.`);
      if (seen.has(`/${chunk.file}`)) return;
      seen.add(`/${chunk.file}`);
      for (const next of chunk.imports ?? []) visit(next);
    };
    visit(key);
    return [...seen];
  };
  const islands = await islandNames();
  return {
    boot: files('src/boot/boot.ts')[0] ?? '',
    optIn: files('src/landing/opt-in.ts')[0] ?? '',
    words: groupsIn(join(next, 'client/assets')),
    photos,
    islands: Object.fromEntries(islands.map((name) => [name, files(`src/islands/${name}.tsx`)])),
  };
}
