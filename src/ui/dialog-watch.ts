/**
 * Tells of each dialog that opens or closes, however that came about, and at once of those that are
 * open already. It is told before the next paint.
 */
export function watchDialogs(changed: (dialog: HTMLDialogElement) => void): void {
  const observer = new MutationObserver((records) => {
    for (const { target } of records) changed(target as HTMLDialogElement);
  });
  for (const dialog of document.querySelectorAll('dialog')) {
    observer.observe(dialog, { attributeFilter: ['open'] });
    if (dialog.open) changed(dialog);
  }
}
