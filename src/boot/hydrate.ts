/**
 * Wakes the islands of a prerendered page (see `boot/island.tsx`): fetches their code ahead, runs it when
 * it is needed, and keeps what the visitor did before.
 */

import { closest, commandedBy } from '../ui/closest.ts';
import { watchDialogs } from '../ui/dialog-watch.ts';
import { afterLoad } from './after-load.ts';

/** How long after the load code is fetched that nobody asked for, and how long a held form waits. */
export const prefetchDelayMs = 2500;
export const submitTimeoutMs = 15_000;

interface Island {
  mount(root: HTMLElement): Promise<void>;
}
type Wake = (root: HTMLElement) => Promise<void>;

const islands = () => document.querySelectorAll<HTMLElement>('[data-island]');

const islandIn = (dialog: Element | null) => dialog?.querySelector<HTMLElement>('[data-island]');

const filesOf = (root: HTMLElement) => root.dataset.files?.split(' ') ?? [];

/** Answers with what wakes an island of the page by its name; there may be none of that name. */
export function hydrateIslands(): (name: string | undefined) => Promise<void> | undefined {
  const waking = new Map<HTMLElement, Promise<void>>();
  /** Islands whose forms are not held any more: they live, or were given up. */
  const released = new Set<HTMLElement>();

  const wake: Wake = (root) => {
    let promise = waking.get(root);
    if (!promise) {
      promise = import(/* @vite-ignore */ filesOf(root)[0] ?? '')
        .then((island: Island) => island.mount(root))
        .then(() => void released.add(root));
      waking.set(root, promise);
      // A failure is forgotten: the next opening tries again.
      promise.catch(() => waking.delete(root));
    }
    return promise;
  };
  const wakeNamed = (name: string | undefined) => {
    const root = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
    return root ? wake(root) : undefined;
  };

  watchDialogs((dialog) => {
    const root = islandIn(dialog);
    // Running the code takes a while: the dialog is painted first.
    if (root && dialog.open) requestAnimationFrame(() => setTimeout(wake, 0, root));
  });
  addEventListener('wake', ({ detail }: CustomEventInit<string>) => wakeNamed(detail));
  fetchAhead(wake);
  holdSubmits(wake, released);
  holdClicks(wake, released);
  return wakeNamed;
}

/** The island around a place that stands in the page itself, not in a dialog. */
const openIslandAround = (target: EventTarget | null) =>
  closest(target, '[data-island]:not(dialog *)');

/**
 * Fetches code when a visitor reaches for it, or else once the page is at rest. Runs that of an
 * island in the open when it is touched; what waits in a dialog runs when that is opened.
 */
function fetchAhead(wake: Wake): void {
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
    const reach = ({ target }: Event) => {
      const root = islandIn(commandedBy(target));
      if (root) request(root, 'modulepreload');
      const touched = openIslandAround(target);
      if (touched) wake(touched).catch(() => {});
    };
    addEventListener(type, reach, { passive: true });
  }
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  afterLoad(() => {
    for (const root of islands()) request(root, 'prefetch');
  }, prefetchDelayMs);
}

/**
 * Holds a form sent before its island lives, and sends it once it does. If the island does not come,
 * the browser sends the form by itself.
 */
function holdSubmits(wake: Wake, released: Set<HTMLElement>): void {
  const hold = async (event: SubmitEvent) => {
    const root = closest(event.target, '[data-island]');
    if (!root || released.has(root)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (root.ariaBusy) return;
    root.ariaBusy = 'true';
    const late = new Promise((resolve) => setTimeout(resolve, submitTimeoutMs));
    await Promise.race([wake(root).catch(() => {}), late]);
    released.add(root);
    root.ariaBusy = null;
    // In a task of its own: a form does not submit again while it still tells of a submit.
    setTimeout(() => {
      // It may have been built anew, with what was typed.
      const form = event.target as HTMLFormElement;
      if (form.isConnected) form.requestSubmit(event.submitter);
      else root.querySelector('form')?.requestSubmit();
    });
  };
  addEventListener('submit', hold, true);
}

/** Holds a press of a button in an open island that does not live yet, and repeats it once it does. */
function holdClicks(wake: Wake, released: Set<HTMLElement>): void {
  const hold = (event: Event) => {
    const button = closest(event.target, 'button');
    const root = openIslandAround(button);
    if (!button || !root || released.has(root)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    wake(root).then(
      () => button.click(),
      () => {},
    );
  };
  addEventListener('click', hold, true);
}
