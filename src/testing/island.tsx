import { renderToString } from 'react-dom/server';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { type IslandModule, idPrefix } from '../boot/island.tsx';

/** Renders an island into an open dialog as the build does, without hydrating it. */
export function prerender({ name, Component }: IslandModule): HTMLElement {
  const html = renderToString(
    <AppProviders cache={styleCache()}>
      <Component />
    </AppProviders>,
    { identifierPrefix: idPrefix(name) },
  );
  document.body.innerHTML = `<dialog id="${name}"><div data-island="${name}">${html}</div></dialog>`;
  document.querySelector('dialog')?.showModal();
  const root = document.querySelector<HTMLElement>('[data-island]');
  if (!root) throw new Error('The page has no island.');
  return root;
}
