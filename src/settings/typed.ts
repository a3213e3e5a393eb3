/** What is typed into a form of Settings, kept in this tab until it is sent, so that a reload loses nothing. No secrets. */

/** What was kept under a key; undefined when nothing was, or the storage is blocked. */
export function readTyped(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it; undefined deletes it. */
export function keepTyped(key: string, typed: unknown): void {
  try {
    if (typed === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(typed));
  } catch {
    // Storage is blocked or full: the form works without it.
  }
}
