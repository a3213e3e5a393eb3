/**
 * Toasts: short messages, one at a time. A new one replaces the one that is shown.
 *
 * This module has the state and timers; `toaster.tsx` renders them. `toast` works before a toaster is
 * mounted: on a prerendered page it hydrates the toaster's island, which then shows the message.
 */

export interface Toast {
  id: number;
  text: string;
  /** An alert interrupts a screen reader; an info is announced when it is idle. */
  kind: 'info' | 'alert';
  /** A dismissed toast is no longer shown, but `current` still returns it. */
  state: 'shown' | 'leaving' | 'dismissed';
}

/** Why a toast's timer is paused. */
export type PauseReason = 'pointer' | 'focus' | 'hidden' | 'dialog';

/** How long a toast is shown, fades out, and is kept in `current` after that. */
export const displayTimeMs = 5000;
export const fadeTimeMs = 150;
export const removeDelayMs = 1_000_000;

/** A queue of at most one toast. `current` returns a new object exactly when listeners are notified. */
export function createToastQueue() {
  const listeners = new Set<() => void>();
  const pauseReasons = new Set<PauseReason>();
  let current: Toast | undefined;
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let remaining = 0;
  let runningSince = 0;

  const set = (next: Toast | undefined) => {
    current = next;
    for (const listener of listeners) listener();
  };
  const after = (delayMs: number, task: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(task, delayMs);
  };
  const startTimer = () => {
    if (pauseReasons.size > 0) return;
    runningSince = performance.now();
    after(remaining, dismiss);
  };

  const toast = ({ text, kind = 'info' }: { text: string; kind?: Toast['kind'] }) => {
    clearTimeout(timer);
    remaining = displayTimeMs;
    count += 1;
    set({ id: count, text, kind, state: 'shown' });
    startTimer();
  };

  const dismiss = () => {
    if (current?.state !== 'shown') return;
    const toast = current;
    set({ ...toast, state: 'leaving' });
    after(fadeTimeMs, () => {
      set({ ...toast, state: 'dismissed' });
      after(removeDelayMs, () => set(undefined));
    });
  };

  const pause = (reason: PauseReason) => {
    const wasRunning = pauseReasons.size === 0;
    pauseReasons.add(reason);
    if (!wasRunning || current?.state !== 'shown') return;
    clearTimeout(timer);
    remaining -= performance.now() - runningSince;
  };

  const resume = (reason: PauseReason) => {
    if (pauseReasons.delete(reason) && current?.state === 'shown') startTimer();
  };

  return {
    /** Shows a message. */
    toast,
    /** Dismisses the toast that is shown, if any. */
    dismiss,
    /** Pauses the timer for a reason. It runs again once every reason has been resumed. */
    pause,
    resume,
    current: () => current,
    /** Calls `listener` on each change; returns the unsubscribe function. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The queue of this page. */
export const toasts = createToastQueue();

/** Shows a message for five seconds, replacing the previous one. */
export function toast(message: { text: string; kind?: Toast['kind'] }): void {
  toasts.toast(message);
  window.dispatchEvent(new CustomEvent('hydrate', { detail: 'toaster' }));
}
