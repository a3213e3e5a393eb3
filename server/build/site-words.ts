/**
 * Keeps the owner's texts out of the browser's scripts, so that a text can change without a build: scripts import
 * the groups that they use from `/words.js`, which the import map of each page leads to a file of that page's
 * version (`src/prerender/words.ts`).
 *
 * A bundler cannot tree-shake an object. So `site.config.ts` and `src/ui/site-words.ts` become a module with one export for
 * each group, and imports of `site` and `words` become namespace imports, from which the bundler drops unused groups.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import { wordsUrl } from '../contract/pages.ts';
import { en } from '../contract/words/en.ts';

const imported =
  /import \{ (site|words)(?: as (\w+))? \} from (['"][^'"]*\/site(?:\.config|-words)\.ts['"])/g;

/** Groups that a config may lack: the bundler would warn about imports of missing ones. */
const optionalGroups = { currency: undefined, language: undefined, ...en };

/** Returns the module that replaces the owner's file: one export for each group. */
export const groupsModule = (site: object): string =>
  `export { ${Object.keys({ ...optionalGroups, ...site }).join(', ')} } from '${wordsUrl}';`;

/** Returns the code with namespace imports of `site` and `words`, or undefined when it imports neither. */
export function withGroups(code: string): string | undefined {
  const changed = code.replace(
    imported,
    (_, value, name = value, path) => `import * as ${name} from ${path}`,
  );
  return changed === code ? undefined : changed;
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
      filter: { id: /\/(site\.config|src\/ui\/site-words)\.ts$/ },
      async handler() {
        const { module } = await runnerImport<{ site: object }>('site.config.ts');
        return groupsModule(module.site);
      },
    },
    transform: {
      filter: { code: /site(\.config|-words)\.ts/ },
      handler(code) {
        const changed = withGroups(code);
        return changed === undefined ? undefined : { code: changed, map: null };
      },
    },
  };
}
