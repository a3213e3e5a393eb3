/**
 * Says so when a calendar does not come. What a frame was refused, its page is not told: `load` is
 * told of every answer and of none at all, and only a server that hangs tells nothing. So this is for
 * those that hang and for what our own policy stops; the server looks after the others
 * (`server/booking`).
 */
import { providerEvent } from './provider-message.ts';

/** Milliseconds a calendar may take before the visitor is told how to go on. */
export const patience = 8000;

/** Looks after the frames of `<template data-on-open>`, the one that is shown already included. */
export function tendFrames(): void {
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
  const over = new AbortController();
  const { signal } = over;
  const say = () => {
    const text = document.createElement('span');
    text.textContent = notice.dataset.late ?? '';
    notice.replaceChildren(text);
  };
  const timer = setTimeout(say, patience);
  const arrived = () => {
    clearTimeout(timer);
    notice.replaceChildren();
  };
  const isLoaded = 'loaded' in frame.dataset;
  if (isLoaded) arrived();
  frame.addEventListener('load', arrived, { signal });
  const listen = (event: MessageEvent) => {
    if (!providerEvent(event, frame)) return;
    // Usable before the last of its pictures is there.
    frame.dataset.loaded = '';
    arrived();
  };
  addEventListener('message', listen, { signal });
  // What is stopped loads too: an error page. It may also be a later step, on another host.
  const stopped = ({ effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective !== 'frame-src') return;
    over.abort();
    clearTimeout(timer);
    say();
  };
  document.addEventListener('securitypolicyviolation', stopped, { signal });
  return () => {
    over.abort();
    arrived();
  };
}
