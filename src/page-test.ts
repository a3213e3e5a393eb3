import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Makes each test of a file a page of its own: what it listens for on window or document ends with
 * it, as do its markup, its stand-ins and its fake clock.
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
  });

  afterEach(() => {
    for (const end of ends.splice(0)) end();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    document.body.innerHTML = '';
    for (const name of document.documentElement.getAttributeNames()) {
      document.documentElement.removeAttribute(name);
    }
    sessionStorage.clear();
  });
}
