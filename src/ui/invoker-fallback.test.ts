import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { standInForInvokers } from './invoker-fallback.ts';

eachTestIsAPage();

const prototypes = [
  [HTMLButtonElement.prototype, 'commandForElement'],
  [HTMLDialogElement.prototype, 'closedBy'],
] as const;

/** Whether this browser does it by itself. */
function native(isNative: boolean) {
  for (const [prototype, name] of prototypes) {
    if (isNative) Object.defineProperty(prototype, name, { value: null, configurable: true });
    else Reflect.deleteProperty(prototype, name);
  }
}

beforeEach(() => {
  native(false);
  document.body.innerHTML = `
    <button id="open" command="show-modal" commandfor="contact"><b>Contact</b></button>
    <button id="lost" command="show-modal" commandfor="nowhere">Lost</button>
    <dialog id="contact"><p>text</p><button command="close" commandfor="contact">Cancel</button></dialog>`;
  Object.defineProperties(dialog(), { offsetWidth: { value: 400 }, offsetHeight: { value: 300 } });
});
afterEach(() => native(false));

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const at = (type: string, offsetX: number, offsetY: number) =>
  dialog().dispatchEvent(
    Object.assign(new MouseEvent(type, { bubbles: true }), { offsetX, offsetY }),
  );
const pressAt = (x: number, y: number) => {
  at('pointerdown', x, y);
  at('click', x, y);
};

describe('where the browser has no invoker commands', () => {
  it('opens and closes by the buttons', () => {
    standInForInvokers();
    press('#open b');
    expect(dialog().open).toBe(true);
    press('#open b');
    press('dialog button');
    expect(dialog().open).toBe(false);
  });

  it('ignores buttons of no dialog', () => {
    standInForInvokers();
    expect(() => press('#lost')).not.toThrow();
  });
});

describe('where the browser has no closedby', () => {
  it.each([
    [-1, 10],
    [10, -1],
    [401, 10],
    [10, 301],
  ])('closes at a press outside (%i, %i)', (x, y) => {
    standInForInvokers();
    dialog().showModal();
    pressAt(x, y);
    expect(dialog().open).toBe(false);
  });

  it('stays open when text is selected to beyond its edge', () => {
    standInForInvokers();
    dialog().showModal();
    at('pointerdown', 5, 5);
    at('click', -20, 5);
    expect(dialog().open).toBe(true);
  });

  it('stays open at a press inside', () => {
    standInForInvokers();
    dialog().showModal();
    pressAt(5, 5);
    press('dialog p');
    expect(dialog().open).toBe(true);
  });
});

it('does nothing where the browser does it', () => {
  native(true);
  standInForInvokers();
  press('#open');
  expect(dialog().open).toBe(false);
  dialog().showModal();
  pressAt(-1, -1);
  expect(dialog().open).toBe(true);
});
