import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { iconOf, optInOf, type SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { pictureData } from '../content/draw.ts';
import { createRenderer, type Shown } from '../content/renderer.ts';
import type { ContentStore } from '../content/store.ts';
import type { PageVariables } from '../contract/pages.ts';
import { withWords } from '../contract/words/words.ts';
import type { Env } from '../env.ts';
import {
  addFiles,
  createPages,
  type PageContents,
  type Pages,
  readBuild,
  withRendered,
} from '../http/pages/pages.ts';
import { createPictures } from '../http/pages/pictures.ts';
import { createPreview, type Scheme } from '../http/pages/preview.ts';
import type { TemplateVariables } from '../http/pages/template.ts';
import type { Embeds } from '../http/security.ts';
import type { Log } from '../log.ts';
import { createQueue } from '../queue.ts';

/** Reads an uploaded photo; undefined when none is at the address. */
type ReadPhoto = (address: string) => Promise<Uint8Array | undefined>;

/** What makes pages. */
export interface SitePages {
  /**
   * The pages that show this, with the settings of `env`. The last rendering is kept, so that the same config is not
   * rendered twice.
   */
  of(shown: Shown, site: { env: Env; readPhoto: ReadPhoto }): Pages | Promise<Pages>;
  /** One page, in which texts and photos lead to their fields. */
  preview(
    shown: Shown,
    page: keyof PageVariables,
    { env, scheme }: { env: Env; scheme: Scheme | undefined },
  ): Promise<Pick<Pages, 'fill'>>;
  /** Serves from now on the texts that scripts load on pages of these configs. */
  addWords(configs: readonly SiteConfig[]): Promise<void>;
}

/** How many versions `createWordsFinder` reads at once: tabs are rarely open through more publishes. */
const mostVersions = 50;

/**
 * Creates the function that adds the texts of versions that these pages have not shown: an open tab may have the page
 * of another instance, or of this one before a restart.
 */
export function createWordsFinder(
  { addWords }: Pick<SitePages, 'addWords'>,
  { store, file }: { store: Pick<ContentStore, 'shownAfter'>; file: SiteConfig },
) {
  let newest = 0;
  const queue = createQueue();
  return (): Promise<void> =>
    queue(async () => {
      const versions = await store.shownAfter(newest, { file, limit: mostVersions });
      const configs = versions.flatMap(({ config }) => config ?? []);
      if (configs.length > 0) await addWords(configs);
      newest = Math.max(newest, ...versions.map(({ id }) => id));
    });
}

/**
 * Reads the build in `dist` into memory. The pages of the config that it was made from are in it; those of any
 * other are rendered.
 *
 * @param built the config of the build
 * @param settings makes the template variables of the server's settings in a language
 */
export function sitePages(
  dist: string,
  {
    built,
    settings,
    log,
  }: {
    built: SiteConfig;
    settings: (env: Env, language: string) => TemplateVariables;
    log: Log;
  },
): SitePages {
  const build = readBuild(dist);
  const render = createRenderer(dist);
  const sources: Record<string, string> = JSON.parse(
    readFileSync(join(dist, 'renderer/assets.json'), 'utf8'),
  ).pictures;
  const picturesOf = createPictures({
    ...{ built: sources, files: build.files, now: Date.now, log },
  });
  const settingsOf = (env: Env, config: SiteConfig) => settings(env, withWords(config).language);
  /** The config with the bytes of its icon, since what draws has no access to photos. */
  const withIcon = async (config: SiteConfig, readPhoto: ReadPhoto): Promise<SiteConfig> => {
    const address = iconOf(config);
    if (address === '') return config;
    const bytes = (await readPhoto(address)) ?? build.files.get(address)?.identity.body;
    if (!bytes) throw new Error(`There is no picture at ${address}.`);
    return { ...config, seo: { ...config.seo, icon: pictureData(address, bytes) } };
  };
  let last: { shown: Shown; contents: PageContents } | undefined;
  return {
    async of({ config, photos }, { env, readPhoto }) {
      const draw = async (addresses: string[]) =>
        render.pictures(await withIcon(config, readPhoto), addresses);
      // The build has made the photos of its config from their files.
      const isBuilt = isDeepStrictEqual(withWords(config), withWords(built));
      const shown = { config, photos };
      if (!isBuilt && !isDeepStrictEqual(last?.shown, shown)) {
        const rendered = await render.site(shown);
        const pictures = await picturesOf(rendered.pictures, draw);
        last = { shown, contents: { ...(await withRendered(build, rendered)), pictures } };
      }
      const contents =
        isBuilt || !last ? { ...build, pictures: await picturesOf(sources, draw) } : last.contents;
      return createPages(contents, embedsOf(config), settingsOf(env, config));
    },
    preview: async (shown, page, { env, scheme }) =>
      createPreview(await render.preview(shown, page), settingsOf(env, shown.config), scheme),
    addWords: async (configs) => addFiles(build, await render.words(configs, built)),
  };
}

/** What documents may load from: the connected calendars, or the site's own, and the opt-in script. */
function embedsOf(config: SiteConfig): Embeds {
  const { script, hosts } = optInOf(config);
  return {
    frames: Object.values(config.schedulers).map((address) =>
      isPlaceholder(address) ? '/book' : address,
    ),
    scripts: [...(script ? [script] : []), ...hosts],
  };
}
