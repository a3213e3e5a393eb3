/**
 * Toasts: short messages, one at a time. The newest replaces the one that is shown.
 *
 * This is the clockwork without a face; `toaster.tsx` shows it. Whoever calls `toast` needs no
 * toaster on the page yet: on a prerendered page the call wakes its island, which finds the message.
 */

export interface Toast {
  id: number;
  text: string;
  /** An alert interrupts a screen reader; an info waits for its turn. */
  kind: 'info' | 'alert';
  /** A dismissed toast is shown no more, though still known. */
  state: 'shown' | 'leaving' | 'dismissed';
}

/** Why a toast is kept from timing out. */
export type PauseReason = 'pointer' | 'focus' | 'hidden' | 'dialog';

/** How long a toast is shown, how long it fades, and how long it is known after that, in ms. */
export const displayTime = 5000;
export const fadeTime = 150;
export const removeDelay = 1_000_000;

/** A queue that holds at most one toast. `current` changes identity exactly when it tells. */
export function createToastQueue() {
  const listeners = new Set<() => void>();
  const holds = new Set<PauseReason>();
  let current: Toast | undefined;
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let remaining = 0;
  let runningSince = 0;

  const set = (next: Toast | undefined) => {
    current = next;
    for (const listener of listeners) listener();
  };
  const after = (delay: number, task: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(task, delay);
  };
  const run = () => {
    if (holds.size > 0) return;
    runningSince = performance.now();
    after(remaining, dismiss);
  };

  const toast = ({ text, kind = 'info' }: { text: string; kind?: Toast['kind'] }) => {
    clearTimeout(timer);
    remaining = displayTime;
    count += 1;
    set({ id: count, text, kind, state: 'shown' });
    run();
  };

  const dismiss = () => {
    if (current?.state !== 'shown') return;
    const toast = current;
    set({ ...toast, state: 'leaving' });
    after(fadeTime, () => {
      set({ ...toast, state: 'dismissed' });
      after(removeDelay, () => set(undefined));
    });
  };

  const hold = (reason: PauseReason) => {
    const wasRunning = holds.size === 0;
    holds.add(reason);
    if (!wasRunning || current?.state !== 'shown') return;
    clearTimeout(timer);
    remaining -= performance.now() - runningSince;
  };

  const release = (reason: PauseReason) => {
    if (holds.delete(reason) && current?.state === 'shown') run();
  };

  return {
    /** Shows a message. */
    toast,
    /** Ends the toast that is shown, if any. */
    dismiss,
    /** Stops the clock for a reason, until that reason and every other is released. */
    hold,
    release,
    current: () => current,
    /** Calls `listener` at each change; the answer ends that. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The queue of this page. */
export const toasts = createToastQueue();

/** Shows a message for five seconds, in place of the one before. */
export function toast(message: { text: string; kind?: Toast['kind'] }): void {
  toasts.toast(message);
  window.dispatchEvent(new CustomEvent('wake', { detail: 'toaster' }));
}
