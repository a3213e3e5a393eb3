/** The ids of the dialogs of the public pages, in the order of the page. */
export const dialogIds = ['strategy-call', 'inbox-review', 'contact', 'quiz'] as const;

export type DialogId = (typeof dialogIds)[number];

/**
 * Props that make a `<button>` open a dialog natively, before any script has run (invoker commands).
 * Spread them on a plain element: Chakra's components drop them.
 */
export const openProps = (id: DialogId) =>
  ({ type: 'button', command: 'show-modal', commandfor: id }) as const;

/** Props that make a `<button>` close a dialog. */
export const closeProps = (id: DialogId) =>
  ({ type: 'button', command: 'close', commandfor: id }) as const;
