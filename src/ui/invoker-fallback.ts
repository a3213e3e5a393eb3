import { closest, controlledDialog } from './closest.ts';

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
    // A text selection can end outside the dialog, which must not close it.
    let pointerTarget: HTMLDialogElement | undefined;
    addEventListener('pointerdown', (event) => {
      pointerTarget = dialogOfBackdrop(event);
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
