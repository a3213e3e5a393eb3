import { expect, it } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { ignoreHeldEnter } from './held-enter.ts';

isolateEachTest();

/** Whether the browser acts on this key in this element. */
function acts(selector: string, init: KeyboardEventInit): boolean {
  document.body.innerHTML = '<button></button><input><textarea></textarea>';
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
  return document.querySelector(selector)?.dispatchEvent(event) ?? false;
}

it('a held Enter key presses a button and submits a form once', () => {
  ignoreHeldEnter();
  for (const selector of ['button', 'input']) {
    expect(acts(selector, { key: 'Enter' })).toBe(true);
    expect(acts(selector, { key: 'Enter', repeat: true })).toBe(false);
  }
});

it('a held Enter key in a text area and other held keys repeat', () => {
  ignoreHeldEnter();
  expect(acts('textarea', { key: 'Enter', repeat: true })).toBe(true);
  expect(acts('input', { key: 'Backspace', repeat: true })).toBe(true);
});
