/**
 * Keeps the owner's texts out of the browser's scripts, so that a text can change without a build: scripts import
 * the groups that they use from `/words.js`, which the import map of each page leads to a file of that page's
 * version (`src/prerender/words.ts`).
 *
 * A bundler cannot tree-shake an object. So `site.config.ts`, also in the place of `src/ui/site-words.ts`, becomes a module
 * with one export for each group, and imports of `site` and `words` become namespace imports, from which the bundler drops
 * unused groups.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** The bundler writes named imports, or exports of a module's own, without spaces around the names. */
const wordsImport = new RegExp(
  `(?:import|export) ?\\{([^}]*)\\} ?from ?["'\`]${wordsUrl}["'\`]`,
  'g',
);

/** Applies this to the client build. */
export function siteWords(): Plugin {
  return {
    name: 'site-words',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId: {
      filter: { id: /^\/words\.js$|\/site-words\.ts$/ },
      handler: (id) =>
        id === wordsUrl
          ? { id, external: 'absolute', moduleSideEffects: false }
          : resolve('site.config.ts'),
    },
    load: {
      filter: { id: /\/site\.config\.ts$/ },
      async handler(id) {
        const { module } = await runnerImport<{ site: object }>(id);
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
