/**
 * Shows a notice when a calendar's frame hangs or is blocked by this site's content security policy.
 * A page cannot detect a calendar that forbids framing, since `load` fires after every response and after
 * network errors; the links below the frame are for those.
 */
import { isBooking } from './provider-message.ts';

/** Milliseconds after which a calendar counts as slow, and the notice appears. */
export const slowAfterMs = 8000;

/** Watches the frames of each `<template data-on-open>`, including one that is already shown. */
export function watchFrames(): void {
  for (const template of document.querySelectorAll('template[data-on-open]')) {
    const box = template.parentElement;
    const notice = template.closest('dialog')?.querySelector<HTMLElement>('[data-late]');
    if (!box || !notice) continue;
    let stop = () => {};
    const onChange = () => {
      stop();
      const frame = box.querySelector('iframe');
      stop = frame ? watchFrame(frame, notice) : () => {};
    };
    new MutationObserver(onChange).observe(box, { childList: true });
    onChange();
  }
}

/** Watches the calendar in `frame`; returns a function that stops that and removes the notice. */
function watchFrame(frame: HTMLIFrameElement, notice: HTMLElement): () => void {
  const showNotice = () => {
    const text = document.createElement('span');
    text.textContent = notice.dataset.late ?? '';
    notice.replaceChildren(text);
  };
  const timer = setTimeout(showNotice, slowAfterMs);
  // The boot script sets these attributes (`frames.ts`), possibly before this code has loaded.
  const update = () => {
    // A blocked frame has loaded too: the browser's error page.
    if ('stopped' in frame.dataset) showNotice();
    else if ('loaded' in frame.dataset) notice.replaceChildren();
    else return;
    clearTimeout(timer);
  };
  const observer = new MutationObserver(update);
  observer.observe(frame, { attributeFilter: ['data-loaded', 'data-stopped'] });
  update();
  const onMessage = (event: MessageEvent) => {
    // Counted by `api/activity.ts`, at most once a day for each visitor.
    if (isBooking(event, frame)) dispatchEvent(new Event('booked'));
  };
  addEventListener('message', onMessage);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    removeEventListener('message', onMessage);
    notice.replaceChildren();
  };
}
