/**
 * Islands: the parts of a prerendered page that have state.
 *
 *     // src/islands/contact.tsx: the file's name is the island's name
 *     export const { Component, mount } = island('contact', ContactForm);
 *
 *     // anywhere in a prerendered page
 *     <Island name="contact" />
 *
 * The build renders the component by a root of its own, so its ids do not depend on the page around
 * it. The boot script (`boot/hydrate.ts`) fetches the file ahead and calls `mount` once it is needed: when
 * the dialog around it opens, when it is touched, or at a `wake` event with its name. Only that
 * subtree is hydrated.
 * Fields in an island are uncontrolled: what was typed before it woke would be missing from state,
 * and lost.
 */
import type { EmotionCache } from '@emotion/cache';
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
} from 'react';
import { hydrateRoot } from 'react-dom/client';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { systemOfTokens } from '../theme/page-tokens.ts';

export interface IslandModule {
  name: string;
  Component: ComponentType;
  /** Hydrates `root`; resolves once the island answers events. */
  mount(root: HTMLElement): Promise<void>;
}

/** The prefix that keeps the ids of one island apart from the page's and the other islands'. */
export const idPrefix = (name: string) => `${name}-`;

export function island(name: string, Component: ComponentType): IslandModule {
  return {
    name,
    Component,
    mount: (root) =>
      new Promise((resolve) => {
        const bringBack = rememberFields(root);
        const awake = () => {
          bringBack();
          resolve();
        };
        hydrateRoot(
          root,
          <AppProviders cache={pageCache()} value={systemOfTokens}>
            <Awake then={awake}>
              <Component />
            </Awake>
          </AppProviders>,
          {
            identifierPrefix: idPrefix(name),
            onRecoverableError: (error) => console.error(`Island ${name}:`, error),
          },
        );
      }),
  };
}

/** It stands around the component, not beside it: a sibling would shift the ids of `useId`. */
function Awake({ then, children }: { then: () => void; children: ReactNode }) {
  useLayoutEffect(then, [then]);
  return children;
}

/**
 * Translators and password managers change a page's markup. Then hydration builds the island anew,
 * and its fields are empty: the answer, called in the same task, brings back what was typed, and the
 * place where the visitor was typing.
 */
function rememberFields(root: HTMLElement): () => void {
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[name]')];
  let typing = fields.find((field) => field === document.activeElement);
  const follow = ({ target }: FocusEvent) => {
    typing = fields.find((field) => field === target) ?? typing;
  };
  root.addEventListener('focusin', follow);
  return () => {
    root.removeEventListener('focusin', follow);
    for (const old of fields) {
      if (old.isConnected) continue;
      const field = root.querySelector<typeof old>(`[name="${old.name}"]`);
      if (!field) continue;
      field.value = old.value;
      if (old !== typing) continue;
      field.focus();
      // Fields for e-mail addresses do not tell.
      if (old.selectionStart !== null)
        field.setSelectionRange(old.selectionStart, old.selectionEnd);
    }
  };
}

let cache: EmotionCache | undefined;

/** The cache of all islands; it knows which rules the page's own stylesheet already holds. */
function pageCache(): EmotionCache {
  if (cache) return cache;
  cache = styleCache();
  for (const sheet of document.styleSheets) {
    const text = sheet.ownerNode?.textContent ?? '';
    for (const [, id] of text.matchAll(/\.css-([\w-]+)/g)) if (id) cache.inserted[id] = true;
  }
  return cache;
}

/** An island as it stands in a page: its markup and the addresses of its files. */
export interface Prerendered {
  html: string;
  files: string[];
}

/** At build: renders an island by its name, or undefined when there is none. */
export const Islands = createContext<(name: string) => Prerendered | undefined>(() => undefined);

/** The place of an island in a prerendered page. */
export function Island({ name }: { name: string }) {
  const found = useContext(Islands)(name);
  if (!found) throw new Error(`There is no island src/islands/${name}.tsx.`);
  return (
    <div
      data-island={name}
      data-files={found.files.join(' ')}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own render of the island, made at build
      dangerouslySetInnerHTML={{ __html: found.html }}
    />
  );
}
