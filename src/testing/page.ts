import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Makes each test of a file a page of its own: its listeners on window and document, its timers, its
 * markup, its stand-ins and its fake clock end with it.
 */
export function eachTestIsAPage(): void {
  const ends: (() => void)[] = [];

  beforeEach(() => {
    for (const target of [window, document] as EventTarget[]) {
      const add = target.addEventListener.bind(target);
      vi.spyOn(target, 'addEventListener').mockImplementation((...listener) => {
        ends.push(() => target.removeEventListener(...listener));
        add(...listener);
      });
    }
    const start = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((...timer: Parameters<typeof start>) => {
      const started = start(...timer);
      ends.push(() => clearTimeout(started));
      return started;
    }) as typeof start);
  });

  afterEach(() => {
    vi.useRealTimers();
    for (const end of ends.splice(0)) end();
    vi.unstubAllGlobals();
    document.body.innerHTML = '';
    for (const name of document.documentElement.getAttributeNames()) {
      document.documentElement.removeAttribute(name);
    }
    sessionStorage.clear();
  });
}
