import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProviders, styleCache } from '../../app-providers.tsx';
import * as island from '../../islands/toaster.tsx';
import { prerender } from '../../testing/island.tsx';
import { displayTimeMs, fadeTimeMs, toast, toasts } from './toast-queue.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // happy-dom does not implement pointer capture.
  Element.prototype.setPointerCapture = () => {};
});
afterEach(() => {
  act(() => {
    toasts.resume('pointer');
    toasts.resume('hidden');
    toasts.resume('dialog');
    toasts.dismiss();
    vi.runAllTimers();
  });
  cleanup();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

function show(text: string, kind?: 'alert') {
  render(
    <AppProviders cache={styleCache()}>
      <button type="button">before</button>
      <Toaster />
    </AppProviders>,
  );
  act(() => toast({ text, ...(kind && { kind }) }));
}
const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const close = () => screen.getByRole('button', { name: 'Close' });
const isShown = (text: string) => screen.queryByText(text)?.closest('[data-leaving]') === null;

describe('screen reader announcements', () => {
  it('an info appears in the existing live region', () => {
    render(
      <AppProviders cache={styleCache()}>
        <Toaster />
      </AppProviders>,
    );
    const status = screen.getByRole('status');
    expect(status.textContent).toBe('');
    act(() => toast({ text: 'Saved' }));
    expect(screen.getByRole('status')).toBe(status);
    expect(status.getAttribute('aria-live')).toBe('polite');
    expect(status.textContent).toBe('Saved');
  });

  it('an alert has the role alert', () => {
    show('Thanks!', 'alert');
    expect(screen.getByRole('alert').textContent).toBe('Thanks!');
  });
});

it('a toast disappears after five seconds', () => {
  show('A');
  advance(displayTimeMs - 1);
  expect(isShown('A')).toBe(true);
  advance(1 + fadeTimeMs);
  expect(screen.queryByText('A')).toBeNull();
});

it('only the newest toast is shown', () => {
  show('A');
  act(() => toast({ text: 'B', kind: 'alert' }));
  expect(screen.queryByText('A')).toBeNull();
  expect(isShown('B')).toBe(true);
});

describe('the timer is paused', () => {
  it('the timer is paused while the pointer is over the toast', () => {
    show('A');
    const region = screen.getByRole('status').parentElement as HTMLElement;
    fireEvent.pointerEnter(region);
    advance(60_000);
    expect(isShown('A')).toBe(true);
    fireEvent.pointerLeave(region);
    advance(displayTimeMs + fadeTimeMs);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('the timer is paused while the toast has the focus', () => {
    show('A');
    act(() => close().focus());
    advance(60_000);
    expect(isShown('A')).toBe(true);
    act(() => screen.getByText('before').focus());
    advance(displayTimeMs + fadeTimeMs);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('a toast waits while a dialog is open and appears when it closes', async () => {
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    dialog.setAttribute('open', '');
    show('Not sent', 'alert');
    advance(2 * displayTimeMs);
    expect(screen.queryByText('Not sent')).toBeNull();
    await act(async () => {
      dialog.removeAttribute('open');
      await Promise.resolve();
    });
    screen.getByText('Not sent');
    advance(displayTimeMs - 1);
    expect(isShown('Not sent')).toBe(true);
    advance(1);
    expect(isShown('Not sent')).toBe(false);
  });

  it('the timer is paused while the tab is hidden', () => {
    show('A');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    fireEvent(document, new Event('visibilitychange'));
    advance(60_000);
    expect(isShown('A')).toBe(true);
    hidden.mockReturnValue(false);
    fireEvent(document, new Event('visibilitychange'));
    advance(displayTimeMs + fadeTimeMs);
    expect(screen.queryByText('A')).toBeNull();
  });
});

describe('dismissal', () => {
  it('the Close button dismisses the toast and returns the focus', () => {
    show('A');
    act(() => screen.getByText('before').focus());
    act(() => close().focus());
    fireEvent.click(close());
    expect(document.activeElement).toBe(screen.getByText('before'));
    advance(fadeTimeMs);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('Esc dismisses the toast unless a dialog is open', () => {
    show('A');
    document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(isShown('A')).toBe(true);
    document.querySelector('dialog')?.remove();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(isShown('A')).toBe(false);
  });
});

describe('a swipe', () => {
  const card = () => screen.getByText('A').parentElement as HTMLElement;
  const at = (clientX: number) => ({ pointerId: 7, clientX, button: 0, isPrimary: true });
  const offset = () => card().style.getPropertyValue('--way');
  const swipe = (to: number) => {
    fireEvent.pointerDown(card(), at(100));
    fireEvent.pointerMove(card(), at(100 + to));
  };
  const release = (to: number) => fireEvent.pointerUp(card(), at(100 + to));

  it('a swipe follows the pointer and dismisses the toast beyond 50 px', () => {
    show('A');
    swipe(51);
    expect(offset()).toBe('51px');
    expect(card().hasAttribute('data-held')).toBe(true);
    release(51);
    expect(isShown('A')).toBe(false);
  });

  it('a swipe of 50 px springs back', () => {
    show('A');
    swipe(50);
    release(50);
    expect(isShown('A')).toBe(true);
    expect(offset()).toBe('0px');
    expect(card().hasAttribute('data-held')).toBe(false);
  });

  it('a swipe to the left does not move the toast', () => {
    show('A');
    swipe(-200);
    expect(offset()).toBe('0px');
    release(-200);
    expect(isShown('A')).toBe(true);
  });

  it('a swipe is cancelled when the browser handles it as a scroll', () => {
    show('A');
    swipe(80);
    fireEvent.pointerCancel(card(), at(180));
    expect(offset()).toBe('0px');
    release(80);
    expect(isShown('A')).toBe(true);
  });

  it('a swipe ignores the Close button, other pointers and other mouse buttons', () => {
    show('A');
    fireEvent.pointerDown(close(), at(100));
    release(90);
    swipe(10);
    fireEvent.pointerUp(card(), { ...at(300), pointerId: 8 });
    release(10);
    fireEvent.pointerDown(card(), { ...at(100), button: 2 });
    release(90);
    expect(isShown('A')).toBe(true);
  });
});

it('a toaster that is hydrated by a toast shows that toast', async () => {
  const root = prerender(island);
  root.closest('dialog')?.close();
  expect(root.querySelector('[role=status]')?.textContent).toBe('');
  toast({ text: 'Thanks!', kind: 'alert' });
  let mounted: Promise<void> | undefined;
  await act(async () => {
    mounted = island.mount(root);
  });
  await mounted;
  expect(root.querySelector('[role=alert]')?.textContent).toBe('Thanks!');
});
