import { watchDialogs } from '../ui/native-dialogs.ts';

/** Time after which a calendar that could not be loaded is requested again, in ms. */
const retryMs = 5000;

/**
 * Inserts the content of each `<template data-on-open>` after it while its dialog is open, so that a
 * frame loads only on demand. Sets `data-loaded` on a frame once it has loaded or sent a message,
 * `data-failed` while it cannot be loaded for lack of a network, and `data-stopped` when this site's content
 * security policy blocks it, at first or on a later navigation.
 */
export function fillOpenDialogs(): void {
  const shown = new Map<Element, ChildNode[]>();
  watchDialogs((dialog) => {
    for (const template of dialog.querySelectorAll<HTMLTemplateElement>('template[data-on-open]')) {
      if (dialog.open === shown.has(template)) continue;
      if (dialog.open) {
        const nodes = [...document.importNode(template.content, true).childNodes];
        for (const node of nodes) if (node instanceof HTMLIFrameElement) watchLoad(node);
        template.after(...nodes);
        shown.set(template, nodes);
      } else {
        for (const node of shown.get(template) ?? []) node.remove();
        shown.delete(template);
      }
    }
  });
  addEventListener('message', ({ source, origin }) => {
    // Any message means that the frame is usable, before `load`, which waits for the last image.
    for (const frame of document.querySelectorAll<HTMLIFrameElement>('dialog[open] iframe')) {
      if (frame.contentWindow === source && origin === new URL(frame.src).origin) {
        frame.toggleAttribute('data-loaded', true);
      }
    }
  });
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    // A violation by a frame of another script of the page is ignored.
    const isForeign = document.querySelector(`iframe[src^="${blockedURI}"]:not(dialog[open] *)`);
    if (effectiveDirective !== 'frame-src' || isForeign) return;
    document.querySelector('dialog[open] iframe')?.toggleAttribute('data-stopped', true);
  });
}

/** Requests the frame's page again until it has loaded. */
function watchLoad(frame: HTMLIFrameElement): void {
  frame.onload = () => {
    const hasFailed = isErrorPage(frame);
    frame.toggleAttribute('data-failed', hasFailed);
    frame.toggleAttribute('data-loaded', !hasFailed);
    if (hasFailed) setTimeout(() => frame.setAttribute('src', frame.src), retryMs);
  };
}

/**
 * Whether the frame has the browser's error page, which fires `load`, too. Its document is out of reach, as
 * is each one of another site: of those only the browser's own word is left.
 */
const isErrorPage = (frame: HTMLIFrameElement) =>
  new URL(frame.src).origin === location.origin ? !frame.contentDocument : !navigator.onLine;
