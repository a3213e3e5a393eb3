import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { polyfillInvokers } from './native-dialogs.ts';

isolateEachTest();

const prototypes = [
  [HTMLButtonElement.prototype, 'commandForElement'],
  [HTMLDialogElement.prototype, 'closedBy'],
] as const;

/** Simulates a browser with or without native support. */
function setNativeSupport(isNative: boolean) {
  for (const [prototype, name] of prototypes) {
    if (isNative) Object.defineProperty(prototype, name, { value: null, configurable: true });
    else Reflect.deleteProperty(prototype, name);
  }
}

beforeEach(() => {
  setNativeSupport(false);
  document.body.innerHTML = `
    <button id="open" command="show-modal" commandfor="contact"><b>Contact</b></button>
    <button id="lost" command="show-modal" commandfor="nowhere">Lost</button>
    <dialog id="contact"><p>text</p><button command="close" commandfor="contact">Cancel</button></dialog>`;
  Object.defineProperties(dialog(), { offsetWidth: { value: 400 }, offsetHeight: { value: 300 } });
});
afterEach(() => setNativeSupport(false));

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const click = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const dispatchAt = (type: string, offsetX: number, offsetY: number) =>
  dialog().dispatchEvent(
    Object.assign(new MouseEvent(type, { bubbles: true }), { offsetX, offsetY }),
  );
/** Waits until mutation observers have been called. */
const observed = () => new Promise((resolve) => setTimeout(resolve, 10));
const clickAt = (x: number, y: number) => {
  dispatchAt('pointerdown', x, y);
  dispatchAt('click', x, y);
};

describe('without native invoker commands', () => {
  it('buttons open and close their dialog without native invoker commands', () => {
    polyfillInvokers();
    click('#open b');
    expect(dialog().open).toBe(true);
    click('#open b');
    click('dialog button');
    expect(dialog().open).toBe(false);
  });

  it('a button without an existing dialog does nothing', () => {
    polyfillInvokers();
    expect(() => click('#lost')).not.toThrow();
  });
});

describe('without native closedby', () => {
  it.each([
    [-1, 10],
    [10, -1],
    [401, 10],
    [10, 301],
  ])('a click outside the dialog (%i, %i) closes it', (x, y) => {
    polyfillInvokers();
    dialog().showModal();
    clickAt(x, y);
    expect(dialog().open).toBe(false);
  });

  it('a click outside within half a second of the opening does not close the dialog', async () => {
    polyfillInvokers();
    dialog().showModal();
    await observed();
    clickAt(-1, 10);
    expect(dialog().open).toBe(true);
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 500);
    clickAt(-1, 10);
    expect(dialog().open).toBe(false);
  });

  it('a text selection that ends outside the dialog does not close it', () => {
    polyfillInvokers();
    dialog().showModal();
    dispatchAt('pointerdown', 5, 5);
    dispatchAt('click', -20, 5);
    expect(dialog().open).toBe(true);
  });

  it('a click inside the dialog does not close it', () => {
    polyfillInvokers();
    dialog().showModal();
    clickAt(5, 5);
    click('dialog p');
    expect(dialog().open).toBe(true);
  });
});

it('the polyfill does nothing when the browser has native support', () => {
  setNativeSupport(true);
  polyfillInvokers();
  click('#open');
  expect(dialog().open).toBe(false);
  dialog().showModal();
  clickAt(-1, -1);
  expect(dialog().open).toBe(true);
});
