import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { addOptInScript } from './opt-in.ts';

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
const configure = () => {
  document.body.innerHTML = `<template id="opt-in"><script data-uid="${script.uid}" src="${script.src}"></script></template>`;
};
const show = (persisted: boolean) =>
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted }));

it('the opt-in script is added with its attributes once the page has loaded', () => {
  configure();
  addOptInScript();
  expect(scripts()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(scripts()).toEqual([script]);
});

it('the opt-in script is removed on pagehide and added again when the page is restored from the cache', () => {
  configure();
  addOptInScript();
  vi.advanceTimersByTime(1);
  dispatchEvent(new Event('pagehide'));
  expect(scripts()).toEqual([]);
  show(true);
  expect(scripts()).toEqual([script]);
});

it('the opt-in script is not added twice on the first pageshow', () => {
  configure();
  addOptInScript();
  vi.advanceTimersByTime(1);
  show(false);
  expect(scripts()).toEqual([script]);
});

it('no script is added when the config has none', () => {
  addOptInScript();
  vi.advanceTimersByTime(1000);
  expect(scripts()).toEqual([]);
});
