import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { followHash } from './scroll.ts';

isolateEachTest();

const scrolled = vi.fn();
let prefersReducedMotion = false;
let resolveFonts = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  scrolled.mockReset();
  prefersReducedMotion = false;
  vi.stubGlobal('scrollTo', scrolled);
  vi.stubGlobal('scrollY', 300);
  // happy-dom fires `hashchange` in cases where a browser does not.
  vi.stubGlobal('location', { pathname: '/', hash: '' });
  vi.spyOn(history, 'pushState').mockImplementation(() => {
    location.hash = '';
  });
  vi.stubGlobal('matchMedia', () => ({ matches: prefersReducedMotion }));
  const ready = new Promise<void>((resolve) => (resolveFonts = resolve));
  Object.defineProperty(document, 'fonts', { value: { ready }, configurable: true });
  document.body.innerHTML = `
    <a href="/">Home</a>
    <section id="about"><button>Inside</button></section>
    <details id="faq-cost"><summary>Cost?</summary><p id="in-answer">No.</p></details>
    <dialog id="contact"></dialog>`;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 900 } as DOMRect);
});

const byId = (id: string) => document.getElementById(id);
const go = (hash: string) => {
  location.hash = hash;
  dispatchEvent(new Event('hashchange'));
};
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const smooth = { top: 900 + 300 - 80, behavior: 'smooth' };

describe('followHash', () => {
  it('a hash change scrolls its target to 80 px below the top after 100 ms', async () => {
    followHash();
    go('#about');
    await advance(99);
    expect(scrolled).not.toHaveBeenCalled();
    await advance(1);
    expect(scrolled.mock.calls).toEqual([[smooth]]);
  });

  it('the hash in the URL is scrolled to on load', async () => {
    location.hash = '#about';
    followHash();
    await advance(100);
    expect(scrolled.mock.calls).toEqual([[smooth]]);
  });

  it('a hash change scrolls without animation when reduced motion is preferred', async () => {
    prefersReducedMotion = true;
    followHash();
    go('#about');
    await advance(100);
    expect(scrolled).toHaveBeenCalledWith({ ...smooth, behavior: 'instant' });
  });

  it('a hash change focuses its target after 100 ms, without an outline', async () => {
    followHash();
    go('#about');
    await advance(99);
    expect(document.activeElement).not.toBe(byId('about'));
    await advance(1);
    expect(document.activeElement).toBe(byId('about'));
    expect(byId('about')?.style.outline).toMatch(/^none/);
  });

  it('a hash change keeps the focus when it is already inside the target', async () => {
    followHash();
    go('#about');
    document.querySelector('button')?.focus();
    await advance(100);
    expect(document.activeElement).toBe(document.querySelector('button'));
  });

  it.each(['#faq-cost', '#in-answer'])(
    'a hash change opens the <details> around its target (%s)',
    async (hash) => {
      followHash();
      go(hash);
      await advance(100);
      expect(document.querySelector('details')?.open).toBe(true);
      expect(scrolled).toHaveBeenCalledTimes(1);
    },
  );

  it('a hash change opens its target when that is a dialog', async () => {
    followHash();
    go('#contact');
    await advance(100);
    expect(document.querySelector('dialog')?.open).toBe(true);
    expect(scrolled).not.toHaveBeenCalled();
  });

  it.each(['#unknown', '#/x%', '#%E0%A4%A', ''])(
    'a hash without a target (%s) does nothing on load or on change',
    async (hash) => {
      location.hash = hash;
      followHash();
      await advance(1000);
      go(hash);
      await advance(1000);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );
});

describe('web fonts that load after the scroll', () => {
  it('the page scrolls to the target again when the fonts have loaded', async () => {
    location.hash = '#about';
    followHash();
    await advance(2000);
    resolveFonts();
    await advance(100);
    expect(scrolled).toHaveBeenCalledTimes(2);
  });

  it('the page does not scroll again after the visitor has interacted', async () => {
    location.hash = '#about';
    followHash();
    await advance(2000);
    dispatchEvent(new Event('wheel'));
    resolveFonts();
    await advance(100);
    expect(scrolled).toHaveBeenCalledTimes(1);
  });
});

describe('a click on a link to the page itself', () => {
  const click = (init: MouseEventInit = {}) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
    let isPrevented = false;
    // Prevents the test browser from navigating.
    addEventListener('click', () => {
      isPrevented = event.defaultPrevented;
      event.preventDefault();
    });
    document.querySelector('a')?.dispatchEvent(event);
    return isPrevented;
  };

  it('a link to the page itself scrolls to the top without a reload', () => {
    followHash();
    go('#about');
    expect(click()).toBe(true);
    expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    expect(location.hash).toBe('');
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])(
    'a click with a modifier key (%o) is left to the browser',
    (keys) => {
      followHash();
      expect(click(keys)).toBe(false);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );

  it('a link to the landing page is left to the browser on another page', () => {
    location.pathname = '/lost';
    followHash();
    expect(click()).toBe(false);
    expect(scrolled).not.toHaveBeenCalled();
  });
});
