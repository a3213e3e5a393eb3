/**
 * Ignores the repeats of a held Enter key, except in a text area. A submit can close its dialog and return
 * the focus to the button that opened it, which the next repeat would press again.
 */
export function ignoreHeldEnter(): void {
  addEventListener(
    'keydown',
    (event) => {
      if (!event.repeat || event.key !== 'Enter') return;
      if (!(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
    },
    { capture: true },
  );
}
