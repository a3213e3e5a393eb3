import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { manageMenus } from './menus.ts';

isolateEachTest();

const hide = vi.fn();
let isPopoverOpen = false;

beforeEach(() => {
  hide.mockReset();
  document.body.innerHTML = `
    <button id="services" popovertarget="menu" aria-expanded="false">Services</button>
    <ul id="menu" popover><li><a href="#about"><b>About</b></a></li>
      <li><button commandfor="contact" command="show-modal">Contact</button></li></ul>
    <button id="next">Next</button><dialog id="contact"></dialog>`;
  byId('menu').hidePopover = hide;
  // happy-dom does not implement `:popover-open`.
  vi.spyOn(byId('menu'), 'matches').mockImplementation(() => isPopoverOpen);
  isPopoverOpen = false;
});

const byId = (id: string) => document.getElementById(id) as HTMLElement;
const expanded = () => byId('services').getAttribute('aria-expanded');
const toggle = (newState: string) =>
  byId('menu').dispatchEvent(Object.assign(new Event('toggle'), { newState }));
const moveFocus = (from: Element | null, to: EventTarget | null) =>
  from?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: to }));

it('the button’s aria-expanded follows the menu', () => {
  manageMenus();
  toggle('open');
  expect(expanded()).toBe('true');
  toggle('closed');
  expect(expanded()).toBe('false');
});

it('the button is aria-expanded when the menu was opened before the script loaded', () => {
  isPopoverOpen = true;
  manageMenus();
  expect(expanded()).toBe('true');
});

it('the button is no disclosure in a browser without popovers', () => {
  Object.assign(byId('menu'), { hidePopover: undefined });
  manageMenus();
  expect(expanded()).toBeNull();
});

it('the menu closes when the focus leaves the menu and its button', () => {
  manageMenus();
  moveFocus(document.querySelector('a'), byId('next'));
  expect(hide).toHaveBeenCalledTimes(1);
  moveFocus(byId('services'), byId('next'));
  expect(hide).toHaveBeenCalledTimes(2);
});

it('the menu stays open when the focus moves inside it or the window loses the focus', () => {
  manageMenus();
  moveFocus(byId('services'), document.querySelector('a'));
  moveFocus(document.querySelector('a'), byId('services'));
  moveFocus(document.querySelector('a'), null);
  expect(hide).not.toHaveBeenCalled();
});

it.each(['b', '#menu button'])(
  'the menu closes and focuses its button when %s is clicked',
  (selector) => {
    manageMenus();
    document.querySelector<HTMLElement>(selector)?.click();
    expect(hide).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(byId('services'));
  },
);

it('the menu stays open on a click that hits neither a link nor a dialog button', () => {
  manageMenus();
  document.querySelector('li')?.click();
  expect(hide).not.toHaveBeenCalled();
});
