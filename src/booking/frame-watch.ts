/**
 * Says so when a calendar does not come. What a frame was refused, its page is not told: `load` is
 * told of every answer and of none at all, and only a server that hangs tells nothing. So this is for
 * those that hang and for what our own policy stops; the server looks after the others
 * (`server/booking`).
 */
import { isBooked, providerEvent } from './provider-message.ts';

/** Milliseconds a calendar may take before the visitor is told how to go on. */
export const slowAfterMs = 8000;

/** Looks after the frames of `<template data-on-open>`, the one that is shown already included. */
export function watchFrames(): void {
  for (const template of document.querySelectorAll('template[data-on-open]')) {
    const box = template.parentElement;
    const notice = template.closest('dialog')?.querySelector<HTMLElement>('[data-late]');
    if (!box || !notice) continue;
    let leave = () => {};
    const changed = () => {
      leave();
      const frame = box.querySelector('iframe');
      leave = frame ? tend(frame, notice) : () => {};
    };
    new MutationObserver(changed).observe(box, { childList: true });
    changed();
  }
}

/** Waits for the calendar in `frame`; returns what ends that, and takes the notice away. */
function tend(frame: HTMLIFrameElement, notice: HTMLElement): () => void {
  const say = () => {
    const text = document.createElement('span');
    text.textContent = notice.dataset.late ?? '';
    notice.replaceChildren(text);
  };
  const timer = setTimeout(say, slowAfterMs);
  // The marks are the boot script's (`frames.ts`): much can have happened before this code came.
  const look = () => {
    // What is stopped has loaded too: an error page.
    if ('stopped' in frame.dataset) say();
    else if ('loaded' in frame.dataset) notice.replaceChildren();
    else return;
    clearTimeout(timer);
  };
  const marks = new MutationObserver(look);
  marks.observe(frame, { attributeFilter: ['data-loaded', 'data-stopped'] });
  look();
  const listen = (event: MessageEvent) => {
    const told = providerEvent(event, frame);
    // Told to whoever counts (`api/activity.ts`); again and again is once a day.
    if (told && isBooked(told)) dispatchEvent(new Event('booked'));
  };
  addEventListener('message', listen);
  return () => {
    clearTimeout(timer);
    marks.disconnect();
    removeEventListener('message', listen);
    notice.replaceChildren();
  };
}
