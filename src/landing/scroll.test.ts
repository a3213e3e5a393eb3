import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { followHash } from './scroll.ts';

eachTestIsAPage();

const scrolled = vi.fn();
let prefersStill = false;
let fontsArrive = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  scrolled.mockReset();
  prefersStill = false;
  vi.stubGlobal('scrollTo', scrolled);
  vi.stubGlobal('scrollY', 300);
  // The test's browser tells of hash changes where a real one does not.
  vi.stubGlobal('location', { pathname: '/', hash: '' });
  vi.spyOn(history, 'pushState').mockImplementation(() => {
    location.hash = '';
  });
  vi.stubGlobal('matchMedia', () => ({ matches: prefersStill }));
  const ready = new Promise<void>((resolve) => (fontsArrive = resolve));
  Object.defineProperty(document, 'fonts', { value: { ready }, configurable: true });
  document.body.innerHTML = `
    <a href="/">Home</a>
    <section id="about"><button>Inside</button></section>
    <details id="faq-cost"><summary>Cost?</summary><p id="in-answer">No.</p></details>
    <dialog id="contact"></dialog>`;
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 900 } as DOMRect);
});

const at = (id: string) => document.getElementById(id);
const go = (hash: string) => {
  location.hash = hash;
  dispatchEvent(new Event('hashchange'));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const smooth = { top: 900 + 300 - 80, behavior: 'smooth' };

describe('a hash', () => {
  it('is scrolled to after 100 ms, 80 px below the top', async () => {
    followHash();
    go('#about');
    await pass(99);
    expect(scrolled).not.toHaveBeenCalled();
    await pass(1);
    expect(scrolled.mock.calls).toEqual([[smooth]]);
  });

  it('is followed on load too', async () => {
    location.hash = '#about';
    followHash();
    await pass(100);
    expect(scrolled.mock.calls).toEqual([[smooth]]);
  });

  it('is jumped to for those who prefer less motion', async () => {
    prefersStill = true;
    followHash();
    go('#about');
    await pass(100);
    expect(scrolled).toHaveBeenCalledWith({ ...smooth, behavior: 'instant' });
  });

  it('moves the focus to its element after 100 ms, without an outline', async () => {
    followHash();
    go('#about');
    await pass(99);
    expect(document.activeElement).not.toBe(at('about'));
    await pass(1);
    expect(document.activeElement).toBe(at('about'));
    expect(at('about')?.style.outline).toMatch(/^none/);
  });

  it('leaves the focus that is inside already', async () => {
    followHash();
    go('#about');
    document.querySelector('button')?.focus();
    await pass(100);
    expect(document.activeElement).toBe(document.querySelector('button'));
  });

  it.each(['#faq-cost', '#in-answer'])('opens the answer of %s', async (hash) => {
    followHash();
    go(hash);
    await pass(100);
    expect(document.querySelector('details')?.open).toBe(true);
    expect(scrolled).toHaveBeenCalledTimes(1);
  });

  it('opens a dialog, which cannot be scrolled to', async () => {
    followHash();
    go('#contact');
    await pass(100);
    expect(document.querySelector('dialog')?.open).toBe(true);
    expect(scrolled).not.toHaveBeenCalled();
  });

  it.each(['#unknown', '#/x%', '#%E0%A4%A', ''])(
    'that names nothing (%s) does nothing, on load and later',
    async (hash) => {
      location.hash = hash;
      followHash();
      await pass(1000);
      go(hash);
      await pass(1000);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );
});

describe('late fonts', () => {
  it('make it scroll once more', async () => {
    location.hash = '#about';
    followHash();
    await pass(2000);
    fontsArrive();
    await pass(100);
    expect(scrolled).toHaveBeenCalledTimes(2);
  });

  it('do not pull back a visitor who has moved on', async () => {
    location.hash = '#about';
    followHash();
    await pass(2000);
    dispatchEvent(new Event('wheel'));
    fontsArrive();
    await pass(100);
    expect(scrolled).toHaveBeenCalledTimes(1);
  });
});

describe('a link to the page itself', () => {
  const click = (init: MouseEventInit = {}) => {
    const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
    let isPrevented = false;
    // The test's browser shall go nowhere either way.
    addEventListener('click', () => {
      isPrevented = event.defaultPrevented;
      event.preventDefault();
    });
    document.querySelector('a')?.dispatchEvent(event);
    return isPrevented;
  };

  it('scrolls to the top instead of loading it again', () => {
    followHash();
    go('#about');
    expect(click()).toBe(true);
    expect(scrolled).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    expect(location.hash).toBe('');
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }])(
    'opens elsewhere with %o',
    (keys) => {
      followHash();
      expect(click(keys)).toBe(false);
      expect(scrolled).not.toHaveBeenCalled();
    },
  );

  it('is left alone on another page', () => {
    location.pathname = '/lost';
    followHash();
    expect(click()).toBe(false);
    expect(scrolled).not.toHaveBeenCalled();
  });
});
