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
