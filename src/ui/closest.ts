/** The nearest element that matches the selector: the event's target or one of its ancestors. */
export const closest = (target: EventTarget | null, selector: string): HTMLElement | null =>
  // The target can be the document or the window, which have no `closest`.
  (target as Element | null)?.closest?.<HTMLElement>(selector) ?? null;

/** The dialog that a click on `target` opens or closes, if any. */
export const controlledDialog = (target: EventTarget | null) =>
  document.getElementById(
    closest(target, '[commandfor]')?.getAttribute('commandfor') ?? '',
  ) as HTMLDialogElement | null;
