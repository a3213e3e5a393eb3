import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { followHash } from './scroll.ts';

isolateEachTest();

const scrolled = vi.fn();
/** The ids of the elements that were scrolled into view. */
let shown: string[];
let resolveFonts = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  scrolled.mockReset();
  shown = [];
  vi.stubGlobal('scrollTo', scrolled);
  // happy-dom fires `hashchange` in cases where a browser does not.
  vi.stubGlobal('location', { pathname: '/', hash: '' });
  vi.spyOn(history, 'pushState').mockImplementation(() => {
    location.hash = '';
  });
  const ready = new Promise<void>((resolve) => (resolveFonts = resolve));
  Object.defineProperty(document, 'fonts', { value: { ready }, configurable: true });
  document.body.innerHTML = `
    <a id="home" href="/">Home</a>
    <a id="menu" href="/#about">About</a>
    <section id="about"><button>Inside</button></section>
    <details id="faq-cost"><summary>Cost?</summary><p id="in-answer">No.</p></details>
    <dialog id="contact"></dialog>`;
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    shown.push(this.id);
  });
});

const byId = (id: string) => document.getElementById(id);
const go = (hash: string) => {
  location.hash = hash;
  dispatchEvent(new Event('hashchange'));
};
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Clicks a link; returns whether the page handled it instead of the browser. */
const click = (id: string, init: MouseEventInit = {}) => {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
  let isPrevented = false;
  // Prevents the test browser from navigating.
  addEventListener('click', () => {
    isPrevented = event.defaultPrevented;
    event.preventDefault();
  });
  byId(id)?.dispatchEvent(event);
  return isPrevented;
};

describe('the target of the hash', () => {
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
    'a hash change opens the <details> around its target (%s), and scrolls to it again',
    async (hash) => {
      followHash();
      go(hash);
      await advance(100);
      expect(document.querySelector('details')?.open).toBe(true);
      expect(shown).toEqual([hash.slice(1)]);
    },
  );

  it('the hash in the URL opens its dialog on load', async () => {
    location.hash = '#contact';
    followHash();
    await advance(100);
    expect(document.querySelector('dialog')?.open).toBe(true);
  });

  it.each(['#unknown', '#/x%', '#%E0%A4%A', ''])(
    'a hash without a target (%s) does nothing on load or on change',
    async (hash) => {
      location.hash = hash;
      followHash();
      await advance(1000);
      go(hash);
      await advance(1000);
      expect(document.activeElement).toBe(document.body);
    },
  );
});

describe('web fonts that load after the scroll', () => {
  it('the page scrolls to the target again', async () => {
    location.hash = '#about';
    followHash();
    await advance(2000);
    expect(shown).toEqual([]);
    resolveFonts();
    await advance(100);
    expect(shown).toEqual(['about']);
  });

  it.each([
    ['the visitor has interacted', () => dispatchEvent(new Event('wheel'))],
    ['the hash has changed', () => go('#faq-cost')],
  ])('the page does not scroll again after %s', async (_, act) => {
    location.hash = '#about';
    followHash();
    act();
    await advance(2000);
    shown = [];
    resolveFonts();
    await advance(100);
    expect(shown).toEqual([]);
  });
});

describe('a click on a link to the page itself', () => {
  it('a link to the page itself scrolls to the top without a reload', () => {
    followHash();
    go('#about');
    expect(click('home')).toBe(true);
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    expect(location.hash).toBe('');
  });

  it('a link to the hash of the URL scrolls to it and focuses it', () => {
    location.hash = '#about';
    followHash();
    expect(click('menu')).toBe(true);
    expect(shown).toEqual(['about']);
    expect(document.activeElement).toBe(byId('about'));
  });

  it('a link to another hash is left to the browser', () => {
    location.hash = '#faq-cost';
    followHash();
    expect(click('menu')).toBe(false);
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])(
    'a click with a modifier key (%o) is left to the browser',
    (keys) => {
      followHash();
      expect(click('home', keys)).toBe(false);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );

  it.each(['home', 'menu'])(
    'a link to the landing page (%s) is left to the browser on another page',
    (id) => {
      location.pathname = '/lost';
      location.hash = '#about';
      followHash();
      expect(click(id)).toBe(false);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );
});
