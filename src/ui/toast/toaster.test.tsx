import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProviders, styleCache } from '../../app-providers.tsx';
import * as island from '../../islands/toaster.tsx';
import { prerender } from '../../testing/island.tsx';
import { displayTime, fadeTime, toast, toasts } from './toast-queue.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // The test's browser captures no pointers.
  Element.prototype.setPointerCapture = () => {};
});
afterEach(() => {
  act(() => {
    toasts.release('pointer');
    toasts.release('hidden');
    toasts.release('dialog');
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
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const close = () => screen.getByRole('button', { name: 'Close' });
const isShown = (text: string) => screen.queryByText(text)?.closest('[data-leaving]') === null;

describe('what is read out', () => {
  it('an info appears in the status that was there before it', () => {
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

  it('an alert is an alert', () => {
    show('Thanks!', 'alert');
    expect(screen.getByRole('alert').textContent).toBe('Thanks!');
  });
});

it('is gone after five seconds', () => {
  show('A');
  pass(displayTime - 1);
  expect(isShown('A')).toBe(true);
  pass(1 + fadeTime);
  expect(screen.queryByText('A')).toBeNull();
});

it('shows one toast, the newest', () => {
  show('A');
  act(() => toast({ text: 'B', kind: 'alert' }));
  expect(screen.queryByText('A')).toBeNull();
  expect(isShown('B')).toBe(true);
});

describe('its clock stands still', () => {
  it('while the pointer is over it', () => {
    show('A');
    const region = screen.getByRole('status').parentElement as HTMLElement;
    fireEvent.pointerEnter(region);
    pass(60_000);
    expect(isShown('A')).toBe(true);
    fireEvent.pointerLeave(region);
    pass(displayTime + fadeTime);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('while it has the focus', () => {
    show('A');
    act(() => close().focus());
    pass(60_000);
    expect(isShown('A')).toBe(true);
    act(() => screen.getByText('before').focus());
    pass(displayTime + fadeTime);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('while a dialog is in the way, and appears when that is left', async () => {
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    dialog.setAttribute('open', '');
    show('Not sent', 'alert');
    pass(2 * displayTime);
    expect(screen.queryByText('Not sent')).toBeNull();
    await act(async () => {
      dialog.removeAttribute('open');
      await Promise.resolve();
    });
    screen.getByText('Not sent');
    pass(displayTime - 1);
    expect(isShown('Not sent')).toBe(true);
    pass(1);
    expect(isShown('Not sent')).toBe(false);
  });

  it('while the tab is hidden', () => {
    show('A');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    fireEvent(document, new Event('visibilitychange'));
    pass(60_000);
    expect(isShown('A')).toBe(true);
    hidden.mockReturnValue(false);
    fireEvent(document, new Event('visibilitychange'));
    pass(displayTime + fadeTime);
    expect(screen.queryByText('A')).toBeNull();
  });
});

describe('is dismissed', () => {
  it('by its Close button, which gives the focus back', () => {
    show('A');
    act(() => screen.getByText('before').focus());
    act(() => close().focus());
    fireEvent.click(close());
    expect(document.activeElement).toBe(screen.getByText('before'));
    pass(fadeTime);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('by Esc, unless a dialog is open', () => {
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
  const frame = () => screen.getByText('A').parentElement as HTMLElement;
  const at = (clientX: number) => ({ pointerId: 7, clientX, button: 0, isPrimary: true });
  const way = () => frame().style.getPropertyValue('--way');
  const swipe = (to: number) => {
    fireEvent.pointerDown(frame(), at(100));
    fireEvent.pointerMove(frame(), at(100 + to));
  };
  const letGo = (to: number) => fireEvent.pointerUp(frame(), at(100 + to));

  it('follows the pointer to the right, and dismisses beyond 50 px', () => {
    show('A');
    swipe(51);
    expect(way()).toBe('51px');
    expect(frame().hasAttribute('data-held')).toBe(true);
    letGo(51);
    expect(isShown('A')).toBe(false);
  });

  it('springs back at 50 px', () => {
    show('A');
    swipe(50);
    letGo(50);
    expect(isShown('A')).toBe(true);
    expect(way()).toBe('0px');
    expect(frame().hasAttribute('data-held')).toBe(false);
  });

  it('goes to the right only', () => {
    show('A');
    swipe(-200);
    expect(way()).toBe('0px');
    letGo(-200);
    expect(isShown('A')).toBe(true);
  });

  it('is none when the browser takes it for a scroll', () => {
    show('A');
    swipe(80);
    fireEvent.pointerCancel(frame(), at(180));
    expect(way()).toBe('0px');
    letGo(80);
    expect(isShown('A')).toBe(true);
  });

  it('is none on the Close button, by another pointer or another mouse button', () => {
    show('A');
    fireEvent.pointerDown(close(), at(100));
    letGo(90);
    swipe(10);
    fireEvent.pointerUp(frame(), { ...at(300), pointerId: 8 });
    letGo(10);
    fireEvent.pointerDown(frame(), { ...at(100), button: 2 });
    letGo(90);
    expect(isShown('A')).toBe(true);
  });
});

it('wakes in a prerendered page with the toast that called it', async () => {
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
