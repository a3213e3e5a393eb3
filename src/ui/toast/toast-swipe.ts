import { type PointerEvent, useState } from 'react';

/** Moved further to the right than this, in px, a toast is dismissed; up to it, it springs back. */
const swipeThreshold = 50;

interface Swipe {
  pointer: number;
  startX: number;
  /** How far to the right it has come, in px. */
  way: number;
  isHeld: boolean;
}

/**
 * What makes an element be swiped away to the right, by finger, pen or mouse. `way` is where it
 * stands, as a CSS length; `isHeld` whether it follows a pointer.
 */
export function useSwipeRight(onSwipe: () => void) {
  const [swipe, setSwipe] = useState<Swipe>();
  const held = (event: PointerEvent) =>
    swipe?.isHeld && swipe.pointer === event.pointerId ? swipe : undefined;

  const start = (event: PointerEvent<HTMLElement>) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button');
    if (event.button !== 0 || !event.isPrimary || isOnButton) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setSwipe({ pointer: event.pointerId, startX: event.clientX, way: 0, isHeld: true });
  };
  const move = (event: PointerEvent) => {
    const current = held(event);
    if (current) setSwipe({ ...current, way: Math.max(0, event.clientX - current.startX) });
  };
  const end = (event: PointerEvent) => {
    const current = held(event);
    if (!current) return;
    const isFarEnough = event.clientX - current.startX > swipeThreshold;
    setSwipe(isFarEnough ? { ...current, isHeld: false } : undefined);
    if (isFarEnough) onSwipe();
  };
  // The browser took the gesture for a scroll.
  const cancel = (event: PointerEvent) => {
    if (held(event)) setSwipe(undefined);
  };

  return {
    way: `${swipe?.way ?? 0}px`,
    isHeld: swipe?.isHeld ?? false,
    handlers: {
      onPointerDown: start,
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: cancel,
    },
  };
}
