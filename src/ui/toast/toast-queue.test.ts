import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createToastQueue,
  displayTime,
  fadeTime,
  removeDelay,
  toast,
  toasts,
} from './toast-queue.ts';

let queue = createToastQueue();
beforeEach(() => {
  vi.useFakeTimers();
  queue = createToastQueue();
});
afterEach(() => vi.useRealTimers());

const state = () => queue.current()?.state;
const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe('a toast', () => {
  it('is shown for 5000 ms', () => {
    queue.toast({ text: 'A' });
    pass(4999);
    expect(state()).toBe('shown');
    pass(1);
    expect(state()).toBe('leaving');
    pass(fadeTime);
    expect(state()).toBe('dismissed');
  });

  it('is known for 1,000,000 ms after it was dismissed', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    pass(fadeTime + removeDelay - 1);
    expect(queue.current()).toMatchObject({ text: 'A', state: 'dismissed' });
    pass(1);
    expect(queue.current()).toBeUndefined();
  });

  it('is an info unless it says otherwise', () => {
    queue.toast({ text: 'A' });
    expect(queue.current()?.kind).toBe('info');
    queue.toast({ text: 'B', kind: 'alert' });
    expect(queue.current()?.kind).toBe('alert');
  });
});

describe('one at a time', () => {
  it('the newest replaces the one that is shown, with its own 5000 ms', () => {
    queue.toast({ text: 'A' });
    pass(4000);
    queue.toast({ text: 'B' });
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
    pass(4999);
    expect(state()).toBe('shown');
    pass(1);
    expect(state()).toBe('leaving');
  });

  it('comes at once while a dismissed one is still known', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    pass(fadeTime + 1000);
    queue.toast({ text: 'B' });
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
    pass(fadeTime + 1000);
    expect(state()).toBe('shown');
  });

  it('comes at once while another fades', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    queue.toast({ text: 'B' });
    pass(fadeTime);
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
  });
});

describe('a held toast', () => {
  it('has the rest of its time left afterwards', () => {
    queue.toast({ text: 'A' });
    pass(3000);
    queue.hold('pointer');
    pass(60_000);
    expect(state()).toBe('shown');
    queue.release('pointer');
    pass(1999);
    expect(state()).toBe('shown');
    pass(1);
    expect(state()).toBe('leaving');
  });

  it('waits for every reason to be released', () => {
    queue.toast({ text: 'A' });
    queue.hold('pointer');
    queue.hold('focus');
    queue.release('pointer');
    pass(60_000);
    expect(state()).toBe('shown');
    queue.release('focus');
    pass(displayTime);
    expect(state()).toBe('leaving');
  });

  it('may have been held before it came', () => {
    queue.hold('hidden');
    queue.toast({ text: 'A' });
    pass(60_000);
    queue.release('hidden');
    pass(displayTime - 1);
    expect(state()).toBe('shown');
    pass(1);
    expect(state()).toBe('leaving');
  });

  it('can be dismissed all the same', () => {
    queue.toast({ text: 'A' });
    queue.hold('pointer');
    queue.dismiss();
    pass(fadeTime);
    expect(state()).toBe('dismissed');
    queue.release('pointer');
    pass(displayTime);
    expect(state()).toBe('dismissed');
  });
});

it('tells who listens, until they stop', () => {
  const told = vi.fn();
  const stop = queue.subscribe(told);
  queue.toast({ text: 'A' });
  expect(told).toHaveBeenCalledTimes(1);
  stop();
  queue.dismiss();
  queue.dismiss();
  expect(told).toHaveBeenCalledTimes(1);
});

it('wakes the toaster of a prerendered page', () => {
  const woken = vi.fn();
  addEventListener('wake', woken);
  toast({ text: 'A' });
  removeEventListener('wake', woken);
  expect(woken.mock.calls[0]?.[0]).toMatchObject({ detail: 'toaster' });
  expect(toasts.current()?.text).toBe('A');
});
