import { type PointerEvent, useState } from 'react';

/** A toast that is swiped further to the right than this is dismissed; otherwise it springs back. */
const swipeThresholdPx = 50;

interface Swipe {
  pointer: number;
  startX: number;
  /** Distance to the right, in px. */
  dx: number;
  /** Whether the pointer is down, so that the toast follows it. */
  isDown: boolean;
}

/**
 * Calls `onSwipe` when an element is swiped to the right, by finger, pen or mouse. `dx` is its current
 * distance as a CSS length, `isDown` whether it follows a pressed pointer.
 */
export function useSwipeRight(onSwipe: () => void) {
  const [swipe, setSwipe] = useState<Swipe>();
  const dragOf = (event: PointerEvent) =>
    swipe?.isDown && swipe.pointer === event.pointerId ? swipe : undefined;

  const start = (event: PointerEvent<HTMLElement>) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button');
    if (event.button !== 0 || !event.isPrimary || isOnButton) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setSwipe({ pointer: event.pointerId, startX: event.clientX, dx: 0, isDown: true });
  };
  const move = (event: PointerEvent) => {
    const current = dragOf(event);
    if (current) setSwipe({ ...current, dx: Math.max(0, event.clientX - current.startX) });
  };
  const end = (event: PointerEvent) => {
    const current = dragOf(event);
    if (!current) return;
    const isFarEnough = event.clientX - current.startX > swipeThresholdPx;
    setSwipe(isFarEnough ? { ...current, isDown: false } : undefined);
    if (isFarEnough) onSwipe();
  };
  // The browser handles the gesture as a scroll.
  const cancel = (event: PointerEvent) => {
    if (dragOf(event)) setSwipe(undefined);
  };

  return {
    dx: `${swipe?.dx ?? 0}px`,
    isDown: swipe?.isDown ?? false,
    handlers: {
      onPointerDown: start,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: cancel,
    },
  };
}
