/**
 * The browser gets those of the owner's words that its own code says, and no others: the rest stands in
 * the pages already, which are rendered at build.
 *
 * An object is bundled whole, so `site.config.ts` becomes a module of one export for each of its groups,
 * and who imports `site` gets that module. The bundler leaves out the groups that nobody names; where it
 * cannot tell, it keeps them all.
 */
import { type Plugin, runnerImport } from 'vite';

const imported = /import \{ site(?: as (\w+))? \} from (['"][^'"]*\/site\.config\.ts['"])/;

/** The module that stands for the owner's file. */
export const wordsModule = (site: object): string =>
  Object.entries(site)
    .map(([group, words]) => `export const ${group} = ${JSON.stringify(words)};`)
    .join('\n');

/** A module whose `site` is that module, or undefined when it imports none. */
export function withWords(code: string): string | undefined {
  if (!imported.test(code)) return undefined;
  return code.replace(imported, (_, name = 'site', path) => `import * as ${name} from ${path}`);
}

/** Bundles the owner's words group by group into the browser's files. */
export function siteWords(): Plugin {
  return {
    name: 'site-words',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    load: {
      filter: { id: /\/site\.config\.ts$/ },
      async handler(id) {
        const { module } = await runnerImport<{ site: object }>(id);
        return wordsModule(module.site);
      },
    },
    transform: {
      filter: { code: /site\.config\.ts/ },
      handler(code) {
        const changed = withWords(code);
        return changed === undefined ? undefined : { code: changed, map: null };
      },
    },
  };
}
