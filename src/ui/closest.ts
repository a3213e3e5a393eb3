/** The element of an event, or the nearest around it, that fits the selector. */
export const closest = (target: EventTarget | null, selector: string): HTMLElement | null =>
  // A document or a window can be a target too.
  (target as Element | null)?.closest?.<HTMLElement>(selector) ?? null;

/** The dialog that a press on `target` opens or closes, if any. */
export const commandedBy = (target: EventTarget | null) =>
  document.getElementById(
    closest(target, '[commandfor]')?.getAttribute('commandfor') ?? '',
  ) as HTMLDialogElement | null;
