import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { openQuizOnce } from './opening.ts';

isolateEachTest();

let navigationType = 'navigate';
let hasMouse = true;

beforeEach(() => {
  vi.useFakeTimers();
  navigationType = 'navigate';
  hasMouse = true;
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(
    () => [{ type: navigationType }] as unknown as PerformanceEntryList,
  );
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(hover: hover) and (pointer: fine)' && hasMouse,
  }));
  vi.stubGlobal('innerHeight', 1000);
  vi.stubGlobal('scrollY', 0);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(5000);
  document.body.innerHTML = `
    <dialog id="contact"><form><input name="name"><textarea></textarea></form></dialog>
    <dialog id="quiz"><button>Close</button><a href="/quiz" target="_blank">Take the Quiz</a></dialog>
    <input id="outside"><select></select><a id="section" href="/#faq"><b>FAQ</b></a>
    <a id="top" href="/">Home</a><a id="page" href="/privacy">Privacy</a>`;
});

const dialog = (id: string) => document.getElementById(id) as HTMLDialogElement;
const isOpen = () => dialog('quiz').open;
const leave = (init: MouseEventInit = { clientY: 0 }) =>
  document.documentElement.dispatchEvent(new MouseEvent('mouseleave', init));
const scrollTo = (y: number) => {
  vi.stubGlobal('scrollY', y);
  dispatchEvent(new Event('scroll'));
};
const click = (selector: string) => {
  const element = document.querySelector<HTMLElement>(selector);
  // Prevents the test browser from navigating, which it does before the window gets the event.
  element?.addEventListener('click', (event) => event.preventDefault());
  element?.click();
};
const advance = (ms: number) => vi.advanceTimersByTime(ms);

/** Expects that the popup is closed now, and opens after `ms`, not earlier. */
function expectToOpenAfter(ms: number) {
  expect(isOpen()).toBe(false);
  advance(ms - 1);
  expect(isOpen()).toBe(false);
  advance(1);
  expect(isOpen()).toBe(true);
}
function expectToStayClosed() {
  advance(60_000);
  expect(isOpen()).toBe(false);
}

describe('exit intent', () => {
  it('the quiz opens 1000 ms after the mouse left by the top edge', () => {
    openQuizOnce();
    leave();
    expectToOpenAfter(1000);
  });

  it.each([
    ['by another edge', { clientY: 1 }],
    ['into another element', { clientY: -1, relatedTarget: document.body }],
  ])('a mouse that leaves %s is not exit intent', (_, init) => {
    openQuizOnce();
    leave(init);
    expectToStayClosed();
  });

  it('a mouse that left before the script loaded opens the quiz', () => {
    document.documentElement.dataset.left = '';
    openQuizOnce();
    expectToOpenAfter(1000);
  });

  it('touch screens have no exit intent', () => {
    hasMouse = false;
    openQuizOnce();
    leave();
    expectToStayClosed();
  });
});

describe('scroll depth', () => {
  it('the quiz opens 1000 ms after a scroll past half of the page', () => {
    openQuizOnce();
    scrollTo(2001);
    expectToOpenAfter(1000);
  });

  it('a scroll before the script loaded opens the quiz', () => {
    vi.stubGlobal('scrollY', 2001);
    openQuizOnce();
    expectToOpenAfter(1000);
  });

  it('a scroll to exactly half of the page does not open the quiz', () => {
    openQuizOnce();
    scrollTo(2000);
    expectToStayClosed();
  });

  it('a page that cannot scroll does not open the quiz', () => {
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1000);
    openQuizOnce();
    scrollTo(0);
    expectToStayClosed();
  });

  it('several triggers open the quiz a second after the first one', () => {
    openQuizOnce();
    scrollTo(3000);
    advance(500);
    leave();
    scrollTo(3500);
    expectToOpenAfter(500);
  });
});

