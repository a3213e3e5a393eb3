import { isDeepStrictEqual } from 'node:util';
import type { SiteConfig } from '../../site.defaults.ts';
import { createRenderer } from '../content/renderer.ts';
import { createPages, type Pages, readBuild, withRendered } from '../http/pages/pages.ts';
import type { TemplateVariables } from '../http/pages/template.ts';
import { embedsOf } from './configured.ts';

/** Makes the pages of a config. One that was made last is made without rendering. */
export type SitePages = (config: SiteConfig) => Pages | Promise<Pages>;

/**
 * Reads the build in `dist` into memory. The pages of the config that it was made from are in it; those of any
 * other are rendered.
 *
 * @param built the config of the build
 * @param settings the template variables of the server's settings
 */
export function sitePages(
  dist: string,
  { built, settings }: { built: SiteConfig; settings: TemplateVariables },
): SitePages {
  const build = readBuild(dist);
  const render = createRenderer(dist);
  let last = { config: built, contents: build };
  return async (config) => {
    const known = [last, { config: built, contents: build }].find((one) =>
      isDeepStrictEqual(one.config, config),
    );
    last = known ?? { config, contents: await withRendered(build, await render(config)) };
    return createPages(last.contents, embedsOf(config), settings);
  };
}
