import { watchDialogs } from '../ui/native-dialogs.ts';

/** Time after which an unreachable site is requested again, in ms. */
const retryMs = 5000;

/** Time after which a site that does not respond counts as unreachable, in ms. */
const timeoutMs = 8000;

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
          node.onload = () => {
            node.toggleAttribute('data-loaded', true);
            if (isErrorPage(node)) void loadAgain(node);
          };
          void isReachable(node).then((is) => {
            if (!is) void loadAgain(node);
          });
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

/** Marks the frame until its site can be reached, and then loads it again. */
async function loadAgain(frame: HTMLIFrameElement): Promise<void> {
  if (frame.hasAttribute('data-failed')) return;
  frame.toggleAttribute('data-failed', true);
  do {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  } while (frame.isConnected && !(await isReachable(frame)));
  frame.removeAttribute('data-failed');
  frame.setAttribute('src', frame.src);
}

/**
 * Whether there is a network. The frame does not show it: after an error Chromium fires `load`, Firefox and
 * WebKit fire nothing. For a calendar elsewhere only `navigator.onLine` counts, as this site can be down alone.
 */
async function isReachable(frame: HTMLIFrameElement): Promise<boolean> {
  if (!isOwn(frame)) return navigator.onLine;
  // Safari before 16 has no such timeout.
  const signal = AbortSignal.timeout?.(timeoutMs);
  return fetch('/', { method: 'HEAD', cache: 'no-store', signal }).then(
    () => true,
    () => frame.hasAttribute('data-loaded') && !isErrorPage(frame),
  );
}

const isOwn = ({ src }: HTMLIFrameElement) => src.startsWith(`${location.origin}/`);

/** Whether a frame of this site has a page that is not of this site: the browser's own. */
const isErrorPage = (frame: HTMLIFrameElement) => isOwn(frame) && !frame.contentDocument;
