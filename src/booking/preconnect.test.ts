import { beforeEach, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { preconnectOnIntent } from './preconnect.ts';

eachTestIsAPage();

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

const reach = (selector: string, type = 'pointerover') =>
  document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }));
const links = () =>
  [...document.querySelectorAll('link')].map((link) => [link.rel, link.getAttribute('href')]);

it.each(['pointerover', 'touchstart', 'focusin'])(
  'connects to a calendar at the first %s of what opens it, and once',
  (type) => {
    preconnectOnIntent();
    expect(links()).toEqual([]);
    reach('i', type);
    reach('i', type);
    reach('[commandfor=inbox-review]', type);
    expect(links()).toEqual([['preconnect', 'https://calendar.test']]);
  },
);

it('does nothing for other controls', () => {
  preconnectOnIntent();
  for (const selector of ['[commandfor=contact]', '[commandfor=nowhere]', 'a', 'body']) {
    reach(selector);
  }
  document.dispatchEvent(new Event('focusin'));
  expect(links()).toEqual([]);
});

it('does nothing for a calendar that has no frame', () => {
  document.querySelector('#strategy-call template')?.remove();
  preconnectOnIntent();
  reach('[commandfor=strategy-call]');
  expect(links()).toEqual([]);
});

it('counts the reach that came before it', () => {
  document.querySelector<HTMLElement>('[commandfor=strategy-call]')?.focus();
  preconnectOnIntent();
  expect(links()).toHaveLength(1);
});

it('does nothing for who saves data', () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  preconnectOnIntent();
  reach('[commandfor=strategy-call]');
  expect(links()).toEqual([]);
});
