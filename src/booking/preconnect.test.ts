import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { preconnectOnIntent } from './preconnect.ts';

isolateEachTest();

beforeEach(() => {
  document.head.innerHTML = '';
  document.body.innerHTML = `
    <button commandfor="strategy-call"><i>Book</i></button>
    <button commandfor="inbox-review">Review</button>
    <button commandfor="contact">Contact</button>
    <button commandfor="nowhere">Nowhere</button>
    <a href="#about">About</a>
    <dialog id="strategy-call"><template data-on-open><iframe src="https://calendar.test/call"></iframe></template></dialog>
    <dialog id="inbox-review"><template data-on-open><iframe src="https://calendar.test/review"></iframe></template></dialog>
    <dialog id="contact"></dialog>`;
});

const showIntent = (selector: string, type = 'pointerover') =>
  document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }));
const links = () =>
  [...document.querySelectorAll('link')].map((link) => [link.rel, link.getAttribute('href')]);

it.each(['pointerover', 'touchstart', 'focusin'])(
  'the page preconnects to a calendar once, on the first %s of a button that opens it',
  (type) => {
    preconnectOnIntent();
    expect(links()).toEqual([]);
    showIntent('i', type);
    showIntent('i', type);
    showIntent('[commandfor=inbox-review]', type);
    expect(links()).toEqual([['preconnect', 'https://calendar.test']]);
  },
);

it('intent on other controls does not preconnect', () => {
  preconnectOnIntent();
  for (const selector of ['[commandfor=contact]', '[commandfor=nowhere]', 'a', 'body']) {
    showIntent(selector);
  }
  document.dispatchEvent(new Event('focusin'));
  expect(links()).toEqual([]);
});

it('intent before the script loaded preconnects', () => {
  document.querySelector<HTMLElement>('[commandfor=strategy-call]')?.focus();
  preconnectOnIntent();
  expect(links()).toHaveLength(1);
});

it('intent does not preconnect when the data saver is on', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  preconnectOnIntent();
  showIntent('[commandfor=strategy-call]');
  expect(links()).toEqual([]);
});
