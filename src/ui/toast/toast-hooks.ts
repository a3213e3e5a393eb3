/** When the clock of a toast stands still, and what ends a toast besides the clock. */
import { type RefObject, useEffect, useState } from 'react';
import { toasts } from './toast-queue.ts';

/** Time does not pass for a toast while nobody can see it. */
export function useClockOfVisibleTime() {
  useEffect(() => {
    const follow = () => (document.hidden ? toasts.hold('hidden') : toasts.release('hidden'));
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, []);
}

/** A toast waits until the visitor has left a dialog: it would be shown below it, and never read out. */
export function useDialogInTheWay(): boolean {
  const [isInTheWay, setIsInTheWay] = useState(false);
  useEffect(() => {
    const look = () => {
      const isOpen = document.querySelector('dialog[open]') !== null;
      setIsInTheWay(isOpen);
      if (isOpen) toasts.hold('dialog');
      else toasts.release('dialog');
    };
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, attributeFilter: ['open'] });
    return () => observer.disconnect();
  }, []);
  return isInTheWay;
}

/** Esc dismisses the toast, unless it is meant for a dialog. */
export function useEscape(isOpen: boolean) {
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) toasts.dismiss();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOpen]);
}

/**
 * Holds a toast that has the focus; when it goes, the focus returns to where it was before.
 * `open` is the id of the toast that is open, if any.
 */
export function useFocusReturn(region: RefObject<HTMLElement | null>, open: number | undefined) {
  useEffect(() => {
    const element = region.current;
    if (!element || open === undefined) return;
    let isHeld = false;
    let before: EventTarget | null = null;
    const isInside = (target: EventTarget | null) =>
      target instanceof Node && element.contains(target);
    const enter = ({ relatedTarget }: FocusEvent) => {
      if (!isInside(relatedTarget)) before = relatedTarget;
      isHeld = true;
      toasts.hold('focus');
    };
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (isInside(relatedTarget)) return;
      isHeld = false;
      toasts.release('focus');
    };
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
      if (!isHeld) return;
      toasts.release('focus');
      if (before instanceof HTMLElement) before.focus();
      else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    };
  }, [region, open]);
}
