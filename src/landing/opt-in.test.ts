import { beforeEach, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { addOptInScript } from './opt-in.ts';

eachTestIsAPage();

beforeEach(() => {
  vi.useFakeTimers();
  document.head.innerHTML = '';
  // The test's browser would fetch it.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      const stand = document.createElement('meta');
      stand.setAttribute('data-src', (node as HTMLScriptElement).src);
      stand.setAttribute('data-async', String((node as HTMLScriptElement).async));
      (node as HTMLScriptElement).remove = () => stand.remove();
      document.head.appendChild(stand);
    }
  });
});

const scripts = () => [...document.head.querySelectorAll('meta')].map((m) => ({ ...m.dataset }));
const script = { src: 'https://optin.test/a.js', async: 'true' };
const comeBack = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

it('adds the script once the page has loaded', () => {
  document.documentElement.dataset.optInScript = script.src;
  addOptInScript();
  expect(scripts()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(scripts()).toEqual([script]);
});

it('takes it out as the visitor leaves, and adds it to a page that comes back as it was', () => {
  document.documentElement.dataset.optInScript = script.src;
  addOptInScript();
  vi.advanceTimersByTime(1);
  dispatchEvent(new Event('pagehide'));
  expect(scripts()).toEqual([]);
  comeBack(true);
  expect(scripts()).toEqual([script]);
});

it('does not add it twice as the page first shows', () => {
  document.documentElement.dataset.optInScript = script.src;
  addOptInScript();
  vi.advanceTimersByTime(1);
  comeBack(false);
  expect(scripts()).toEqual([script]);
});

it('adds nothing where the owner has none', () => {
  addOptInScript();
  vi.advanceTimersByTime(1000);
  expect(scripts()).toEqual([]);
});
