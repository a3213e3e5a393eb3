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
