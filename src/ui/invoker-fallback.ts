import { closest, commandedBy } from './closest.ts';

/** Answers `command` and `closedby` of the page's dialogs, as far as the browser does not. */
export function standInForInvokers(): void {
  if (!('commandForElement' in HTMLButtonElement.prototype)) {
    addEventListener('click', ({ target }) => {
      const dialog = commandedBy(target);
      if (closest(target, '[command=close]')) dialog?.close();
      else if (!dialog?.open) dialog?.showModal();
    });
  }
  if (!('closedBy' in HTMLDialogElement.prototype)) {
    // Whoever selects text may end beside the dialog, and does not mean to leave it.
    let pressed: HTMLDialogElement | undefined;
    addEventListener('pointerdown', (event) => {
      pressed = dialogBeside(event);
    });
    addEventListener('click', (event) => {
      const dialog = dialogBeside(event);
      if (dialog === pressed) dialog?.close();
    });
  }
}

/** The dialog beside which an event happened: on its backdrop, which is part of it. */
function dialogBeside({ target, offsetX: x, offsetY: y }: MouseEvent) {
  if (!(target instanceof HTMLDialogElement)) return undefined;
  const isInside = x > 0 && y > 0 && x < target.offsetWidth && y < target.offsetHeight;
  return isInside ? undefined : target;
}
