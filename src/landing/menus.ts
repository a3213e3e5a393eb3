/**
 * Manages the menus, which are native popovers: keeps `aria-expanded` of their buttons current, and
 * closes a menu when the focus leaves it or an entry is chosen.
 */
export function manageMenus(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[popovertarget]')) {
    const menu = document.getElementById(button.getAttribute('popovertarget') ?? '');
    // Without popovers the style of the menu opens it (`landing/menu.tsx`).
    if (!menu?.hidePopover) button.removeAttribute('aria-expanded');
    else manageMenu(menu, button);
  }
}

function manageMenu(menu: HTMLElement, button: HTMLElement): void {
  const setExpanded = (isOpen: boolean) => button.setAttribute('aria-expanded', String(isOpen));
  // The menu may have been opened before this script loaded.
  if (menu.matches(':popover-open')) setExpanded(true);
  menu.addEventListener('toggle', ({ newState }) => setExpanded(newState === 'open'));

  for (const element of [menu, button]) {
    element.addEventListener('focusout', ({ relatedTarget: next }) => {
      if (next instanceof Node && next !== button && !menu.contains(next)) menu.hidePopover();
    });
  }

  // In the capture phase, before the entry acts: a dialog that it opens must later return the focus to
  // an element that is still visible.
  menu.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element) || !target.closest('a, [commandfor]')) return;
      button.focus();
      menu.hidePopover();
    },
    true,
  );
}
