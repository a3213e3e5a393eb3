import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { watchQuizTriggers } from './trigger.ts';

isolateEachTest();

const onQuiz = vi.fn();
const loadVisit = vi.fn(() => Promise.resolve());
let hasMouse = true;

beforeEach(() => {
  vi.useFakeTimers();
  onQuiz.mockReset();
  loadVisit.mockClear();
  hasMouse = true;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(hover: hover) and (pointer: fine)' && hasMouse,
  }));
  vi.stubGlobal('innerHeight', 1000);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(5000);
  addEventListener('quiz', onQuiz);
  watchQuizTriggers(loadVisit);
});

const leave = (init: MouseEventInit) =>
  document.documentElement.dispatchEvent(new MouseEvent('mouseleave', init));
const scrollTo = (y: number) => {
  vi.stubGlobal('scrollY', y);
  dispatchEvent(new Event('scroll'));
};
const click = (href: string) => {
  document.body.innerHTML = `<a href="${href}"><b>Link</b></a>`;
  const link = document.querySelector('b');
  // Prevents the test browser from navigating, which it does before the window gets the event.
  link?.addEventListener('click', (event) => event.preventDefault());
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
};
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('exit intent', () => {
  it('exit intent dispatches the quiz event 1000 ms after the mouse left by the top edge', async () => {
    leave({ clientY: 0 });
    await advance(999);
    expect(onQuiz).not.toHaveBeenCalled();
    await advance(1);
    expect(onQuiz).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['by another edge', { clientY: 1 }],
    ['into another element', { clientY: -1, relatedTarget: document.body }],
  ])('a mouse that leaves %s is not exit intent', async (_, init) => {
    leave(init);
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });

  it('touch screens have no exit intent', async () => {
    hasMouse = false;
    leave({ clientY: -1 });
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });
});

describe('scroll depth', () => {
  it('a scroll past half of the page dispatches the quiz event after 1000 ms', async () => {
    scrollTo(2001);
    await advance(999);
    expect(onQuiz).not.toHaveBeenCalled();
    await advance(1);
    expect(onQuiz).toHaveBeenCalledTimes(1);
  });

  it('a scroll before the script loaded dispatches the quiz event', async () => {
    vi.stubGlobal('scrollY', 2001);
    watchQuizTriggers(loadVisit);
    await advance(1000);
    expect(onQuiz).toHaveBeenCalledTimes(1);
  });

  it('a scroll to exactly half of the page does not dispatch the quiz event', async () => {
    scrollTo(2000);
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });

  it('a page that cannot scroll does not dispatch the quiz event', async () => {
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1000);
    scrollTo(0);
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });
});

describe('a jump to a section', () => {
  const jumps: [string, () => void][] = [
    ['by a link to a hash', () => click('/#faq')],
    ['by a link to the top', () => click('/')],
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

  it.each(jumps)(
    'a jump %s past half of the page does not dispatch the quiz event',
    async (_, jump) => {
      jump();
      scrollTo(3000);
      scrollTo(3500);
      await advance(60_000);
      expect(onQuiz).not.toHaveBeenCalled();
    },
  );

  it.each(scrolls)(
    'the visitor’s next scroll %s dispatches the quiz event after 1000 ms',
    async (_, scroll) => {
      click('/#faq');
      scrollTo(3000);
      await advance(60_000);
      scroll();
      scrollTo(3010);
      await advance(999);
      expect(onQuiz).not.toHaveBeenCalled();
      await advance(1);
      expect(onQuiz).toHaveBeenCalledTimes(1);
    },
  );

  it.each([
    ['Tab', () => dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))],
    [
      'a click into the page',
      () => document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })),
    ],
  ])('%s is not a scroll of the visitor', async (_, act) => {
    click('/#faq');
    act();
    scrollTo(3000);
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });

  it('a page opened at a section does not dispatch the quiz event', async () => {
    vi.stubGlobal('location', { hash: '#faq' });
    vi.stubGlobal('scrollY', 3000);
    addEventListener('quiz', onQuiz);
    watchQuizTriggers(loadVisit);
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
  });

  it('a jump within the second after a trigger cancels it', async () => {
    scrollTo(3000);
    await advance(500);
    click('/#about');
    await advance(60_000);
    expect(onQuiz).not.toHaveBeenCalled();
    leave({ clientY: -1 });
    await advance(1000);
    expect(onQuiz).toHaveBeenCalledTimes(1);
  });

  it('a link to another page is no jump', async () => {
    click('/privacy');
    scrollTo(3000);
    await advance(1000);
    expect(onQuiz).toHaveBeenCalledTimes(1);
  });
});

it('a canceled quiz event is dispatched again a second after the next trigger', async () => {
  addEventListener('quiz', (event) => event.preventDefault(), { once: true });
  scrollTo(3000);
  await advance(60_000);
  expect(onQuiz).toHaveBeenCalledTimes(1);
  scrollTo(3010);
  await advance(1000);
  expect(onQuiz).toHaveBeenCalledTimes(2);
  scrollTo(3020);
  await advance(60_000);
  expect(onQuiz).toHaveBeenCalledTimes(2);
});

it('several triggers dispatch one quiz event, a second after the first trigger', async () => {
  scrollTo(3000);
  await advance(500);
  leave({ clientY: -1 });
  scrollTo(3500);
  await advance(500);
  expect(onQuiz).toHaveBeenCalledTimes(1);
  leave({ clientY: -1 });
  await advance(60_000);
  expect(onQuiz).toHaveBeenCalledTimes(1);
});

it('a trigger loads the popup’s code at once, and the quiz event waits for it', async () => {
  let resolveVisit = () => {};
  loadVisit.mockReturnValue(new Promise<void>((resolve) => (resolveVisit = resolve)));
  leave({ clientY: -1 });
  expect(loadVisit).toHaveBeenCalledTimes(1);
  await advance(3000);
  expect(onQuiz).not.toHaveBeenCalled();
  resolveVisit();
  await advance(0);
  expect(onQuiz).toHaveBeenCalledTimes(1);
  loadVisit.mockReturnValue(Promise.resolve());
});
