import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';

isolateEachTest();

beforeEach(() => {
  vi.useFakeTimers();
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  // happy-dom would fetch the script.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes) {
      const placeholder = document.createElement('meta');
      Object.assign(placeholder.dataset, (node as HTMLScriptElement).dataset);
      placeholder.setAttribute('data-src', (node as HTMLScriptElement).src);
      placeholder.setAttribute('data-async', String((node as HTMLScriptElement).async));
      (node as HTMLScriptElement).remove = () => placeholder.remove();
      document.head.appendChild(placeholder);
    }
  });
});

const scripts = () => [...document.head.querySelectorAll('meta')].map((m) => ({ ...m.dataset }));
const script = { src: 'https://optin.test/a.js', async: 'true', uid: 'a1' };
const place = () => document.querySelector('.place') ?? document.body;
/** Runs the script of a page with an opt-in script, up to its `load` event. */
const open = async () => {
  document.body.innerHTML =
    `<template id="opt-in"><script data-uid="${script.uid}" src="${script.src}"></script></template>` +
    '<div class="place"></div>';
  vi.resetModules();
  await import('./opt-in.ts');
};
const load = () => {
  dispatchEvent(new Event('load'));
  vi.advanceTimersByTime(1);
};
const show = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

it('the opt-in script is added with its attributes once the page has loaded', async () => {
  await open();
  expect(scripts()).toEqual([]);
  load();
  expect(scripts()).toEqual([script]);
});

it('the opt-in script is removed on pagehide and added again when the page is restored from the cache', async () => {
  await open();
  load();
  dispatchEvent(new Event('pagehide'));
  expect(scripts()).toEqual([]);
  show(true);
  expect(scripts()).toEqual([script]);
});

it('the opt-in script is not added twice on the first pageshow', async () => {
  await open();
  load();
  show(false);
  expect(scripts()).toEqual([script]);
});

it('a form that is inserted into the head is moved to its place', async () => {
  await open();
  load();
  document.head.insertAdjacentHTML('beforeend', '<style></style><form></form><link>');
  await vi.waitFor(() => expect(place().innerHTML).toBe('<form></form>'));
  expect(document.head.querySelectorAll('style, link')).toHaveLength(2);
});
