/** What the boot script does with the page's native dialogs. */

/** The nearest element that matches the selector: the event's target or one of its ancestors. */
export const closest = (target: EventTarget | null, selector: string): HTMLElement | null =>
  // The target can be the document or the window, which have no `closest`.
  (target as Element | null)?.closest?.<HTMLElement>(selector) ?? null;

/** The dialog that a click on `target` opens or closes, if any. */
export const controlledDialog = (target: EventTarget | null) =>
  document.getElementById(
    closest(target, '[commandfor]')?.getAttribute('commandfor') ?? '',
  ) as HTMLDialogElement | null;

/**
 * Calls `onToggle` for each dialog that is already open, and whenever a dialog opens or closes, before
 * the next paint.
 */
export function watchDialogs(onToggle: (dialog: HTMLDialogElement) => void): void {
  const observer = new MutationObserver((records) => {
    for (const { target } of records) onToggle(target as HTMLDialogElement);
  });
  for (const dialog of document.querySelectorAll('dialog')) {
    observer.observe(dialog, { attributeFilter: ['open'] });
    if (dialog.open) onToggle(dialog);
  }
}

/** How long an opened dialog ignores clicks outside, in ms. */
const guardMs = 500;

/** Polyfills invoker commands (`command`, `commandfor`) and `closedby` for the page's dialogs. */
export function polyfillInvokers(): void {
  if (!('commandForElement' in HTMLButtonElement.prototype)) {
    addEventListener('click', ({ target }) => {
      const dialog = controlledDialog(target);
      if (closest(target, '[command=close]')) dialog?.close();
      else if (!dialog?.open) dialog?.showModal();
    });
  }
  if (!('closedBy' in HTMLDialogElement.prototype)) {
    let openedAt = 0;
    watchDialogs(({ open }) => {
      if (open) openedAt = performance.now();
    });
    // A text selection can end outside the dialog, which must not close it.
    let pointerTarget: HTMLDialogElement | undefined;
    addEventListener('pointerdown', (event) => {
      // Like `[data-guard]` of the dialog's recipe, which WebKit shows only when the dialog first opens.
      const isGuarded = performance.now() - openedAt < guardMs;
      pointerTarget = isGuarded ? undefined : dialogOfBackdrop(event);
    });
    addEventListener('click', (event) => {
      const dialog = dialogOfBackdrop(event);
      if (dialog === pointerTarget) dialog?.close();
    });
  }
}

/** The dialog whose backdrop an event hit: events on a backdrop have the dialog as their target. */
function dialogOfBackdrop({ target, offsetX: x, offsetY: y }: MouseEvent) {
  if (!(target instanceof HTMLDialogElement)) return undefined;
  const isInside = x > 0 && y > 0 && x < target.offsetWidth && y < target.offsetHeight;
  return isInside ? undefined : target;
}
