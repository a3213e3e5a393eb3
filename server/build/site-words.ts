/**
 * Tree-shakes `site.config.ts` in the browser's files: they contain only the text that browser code uses,
 * because the prerendered pages contain the rest.
 *
 * A bundler cannot tree-shake an object. So the file becomes a module with one export for each group, and
 * imports of `site` become namespace imports, from which the bundler drops unused groups.
 */
import { type Plugin, runnerImport } from 'vite';

const imported = /import \{ site(?: as (\w+))? \} from (['"][^'"]*\/site\.config\.ts['"])/;

/** Groups with a default in `site.defaults.ts`: the bundler would warn about imports of missing ones. */
const optionalGroups = { currency: undefined, legal: undefined };

/** Returns the module that replaces the owner's file: one export for each group. */
export const wordsModule = (site: object): string =>
  Object.entries({ ...optionalGroups, ...site })
    .map(([group, words]) => `export const ${group} = ${JSON.stringify(words)};`)
    .join('\n');

/** Returns the code with a namespace import of `site`, or undefined when it does not import it. */
export function withWords(code: string): string | undefined {
  if (!imported.test(code)) return undefined;
  return code.replace(imported, (_, name = 'site', path) => `import * as ${name} from ${path}`);
}

/** Applies this to the client build. */
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