describe('a jump to a section', () => {
  const jumps: [string, () => void][] = [
    ['by a link to a hash', () => click('#section b')],
    ['by a link to the top', () => click('#top')],
    ['by a new hash', () => dispatchEvent(new Event('hashchange'))],
  ];
  const scrolls: [string, () => void][] = [
    ['by wheel', () => dispatchEvent(new Event('wheel'))],
    ['by touch', () => dispatchEvent(new Event('touchmove'))],
    ['by key', () => dispatchEvent(new KeyboardEvent('keydown', { key: 'PageDown' }))],
    [
      'by scrollbar',
      () => document.documentElement.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })),
    ],
  ];

  it.each(jumps)('a jump %s past half of the page does not open the quiz', (_, jump) => {
    openQuizOnce();
    jump();
    scrollTo(3000);
    scrollTo(3500);
    expectToStayClosed();
  });

  it.each(scrolls)('the visitor’s next scroll %s opens the quiz after 1000 ms', (_, scroll) => {
    openQuizOnce();
    click('#section');
    scrollTo(3000);
    expectToStayClosed();
    scroll();
    scrollTo(3010);
    expectToOpenAfter(1000);
  });

  it.each([
    ['Tab', () => dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))],
    [
      'a click into the page',
      () => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })),
    ],
  ])('%s is not a scroll of the visitor', (_, act) => {
    openQuizOnce();
    click('#section');
    act();
    scrollTo(3000);
    expectToStayClosed();
  });

  it('a page opened at a section does not open the quiz', () => {
    vi.stubGlobal('location', { hash: '#faq' });
    vi.stubGlobal('scrollY', 3000);
    openQuizOnce();
    expectToStayClosed();
  });

  it('a jump within the second after a trigger delays the quiz until the next scroll by hand', () => {
    openQuizOnce();
    leave();
    advance(500);
    click('#section');
    expectToStayClosed();
    dispatchEvent(new Event('wheel'));
    expectToOpenAfter(1000);
  });

  it('exit intent after a jump opens the quiz', () => {
    openQuizOnce();
    click('#section');
    leave();
    expectToOpenAfter(1000);
  });

  it('a link to another page is no jump', () => {
    openQuizOnce();
    click('#page');
    scrollTo(3000);
    expectToOpenAfter(1000);
  });
});

describe('the quiz waits for the visitor', () => {
  const places: [string, () => void, () => void][] = [
    ['a dialog', () => dialog('contact').showModal(), () => dialog('contact').close()],
    [
      'a field',
      () => document.getElementById('outside')?.focus(),
      () => document.getElementById('outside')?.blur(),
    ],
    [
      'a select',
      () => document.querySelector('select')?.focus(),
      () => document.querySelector('select')?.blur(),
    ],
    [
      'a time in another tab',
      () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true),
      () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(false),
    ],
    [
      'an alert',
      () => document.body.insertAdjacentHTML('beforeend', '<div data-toast>Thanks</div>'),
      () => document.querySelector('[data-toast]')?.remove(),
    ],
  ];

  it.each(places)(
    'the quiz opens a second after %s, in which it was triggered',
    (_, enter, end) => {
      openQuizOnce();
      enter();
      leave();
      expectToStayClosed();
      end();
      expectToOpenAfter(1000);
    },
  );

  it.each(places)(
    'the quiz opens a second after %s, which began after the trigger',
    (_, enter, end) => {
      openQuizOnce();
      scrollTo(3000);
      advance(900);
      enter();
      expectToStayClosed();
      end();
      expectToOpenAfter(1000);
    },
  );

  it('unsent text in a closed form does not keep the quiz closed', () => {
    openQuizOnce();
    const area = document.querySelector('textarea') as HTMLTextAreaElement;
    area.value = 'a draft';
    leave();
    expectToOpenAfter(1000);
  });
});

describe('the quiz opens once', () => {
  /** Simulates navigation to another page of the site. */
  const navigate = () => {
    dialog('quiz').close();
    openQuizOnce();
    leave();
    advance(1000);
  };

  it('the quiz does not open again on the same page', () => {
    openQuizOnce();
    leave();
    advance(1000);
    dialog('quiz').close();
    leave();
    scrollTo(3000);
    expectToStayClosed();
  });

  it('the quiz does not open again after a navigation', () => {
    openQuizOnce();
    leave();
    advance(1000);
    navigate();
    expect(isOpen()).toBe(false);
  });

  it('the quiz opens again after a reload', () => {
    openQuizOnce();
    leave();
    advance(1000);
    navigationType = 'reload';
    navigate();
    expect(isOpen()).toBe(true);
  });

  it('the quiz opens when storage is blocked', () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
      setItem: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
      clear: () => {},
    });
    openQuizOnce();
    leave();
    expectToOpenAfter(1000);
  });
});

it('the quiz closes when its link opens in a new tab', () => {
  openQuizOnce();
  leave();
  advance(1000);
  click('#quiz a');
  expect(isOpen()).toBe(false);
});

it('a trigger does nothing on a page without the quiz', () => {
  document.body.innerHTML = '';
  openQuizOnce();
  leave();
  expect(() => advance(60_000)).not.toThrow();
});
