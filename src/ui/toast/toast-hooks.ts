/** What pauses a toast's timer, and what dismisses it early. */
import { type RefObject, useEffect, useState } from 'react';
import { toasts } from './toast-queue.ts';

/** Pauses the toast while the tab is hidden. */
export function usePauseWhileHidden() {
  useEffect(() => {
    const update = () => (document.hidden ? toasts.pause('hidden') : toasts.resume('hidden'));
    update();
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
}

/**
 * Pauses the toast while a modal dialog is open, which would cover it and hide it from screen readers.
 * Returns whether one is open.
 */
export function usePauseWhileDialogOpen(): boolean {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  useEffect(() => {
    const update = () => {
      const isOpen = document.querySelector('dialog[open]') !== null;
      setIsDialogOpen(isOpen);
      if (isOpen) toasts.pause('dialog');
      else toasts.resume('dialog');
    };
    update();
    const observer = new MutationObserver(update);
    observer.observe(document.body, { subtree: true, attributeFilter: ['open'] });
    return () => observer.disconnect();
  }, []);
  return isDialogOpen;
}

/** Dismisses the toast on Esc, unless a dialog is open, which Esc closes. */
export function useDismissOnEscape(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) toasts.dismiss();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
}

/**
 * Pauses the toast while it has the focus, and returns the focus to the previous element when the
 * toast closes. `toastId` is the id of the open toast, if any.
 */
export function useFocusReturn(region: RefObject<HTMLElement | null>, toastId: number | undefined) {
  useEffect(() => {
    const element = region.current;
    if (!element || toastId === undefined) return;
    let hasFocus = false;
    let previous: EventTarget | null = null;
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && element.contains(target);
    const onFocusIn = ({ relatedTarget }: FocusEvent) => {
      if (!isInside(relatedTarget)) previous = relatedTarget;
      hasFocus = true;
      toasts.pause('focus');
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (isInside(relatedTarget)) return;
      hasFocus = false;
      toasts.resume('focus');
    };
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', onFocusOut);
    return () => {
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', onFocusOut);
      if (!hasFocus) return;
      toasts.resume('focus');
      if (previous instanceof HTMLElement) previous.focus();
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
  }, [region, toastId]);
}
