import { watchDialogs } from '../ui/native-dialogs.ts';

/** Time after which an unreachable site is requested again, in ms. */
const retryMs = 5000;

/**
 * Inserts the content of each `<template data-on-open>` after it while its dialog is open, so that a
 * frame loads only on demand. Sets `data-loaded` on a frame once it has loaded or sent a message,
 * `data-failed` while there is no network, and `data-stopped` when this site's content security policy blocks
 * it, at first or on a later navigation.
 */
export function fillOpenDialogs(): void {
  const shown = new Map<Element, ChildNode[]>();
  watchDialogs((dialog) => {
    for (const template of dialog.querySelectorAll<HTMLTemplateElement>('template[data-on-open]')) {
      if (dialog.open === shown.has(template)) continue;
      if (dialog.open) {
        const nodes = [...document.importNode(template.content, true).childNodes];
        template.after(...nodes);
        for (const node of nodes) {
          if (!(node instanceof HTMLIFrameElement)) continue;
          node.onload = () => node.toggleAttribute('data-loaded', true);
          void watchNetwork(node);
        }
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

/**
 * Marks the frame while this site cannot be reached, and then loads it again. The frame itself does not tell:
 * `load` fires after network errors in Chromium, and not at all in Firefox and WebKit.
 */
async function watchNetwork(frame: HTMLIFrameElement): Promise<void> {
  while (frame.isConnected && !(await isOnline())) {
    frame.toggleAttribute('data-failed', true);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  if (!frame.hasAttribute('data-failed')) return;
  frame.removeAttribute('data-failed');
  frame.setAttribute('src', frame.src);
}

const isOnline = () =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
