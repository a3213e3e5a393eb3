import { watchDialogs } from '../ui/dialog-watch.ts';

/**
 * Puts the content of each `<template data-on-open>` behind it while its dialog is open. A frame in
 * it is asked for when somebody wants it, and gone when they leave. It is marked `data-loaded` once
 * something is there, and `data-stopped` when our own content policy let it not in, or not go on.
 */
export function fillOpenDialogs(): void {
  const shown = new Map<Element, ChildNode[]>();
  watchDialogs((dialog) => {
    for (const template of dialog.querySelectorAll<HTMLTemplateElement>('template[data-on-open]')) {
      if (dialog.open === shown.has(template)) continue;
      if (dialog.open) {
        const nodes = [...document.importNode(template.content, true).childNodes];
        for (const node of nodes as HTMLElement[]) {
          node.onload = () => node.toggleAttribute('data-loaded', true);
        }
        template.after(...nodes);
        shown.set(template, nodes);
      } else {
        for (const node of shown.get(template) ?? []) node.remove();
        shown.delete(template);
      }
    }
  });
  addEventListener('message', ({ source, origin }) => {
    // Usable before the last of its pictures is there. Whatever it says: only what lives speaks.
    for (const frame of document.querySelectorAll<HTMLIFrameElement>('dialog[open] iframe')) {
      if (frame.contentWindow === source && origin === new URL(frame.src).origin) {
        frame.toggleAttribute('data-loaded', true);
      }
    }
  });
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    // A frame that another script of the page has tried is none of ours.
    const isAnother = document.querySelector(`iframe[src^="${blockedURI}"]:not(dialog[open] *)`);
    if (effectiveDirective !== 'frame-src' || isAnother) return;
    document.querySelector('dialog[open] iframe')?.toggleAttribute('data-stopped', true);
  });
}
