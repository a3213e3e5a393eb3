/**
 * Lazy parts of the app are fetched by a bare `import()`.
 *
 * Vite wraps each in a helper that fetches the part's styles and its own imports ahead, 0.7 kB. Our
 * parts have no styles, and what they import is in the page already.
 */
import type { Plugin } from 'vite';

const helper = '\0vite/preload-helper.js';

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
