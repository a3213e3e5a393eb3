/**
 * Keeps the owner's texts out of the browser's scripts, so that a text can change without a build: scripts import
 * the groups that they use from `/words.js`, which the import map of each page leads to a file of that page's
 * version (`src/prerender/words.ts`).
 *
 * A bundler cannot tree-shake an object. So `site.config.ts` becomes a module with one export for each group, and
 * imports of `site` become namespace imports, from which the bundler drops unused groups.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import { wordsUrl } from '../contract/pages.ts';

const imported = /import \{ site(?: as (\w+))? \} from (['"][^'"]*\/site\.config\.ts['"])/;

/** Groups with a default in `site.defaults.ts`: the bundler would warn about imports of missing ones. */
const optionalGroups = { currency: undefined, legal: undefined };

/** Returns the module that replaces the owner's file: one export for each group. */
export const groupsModule = (site: object): string =>
  `export { ${Object.keys({ ...optionalGroups, ...site }).join(', ')} } from '${wordsUrl}';`;

/** Returns the code with a namespace import of `site`, or undefined when it does not import it. */
export function withGroups(code: string): string | undefined {
  if (!imported.test(code)) return undefined;
  return code.replace(imported, (_, name = 'site', path) => `import * as ${name} from ${path}`);
}

/** The groups that the scripts of `folder` import, in alphabetical order. */
export function groupsIn(folder: string): string[] {
  const groups = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(wordsImport)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.split(' as ')[0] ?? ''));
  return [...new Set(groups)].sort();
}

/** The bundler writes named imports, without spaces around the names. */
const wordsImport = new RegExp(`import ?\\{([^}]*)\\} ?from ?["'\`]${wordsUrl}["'\`]`, 'g');

/** Applies this to the client build. */
export function siteWords(): Plugin {
  return {
    name: 'site-words',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /^\/words\.js$/ },
      handler: (id) => ({ id, external: 'absolute', moduleSideEffects: false }),
    },
    load: {
      filter: { id: /\/site\.config\.ts$/ },
      async handler(id) {
        const { module } = await runnerImport<{ site: object }>(id);
        return groupsModule(module.site);
      },
    },
    transform: {
      filter: { code: /site\.config\.ts/ },
      handler(code) {
        const changed = withGroups(code);
        return changed === undefined ? undefined : { code: changed, map: null };
      },
    },
  };
}
