import { beforeEach, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { manageMenus } from './menus.ts';

eachTestIsAPage();

const hide = vi.fn();
let isOpenAlready = false;

beforeEach(() => {
  hide.mockReset();
  document.body.innerHTML = `
    <button id="services" popovertarget="menu" aria-expanded="false">Services</button>
    <ul id="menu" popover><li><a href="#about"><b>About</b></a></li>
      <li><button commandfor="contact" command="show-modal">Contact</button></li></ul>
    <button id="next">Next</button><dialog id="contact"></dialog>`;
  at('menu').hidePopover = hide;
  // What the test's browser does not know of popovers.
  vi.spyOn(at('menu'), 'matches').mockImplementation(() => isOpenAlready);
  isOpenAlready = false;
});

const at = (id: string) => document.getElementById(id) as HTMLElement;
const expanded = () => at('services').getAttribute('aria-expanded');
const toggle = (newState: string) =>
  at('menu').dispatchEvent(Object.assign(new Event('toggle'), { newState }));
const leave = (from: Element | null, to: EventTarget | null) =>
  from?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: to }));

it('says on the button whether the menu is open', () => {
  manageMenus();
  toggle('open');
  expect(expanded()).toBe('true');
  toggle('closed');
  expect(expanded()).toBe('false');
});

it('says so of a menu that was opened before', () => {
  isOpenAlready = true;
  manageMenus();
  expect(expanded()).toBe('true');
});

it('closes the menu when the focus leaves both it and its button', () => {
  manageMenus();
  leave(document.querySelector('a'), at('next'));
  expect(hide).toHaveBeenCalledTimes(1);
  leave(at('services'), at('next'));
  expect(hide).toHaveBeenCalledTimes(2);
});

it('stays open while the focus moves within, or the window loses it', () => {
  manageMenus();
  leave(at('services'), document.querySelector('a'));
  leave(document.querySelector('a'), at('services'));
  leave(document.querySelector('a'), null);
  expect(hide).not.toHaveBeenCalled();
});

it.each(['b', '#menu button'])('closes, focus on its button, when %s is chosen', (selector) => {
  manageMenus();
  document.querySelector<HTMLElement>(selector)?.click();
  expect(hide).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(at('services'));
});

it('stays open when something else in it is pressed', () => {
  manageMenus();
  document.querySelector('li')?.click();
  expect(hide).not.toHaveBeenCalled();
});
