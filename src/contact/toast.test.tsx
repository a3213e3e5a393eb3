import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppProviders, styleCache } from '../app-providers.tsx';
import { displayTimeMs, fadeTimeMs, removeDelayMs, useToast } from './toast.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // happy-dom does not implement pointer capture.
  Element.prototype.setPointerCapture = () => {};
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

let current: ReturnType<typeof useToast>;

function Page() {
  current = useToast();
  return (
    <AppProviders cache={styleCache()}>
      <button type="button">before</button>
      <dialog />
      {current.toast}
    </AppProviders>
  );
}

const show = (text: string) => act(() => current.show(text));

/** Renders the page and shows a toast. */
function open(text: string) {
  render(<Page />);
  show(text);
}
/** Opens or closes the dialog of the page, and waits until observers have run. */
const setDialogOpen = (isOpen: boolean) =>
  act(async () => {
    document.querySelector('dialog')?.toggleAttribute('open', isOpen);
    await Promise.resolve();
  });
const advance = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const close = () => screen.getByRole('button', { name: 'Close' });
const card = () => screen.getByText('A').parentElement as HTMLElement;
const isShown = (text: string) => screen.queryByText(text)?.closest('[data-leaving]') === null;

it('a toast is shown as an alert for 5000 ms', () => {
  open('A');
  expect(screen.getByRole('alert').textContent).toBe('A');
  advance(4999);
  expect(isShown('A')).toBe(true);
  advance(1);
  expect(isShown('A')).toBe(false);
  advance(fadeTimeMs);
  expect(screen.queryByText('A')).toBeNull();
});

it('a dismissed toast is removed after 1,000,000 ms', () => {
  open('A');
  fireEvent.click(close());
  advance(fadeTimeMs);
  expect(screen.queryByText('A')).toBeNull();
  advance(removeDelayMs - 1);
  expect(current.toast).toBeDefined();
  advance(1);
  expect(current.toast).toBeUndefined();
});

describe('one at a time', () => {
  it('a new toast replaces the current one and is shown for 5000 ms', () => {
    open('A');
    advance(4000);
    show('B');
    expect(screen.queryByText('A')).toBeNull();
    advance(4999);
    expect(isShown('B')).toBe(true);
    advance(1);
    expect(isShown('B')).toBe(false);
  });

  it('a new toast is shown at once while the previous one fades out or is kept', () => {
    open('A');
    fireEvent.click(close());
    show('B');
    advance(fadeTimeMs);
    expect(isShown('B')).toBe(true);
    fireEvent.click(close());
    advance(fadeTimeMs + 1000);
    show('C');
    expect(isShown('C')).toBe(true);
  });
});

describe('the timer is paused', () => {
  it('the timer is paused while the pointer is over the toast', () => {
    open('A');
    advance(3000);
    fireEvent.pointerEnter(card());
    advance(60_000);
    expect(isShown('A')).toBe(true);
    fireEvent.pointerLeave(card());
    advance(1999);
    expect(isShown('A')).toBe(true);
    advance(1);
    expect(isShown('A')).toBe(false);
  });

  it('the timer is paused while the toast has the focus', () => {
    open('A');
    act(() => close().focus());
    advance(60_000);
    expect(isShown('A')).toBe(true);
    act(() => screen.getByText('before').focus());
    advance(displayTimeMs);
    expect(isShown('A')).toBe(false);
  });

  it('the timer is paused until the pointer and the focus have left the toast', () => {
    open('A');
    fireEvent.pointerEnter(card());
    act(() => close().focus());
    fireEvent.pointerLeave(card());
    advance(60_000);
    expect(isShown('A')).toBe(true);
    act(() => screen.getByText('before').focus());
    advance(displayTimeMs);
    expect(isShown('A')).toBe(false);
  });

  it('a toast waits while a dialog is open and appears when it closes', async () => {
    render(<Page />);
    await setDialogOpen(true);
    show('Not sent');
    advance(2 * displayTimeMs);
    expect(screen.queryByRole('alert')).toBeNull();
    await setDialogOpen(false);
    screen.getByRole('alert');
    advance(displayTimeMs - 1);
    expect(isShown('Not sent')).toBe(true);
    advance(1);
    expect(isShown('Not sent')).toBe(false);
  });

  it('the timer is paused while the tab is hidden', () => {
    open('A');
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    fireEvent(document, new Event('visibilitychange'));
    advance(60_000);
    expect(isShown('A')).toBe(true);
    hidden.mockReturnValue(false);
    fireEvent(document, new Event('visibilitychange'));
    advance(displayTimeMs);
    expect(isShown('A')).toBe(false);
  });
});

describe('dismissal', () => {
  it('the Close button dismisses the toast and returns the focus', () => {
    open('A');
    act(() => screen.getByText('before').focus());
    act(() => close().focus());
    fireEvent.click(close());
    expect(document.activeElement).toBe(screen.getByText('before'));
    advance(fadeTimeMs);
    expect(screen.queryByText('A')).toBeNull();
  });

  it('a replaced toast returns the focus', () => {
    open('A');
    act(() => screen.getByText('before').focus());
    act(() => close().focus());
    show('B');
    expect(document.activeElement).toBe(screen.getByText('before'));
  });

  it('Esc dismisses the toast unless a dialog is open', async () => {
    open('A');
    await setDialogOpen(true);
    fireEvent.keyDown(document, { key: 'Escape' });
    await setDialogOpen(false);
    expect(isShown('A')).toBe(true);
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(isShown('A')).toBe(false);
  });
});

describe('a swipe', () => {
  const at = (clientX: number) => ({ pointerId: 7, clientX, button: 0, isPrimary: true });
  const offset = () => card().style.getPropertyValue('--way');
  const swipe = (to: number) => {
    fireEvent.pointerDown(card(), at(100));
    fireEvent.pointerMove(card(), at(100 + to));
  };
  const release = (to: number) => fireEvent.pointerUp(card(), at(100 + to));

  it('a swipe follows the pointer and dismisses the toast beyond 50 px', () => {
    open('A');
    swipe(51);
    expect(offset()).toBe('51px');
    expect(card().hasAttribute('data-held')).toBe(true);
    release(51);
    expect(isShown('A')).toBe(false);
  });

  it('a swipe of 50 px springs back', () => {
    open('A');
    swipe(50);
    release(50);
    expect(isShown('A')).toBe(true);
    expect(offset()).toBe('0px');
    expect(card().hasAttribute('data-held')).toBe(false);
  });

  it('a swipe to the left does not move the toast', () => {
    open('A');
    swipe(-200);
    expect(offset()).toBe('0px');
    release(-200);
    expect(isShown('A')).toBe(true);
  });

  it('a swipe is cancelled when the browser handles it as a scroll', () => {
    open('A');
    swipe(80);
    fireEvent.pointerCancel(card(), at(180));
    expect(offset()).toBe('0px');
    release(80);
    expect(isShown('A')).toBe(true);
  });

  it('a swipe ignores the Close button, other pointers and other mouse buttons', () => {
    open('A');
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
