import { watchDialogs } from '../ui/dialog-watch.ts';

/**
 * Puts the content of each `<template data-on-open>` behind it while its dialog is open. A frame in
 * it is asked for when somebody wants it, marked `data-loaded` once it is there, and gone when they
 * leave.
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
}
