import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { armQuiz } from './trigger.ts';

eachTestIsAPage();

const told = vi.fn();
const visit = vi.fn(() => Promise.resolve());
let hasMouse = true;

beforeEach(() => {
  vi.useFakeTimers();
  told.mockReset();
  visit.mockClear();
  hasMouse = true;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(hover: hover) and (pointer: fine)' && hasMouse,
  }));
  vi.stubGlobal('innerHeight', 1000);
  vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(5000);
  addEventListener('quiz', told);
  armQuiz(visit);
});

const leave = (init: MouseEventInit) =>
  document.documentElement.dispatchEvent(new MouseEvent('mouseleave', init));
const scrollTo = (y: number) => {
  vi.stubGlobal('scrollY', y);
  dispatchEvent(new Event('scroll'));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('exit intent', () => {
  it('tells 1000 ms after the mouse left by the top edge, not before', async () => {
    leave({ clientY: 0 });
    await pass(999);
    expect(told).not.toHaveBeenCalled();
    await pass(1);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['by another edge', { clientY: 1 }],
    ['into another element', { clientY: -1, relatedTarget: document.body }],
  ])('is not a mouse that leaves %s', async (_, init) => {
    leave(init);
    await pass(60_000);
    expect(told).not.toHaveBeenCalled();
  });

  it('is no matter of touch screens', async () => {
    hasMouse = false;
    leave({ clientY: -1 });
    await pass(60_000);
    expect(told).not.toHaveBeenCalled();
  });
});

describe('scrolling', () => {
  it('tells 1000 ms after more than half of the page is scrolled', async () => {
    scrollTo(2001);
    await pass(999);
    expect(told).not.toHaveBeenCalled();
    await pass(1);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('tells of what was scrolled before it was armed', async () => {
    vi.stubGlobal('scrollY', 2001);
    armQuiz(visit);
    await pass(1000);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('does not tell at exactly half', async () => {
    scrollTo(2000);
    await pass(60_000);
    expect(told).not.toHaveBeenCalled();
  });

  it('does not tell on a page that cannot scroll', async () => {
    vi.spyOn(document.documentElement, 'scrollHeight', 'get').mockReturnValue(1000);
    scrollTo(0);
    await pass(60_000);
    expect(told).not.toHaveBeenCalled();
  });
});

it('tells once, the second after the first trigger, however many follow', async () => {
  scrollTo(3000);
  await pass(500);
  leave({ clientY: -1 });
  scrollTo(3500);
  await pass(500);
  expect(told).toHaveBeenCalledTimes(1);
  leave({ clientY: -1 });
  await pass(60_000);
  expect(told).toHaveBeenCalledTimes(1);
});

it('fetches the popup’s code at once, and tells when it is there', async () => {
  let arrive = () => {};
  visit.mockReturnValue(new Promise<void>((resolve) => (arrive = resolve)));
  leave({ clientY: -1 });
  expect(visit).toHaveBeenCalledTimes(1);
  await pass(3000);
  expect(told).not.toHaveBeenCalled();
  arrive();
  await pass(0);
  expect(told).toHaveBeenCalledTimes(1);
  visit.mockReturnValue(Promise.resolve());
});
