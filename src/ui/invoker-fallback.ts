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
    addEventListener('click', ({ target, offsetX: x, offsetY: y }) => {
      const dialog = target as HTMLDialogElement;
      const isInside = x > 0 && y > 0 && x < dialog.offsetWidth && y < dialog.offsetHeight;
      if (dialog.open && dialog.matches('dialog') && !isInside) dialog.close();
    });
  }
}
