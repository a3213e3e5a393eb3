import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createToastQueue,
  displayTimeMs,
  fadeTimeMs,
  removeDelayMs,
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
const advance = (ms: number) => vi.advanceTimersByTime(ms);

describe('a toast', () => {
  it('a toast is shown for 5000 ms', () => {
    queue.toast({ text: 'A' });
    advance(4999);
    expect(state()).toBe('shown');
    advance(1);
    expect(state()).toBe('leaving');
    advance(fadeTimeMs);
    expect(state()).toBe('dismissed');
  });

  it('a dismissed toast is kept for 1,000,000 ms', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    advance(fadeTimeMs + removeDelayMs - 1);
    expect(queue.current()).toMatchObject({ text: 'A', state: 'dismissed' });
    advance(1);
    expect(queue.current()).toBeUndefined();
  });

  it('a toast is an info by default', () => {
    queue.toast({ text: 'A' });
    expect(queue.current()?.kind).toBe('info');
    queue.toast({ text: 'B', kind: 'alert' });
    expect(queue.current()?.kind).toBe('alert');
  });
});

describe('one at a time', () => {
  it('a new toast replaces the current one and is shown for 5000 ms', () => {
    queue.toast({ text: 'A' });
    advance(4000);
    queue.toast({ text: 'B' });
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
    advance(4999);
    expect(state()).toBe('shown');
    advance(1);
    expect(state()).toBe('leaving');
  });

  it('a new toast is shown at once while a dismissed one is kept', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    advance(fadeTimeMs + 1000);
    queue.toast({ text: 'B' });
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
    advance(fadeTimeMs + 1000);
    expect(state()).toBe('shown');
  });

  it('a new toast is shown at once while another one fades out', () => {
    queue.toast({ text: 'A' });
    queue.dismiss();
    queue.toast({ text: 'B' });
    advance(fadeTimeMs);
    expect(queue.current()).toMatchObject({ text: 'B', state: 'shown' });
  });
});

describe('a paused toast', () => {
  it('a resumed toast is shown for its remaining time', () => {
    queue.toast({ text: 'A' });
    advance(3000);
    queue.pause('pointer');
    advance(60_000);
    expect(state()).toBe('shown');
    queue.resume('pointer');
    advance(1999);
    expect(state()).toBe('shown');
    advance(1);
    expect(state()).toBe('leaving');
  });

  it('a paused toast stays until every reason has been resumed', () => {
    queue.toast({ text: 'A' });
    queue.pause('pointer');
    queue.pause('focus');
    queue.resume('pointer');
    advance(60_000);
    expect(state()).toBe('shown');
    queue.resume('focus');
    advance(displayTimeMs);
    expect(state()).toBe('leaving');
  });

  it('a toast is paused when the queue was paused before it', () => {
    queue.pause('hidden');
    queue.toast({ text: 'A' });
    advance(60_000);
    queue.resume('hidden');
    advance(displayTimeMs - 1);
    expect(state()).toBe('shown');
    advance(1);
    expect(state()).toBe('leaving');
  });

  it('a paused toast can be dismissed', () => {
    queue.toast({ text: 'A' });
    queue.pause('pointer');
    queue.dismiss();
    advance(fadeTimeMs);
    expect(state()).toBe('dismissed');
    queue.resume('pointer');
    advance(displayTimeMs);
    expect(state()).toBe('dismissed');
  });
});

it('listeners are called on each change until they unsubscribe', () => {
  const listener = vi.fn();
  const unsubscribe = queue.subscribe(listener);
  queue.toast({ text: 'A' });
  expect(listener).toHaveBeenCalledTimes(1);
  unsubscribe();
  queue.dismiss();
  queue.dismiss();
  expect(listener).toHaveBeenCalledTimes(1);
});

it('toast hydrates the toaster of a prerendered page', () => {
  const onHydrate = vi.fn();
  addEventListener('hydrate', onHydrate);
  toast({ text: 'A' });
  removeEventListener('hydrate', onHydrate);
  expect(onHydrate.mock.calls[0]?.[0]).toMatchObject({ detail: 'toaster' });
  expect(toasts.current()?.text).toBe('A');
});
