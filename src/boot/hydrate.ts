/**
 * Hydrates the islands of a prerendered page (see `boot/island.tsx`): prefetches their code, runs it
 * on demand, and replays a submit or click that came before hydration.
 */

import { closest, controlledDialog } from '../ui/closest.ts';
import { watchDialogs } from '../ui/dialog-watch.ts';
import { afterLoad } from './after-load.ts';

/** Delay after `load` before all islands are prefetched. */
export const prefetchDelayMs = 2500;

/** Timeout after which a delayed form is submitted without its island. */
export const submitTimeoutMs = 15_000;

interface Island {
  mount(root: HTMLElement): Promise<void>;
}
type Hydrate = (root: HTMLElement) => Promise<void>;

const islands = () => document.querySelectorAll<HTMLElement>('[data-island]');

const islandIn = (dialog: Element | null) => dialog?.querySelector<HTMLElement>('[data-island]');

const filesOf = (root: HTMLElement) => root.dataset.files?.split(' ') ?? [];

/**
 * Starts hydration on demand. Returns a function that hydrates an island by name; undefined if the
 * page has no such island.
 */
export function hydrateIslands(): (name: string | undefined) => Promise<void> | undefined {
  const hydrations = new Map<HTMLElement, Promise<void>>();
  /** Islands whose events are no longer delayed: hydrated, or timed out. */
  const ready = new Set<HTMLElement>();

  const hydrate: Hydrate = (root) => {
    let promise = hydrations.get(root);
    if (!promise) {
      promise = import(/* @vite-ignore */ filesOf(root)[0] ?? '')
        .then((island: Island) => island.mount(root))
        .then(() => {
          ready.add(root);
        });
      hydrations.set(root, promise);
      // Clear a failure, so that the next opening retries.
      promise.catch(() => hydrations.delete(root));
    }
    return promise;
  };
  const hydrateNamed = (name: string | undefined) => {
    const root = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
    return root ? hydrate(root) : undefined;
  };

  watchDialogs((dialog) => {
    const root = islandIn(dialog);
    // Hydration blocks the main thread, so let the browser paint the dialog first.
    if (root && dialog.open) requestAnimationFrame(() => setTimeout(hydrate, 0, root));
  });
  addEventListener('hydrate', ({ detail }: CustomEventInit<string>) => hydrateNamed(detail));
  prefetchIslands(hydrate);
  delaySubmits(hydrate, ready);
  delayClicks(hydrate, ready);
  return hydrateNamed;
}

/** The island around `target`, unless it is inside a dialog. */
const inlineIslandAround = (target: EventTarget | null) =>
  closest(target, '[data-island]:not(dialog *)');

/**
 * Prefetches an island's code on intent (pointer, touch or focus), or else `prefetchDelayMs` after
 * `load` unless the data saver is on. Hydrates an inline island on intent; an island in a dialog is
 * hydrated when that opens.
 */
function prefetchIslands(hydrate: Hydrate): void {
  const fetched = new Set<HTMLElement>();
  const request = (root: HTMLElement, rel: 'modulepreload' | 'prefetch') => {
    if (fetched.has(root)) return;
    fetched.add(root);
    for (const href of filesOf(root)) {
      const link = document.createElement('link');
      document.head.append(Object.assign(link, { rel, as: 'script', href }));
    }
  };
  for (const type of ['pointerover', 'touchstart', 'focusin']) {
    const onIntent = ({ target }: Event) => {
      const root = islandIn(controlledDialog(target));
      if (root) request(root, 'modulepreload');
      const inline = inlineIslandAround(target);
      if (inline) hydrate(inline).catch(() => {});
    };
    addEventListener(type, onIntent, { passive: true });
  }
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  afterLoad(() => {
    for (const root of islands()) request(root, 'prefetch');
  }, prefetchDelayMs);
}

/**
 * Delays a submit until its island is hydrated, then submits the form again. If hydration fails or
 * times out, the browser submits the form natively.
 */
function delaySubmits(hydrate: Hydrate, ready: Set<HTMLElement>): void {
  const delay = async (event: SubmitEvent) => {
    const root = closest(event.target, '[data-island]');
    if (!root || ready.has(root)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (root.ariaBusy) return;
    root.ariaBusy = 'true';
    const timeout = new Promise((resolve) => setTimeout(resolve, submitTimeoutMs));
    await Promise.race([hydrate(root).catch(() => {}), timeout]);
    ready.add(root);
    root.ariaBusy = null;
    // In a new task: a form ignores `requestSubmit` while it dispatches a submit event.
    setTimeout(() => {
      // Hydration may have rebuilt the form, with the values restored.
      const form = event.target as HTMLFormElement;
      if (form.isConnected) form.requestSubmit(event.submitter);
      else root.querySelector('form')?.requestSubmit();
    });
  };
  addEventListener('submit', delay, true);
}

/** Delays a click on a button in an inline island until it is hydrated, then repeats it. */
function delayClicks(hydrate: Hydrate, ready: Set<HTMLElement>): void {
  const delay = (event: Event) => {
    const button = closest(event.target, 'button');
    const root = inlineIslandAround(button);
    if (!button || !root || ready.has(root)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    hydrate(root).then(
      () => button.click(),
      () => {},
    );
  };
  addEventListener('click', delay, true);
}
