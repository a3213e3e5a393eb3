/**
 * Hydrates the islands of a prerendered page (see `boot/island.tsx`): loads their code on intent, runs
 * it on demand, and replays a submit that came before hydration.
 */

import { closest, controlledDialog, watchDialogs } from '../ui/native-dialogs.ts';

/** Timeout after which a delayed form is submitted without its island. */
export const submitTimeoutMs = 15_000;

interface Island {
  mount(root: HTMLElement): Promise<void>;
}
type Hydrate = (root: HTMLElement) => Promise<void>;
type Download = (root: HTMLElement) => Promise<unknown>;

/** Runs `work` once for each island; after a failure, the next call runs it again. */
function oncePerIsland<T>(work: (root: HTMLElement) => Promise<T>): typeof work {
  const runs = new Map<HTMLElement, Promise<T>>();
  return (root) => {
    let run = runs.get(root);
    if (!run) {
      run = work(root);
      runs.set(root, run);
      run.catch(() => runs.delete(root));
    }
    return run;
  };
}

const islandIn = (dialog: Element | null) => dialog?.querySelector<HTMLElement>('[data-island]');

const filesOf = (root: HTMLElement) => root.dataset.files?.split(' ') ?? [];

/**
 * Starts hydration on demand. Returns a function that hydrates an island by name; undefined if the
 * page has no such island.
 */
export function hydrateIslands(): (name: string) => Promise<void> | undefined {
  /** Islands whose events are no longer delayed: hydrated, or timed out. */
  const ready = new Set<HTMLElement>();

  // Into the HTTP cache, so that `import` cannot fail on the network: Chromium 143 caches a failed
  // import, and would never request the URL again.
  const download = oncePerIsland((root) => Promise.all(filesOf(root).map(fetchFile)));
  const hydrate = oncePerIsland(async (root) => {
    await download(root);
    const island: Island = await import(/* @vite-ignore */ filesOf(root)[0] ?? '');
    await island.mount(root);
    ready.add(root);
  });
  watchDialogs((dialog) => {
    const root = islandIn(dialog);
    // Hydration blocks the main thread, so let the browser paint the dialog first.
    if (root && dialog.open) requestAnimationFrame(() => setTimeout(hydrate, 0, root));
  });
  downloadOnIntent(download);
  delaySubmits(hydrate, ready);
  return (name) => {
    const root = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
    return root ? hydrate(root) : undefined;
  };
}

async function fetchFile(url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  await response.blob();
}

/** Downloads an island's code on intent to open its dialog: pointer, touch or focus. */
function downloadOnIntent(download: Download): void {
  for (const type of ['pointerover', 'touchstart', 'focusin']) {
    const onIntent = ({ target }: Event) => {
      const root = islandIn(controlledDialog(target));
      // Opening the dialog tries again.
      if (root) download(root).catch(() => {});
    };
    addEventListener(type, onIntent, { passive: true });
  }
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
