/** Keeps the focus in the editor, also when a change of the draft removes what has it. */
import { type RefObject, useEffect } from 'react';

/**
 * When the focused element is removed, disabled or hidden, its field takes the focus, or else the title of the open
 * panel, or else `heading`. The browser would leave it on <body>, and the next Tab would begin at the top of the page.
 */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: Element | null = null;
    /** The fields around it, since an element that is removed has no parents. */
    let fields: Element[] = [];
    const onFocus = ({ target }: FocusEvent) => {
      focused = target instanceof Element ? target : null;
      fields = fieldsAround(focused);
    };
    const check = () => {
      if (document.activeElement !== document.body || !focused || canHaveFocus(focused)) return;
      const field = fields.find((one) => one.checkVisibility());
      const control = field?.querySelector<HTMLElement>('input, textarea, select, button');
      const title = [...document.querySelectorAll<HTMLElement>('dialog[open] h2')].at(-1);
      (control ?? title ?? heading.current)?.focus();
    };
    // After the next rendering, and after what has a better place for it.
    const observer = new MutationObserver(() => requestAnimationFrame(() => setTimeout(check)));
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributeFilter: ['class', 'disabled'],
    });
    addEventListener('focusin', onFocus);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', onFocus);
    };
  }, [heading]);
}

const canHaveFocus = (element: Element) =>
  element.checkVisibility() && !element.matches(':disabled');

function fieldsAround(element: Element | null): Element[] {
  const field = element?.closest('[data-path]');
  return field ? [field, ...fieldsAround(field.parentElement)] : [];
}
