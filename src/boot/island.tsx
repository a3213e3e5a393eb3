/**
 * Islands: the parts of a prerendered page that have state.
 *
 *     // src/islands/contact.tsx: the file's name is the island's name
 *     export const { name, Component, mount } = island('contact', ContactForm);
 *
 *     // in a dialog of a prerendered page
 *     <Island name="contact" />
 *
 * The build renders each island as a separate root, so that its ids do not depend on the page. The
 * boot script (`boot/hydrate.ts`) downloads the file on intent and calls `mount` when the dialog
 * around it opens. Only that subtree is hydrated.
 *
 * Fields in an island must be uncontrolled: React state would not have the text that was typed before
 * hydration.
 */
import type { EmotionCache } from '@emotion/cache';
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
} from 'react';
import { hydrateRoot } from 'react-dom/client';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { system } from '../theme/theme.ts';

export interface IslandModule {
  name: string;
  Component: ComponentType;
  /** Hydrates `root`; resolves when the island handles events. */
  mount(root: HTMLElement): Promise<void>;
}

/** Prefix that makes the ids of an island unique in its page. */
export const idPrefix = (name: string) => `${name}-`;

/** Defines the island `name` around a component. */
export function island(name: string, Component: ComponentType): IslandModule {
  return {
    name,
    Component,
    mount: (root) =>
      new Promise((resolve) => {
        const restoreFields = captureFields(root);
        hydrateRoot(
          root,
          <AppProviders cache={pageCache()} value={systemWithoutGlobals}>
            <Hydrated onLayout={restoreFields} onReady={resolve}>
              <Component />
            </Hydrated>
          </AppProviders>,
          {
            identifierPrefix: idPrefix(name),
            onRecoverableError: (error) => console.error(`Island ${name}:`, error),
          },
        );
      }),
  };
}

/** The theme of islands: the page's stylesheet has its global styles. */
const systemWithoutGlobals = { ...system, _global: [] };

/**
 * Calls `onLayout` after hydration, and `onReady` after the effects of the component. It is a wrapper,
 * since a sibling would shift the ids of `useId`.
 */
function Hydrated({
  onLayout,
  onReady,
  children,
}: {
  onLayout: () => void;
  onReady: () => void;
  children: ReactNode;
}) {
  useLayoutEffect(onLayout, [onLayout]);
  useEffect(onReady, [onReady]);
  return children;
}

/**
 * Captures the island's fields. Returns a function that restores their values, focus and selection
 * after hydration: translators and password managers change a page's markup, in which case React
 * rebuilds the island with empty fields.
 */
function captureFields(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name]')];
  let focused = fields.find((field) => field === document.activeElement);
  const onFocus = ({ target }: FocusEvent) => {
    focused = fields.find((field) => field === target) ?? focused;
  };
  root.addEventListener('focusin', onFocus);
  return () => {
    root.removeEventListener('focusin', onFocus);
    for (const old of fields) {
      if (old.isConnected) continue;
      const field = root.querySelector<typeof old>(`[name="${old.name}"]`);
      if (!field) continue;
      field.value = old.value;
      if (old !== focused) continue;
      field.focus();
      // Fields of type `email` have no selection.
      if (old.selectionStart !== null)
        field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
}

let cache: EmotionCache | undefined;

/** The shared cache of all islands, which contains the rules of the page's stylesheet. */
function pageCache(): EmotionCache {
  if (cache) return cache;
  cache = styleCache();
  for (const sheet of document.styleSheets) {
    const text = sheet.ownerNode?.textContent ?? '';
    for (const [, id] of text.matchAll(/\.css-([\w-]+)/g)) if (id) cache.inserted[id] = true;
  }
  return cache;
}

/** The markup of an island and the URLs of its files, the entry first. */
export interface PrerenderedIsland {
  html: string;
  files: string[];
}

/** At build, renders an island by its name; undefined if it does not exist. */
export const IslandRenderer = createContext<(name: string) => PrerenderedIsland | undefined>(
  () => undefined,
);

/** Places an island in a prerendered page. */
export function Island({ name }: { name: string }) {
  const island = useContext(IslandRenderer)(name);
  if (!island) throw new Error(`There is no island src/islands/${name}.tsx.`);
  return (
    <div
      data-island={name}
      data-files={island.files.join(' ')}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the island's own markup, rendered at build
      dangerouslySetInnerHTML={{ __html: island.html }}
    />
  );
}
