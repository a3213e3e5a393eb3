import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Isolates each test of a file: removes its window and document listeners, timers, markup, stubs and
 * fake clock afterwards.
 */
export function isolateEachTest(): void {
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
