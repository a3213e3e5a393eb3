/** Test helper: markup as the build writes it. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { IslandRenderer } from '../boot/island.tsx';

/** `element` as prerendered HTML, with empty islands. */
export function rendered(element: ReactElement): string {
  const island = { html: '', files: [] };
  return renderToStaticMarkup(
    <AppProviders cache={styleCache()}>
      <IslandRenderer value={() => island}>{element}</IslandRenderer>
    </AppProviders>,
  );
}
