/**
 * Removes Vite's preload helper (0.7 kB) from dynamic imports.
 *
 * The helper preloads the styles and static imports of a lazy chunk. Our chunks have no styles, and their
 * imports are already on the page.
 */
import type { Plugin } from 'vite';

const helper = '\0vite/preload-helper.js';

/** Replaces the preload helper by a plain `import()`. */
export function bareImports(): Plugin {
  return {
    name: 'bare-imports',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /vite\/preload-helper\.js$/ },
      handler: (id) =>
        id === helper ? 'export const __vitePreload = (load) => load();' : undefined,
    },
  };
}
