/** The dialogs of the public pages, by their id. */
export type DialogId = 'strategy-call' | 'inbox-review' | 'contact' | 'quiz';

/**
 * Attributes that make a `<button>` open a dialog. The browser does it by itself, before any script
 * has run. Spread them on a plain element: Chakra's components drop them.
 */
export const opens = (id: DialogId) =>
  ({ type: 'button', command: 'show-modal', commandfor: id }) as const;

/** Attributes that make a `<button>` close a dialog. */
export const closes = (id: DialogId) =>
  ({ type: 'button', command: 'close', commandfor: id }) as const;
