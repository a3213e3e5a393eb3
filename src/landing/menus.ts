/**
 * Tends the menus, which are native popovers: their buttons say whether they are open, and they go
 * when the focus goes on or an entry is chosen.
 */
export function manageMenus(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[popovertarget]')) {
    const menu = document.getElementById(button.getAttribute('popovertarget') ?? '');
    if (menu) tend(menu, button);
  }
}

function tend(menu: HTMLElement, button: HTMLElement): void {
  const say = (isOpen: boolean) => button.setAttribute('aria-expanded', String(isOpen));
  // It may have been opened before this script was there.
  if (menu.matches(':popover-open')) say(true);
  menu.addEventListener('toggle', ({ newState }) => say(newState === 'open'));

  for (const part of [menu, button]) {
    part.addEventListener('focusout', ({ relatedTarget: next }) => {
      if (next instanceof Node && next !== button && !menu.contains(next)) menu.hidePopover();
    });
  }

  // Before the entry acts: a dialog it opens shall give the focus back to what is still in sight.
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
