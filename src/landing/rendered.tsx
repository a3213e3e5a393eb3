/** For tests: markup as the build writes it. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Islands } from '../island.tsx';
import { Shell, styleCache } from '../shell.tsx';

/** `element` as prerendered HTML, with empty islands. */
export function rendered(element: ReactElement): string {
  const island = { html: '', files: [] };
  return renderToStaticMarkup(
    <Shell cache={styleCache()}>
      <Islands value={() => island}>{element}</Islands>
    </Shell>,
  );
}
