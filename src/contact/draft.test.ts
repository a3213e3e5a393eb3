import { beforeEach, describe, expect, it, vi } from 'vitest';
import { persistDraft } from './draft.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/;

/** A contact form in the page, with these field values. */
function formWith(texts: Record<string, string> = {}): HTMLFormElement {
  document.body.innerHTML =
    '<form><input name="name"><input name="email" type="email"><input name="company">' +
    '<textarea name="message"></textarea><input name="hq7x"></form>';
  const form = document.querySelector('form') as HTMLFormElement;
  for (const [name, text] of Object.entries(texts)) field(form, name).value = text;
  return form;
}

const field = (form: HTMLFormElement, name: string) =>
  form.elements.namedItem(name) as HTMLInputElement;

function type(form: HTMLFormElement, name: string, text: string): void {
  field(form, name).value = text;
  field(form, name).dispatchEvent(new Event('input', { bubbles: true }));
}

const textsIn = (form: HTMLFormElement) =>
  ['name', 'email', 'company', 'message'].map((name) => field(form, name).value);

beforeEach(() => sessionStorage.clear());

describe('persistDraft', () => {
  it('a draft is restored after a reload, with the same key', () => {
    const first = formWith();
    const { key } = persistDraft(first);
    type(first, 'name', 'Ada');
    type(first, 'message', 'Hello\nthere');
    type(first, 'hq7x', 'a program');
    const reloaded = formWith();
    expect(persistDraft(reloaded).key()).toBe(key());
    expect(textsIn(reloaded)).toEqual(['Ada', '', '', 'Hello\nthere']);
    expect(field(reloaded, 'hq7x').value).toBe('');
  });

  it('restoring a draft keeps text that is already in the form, and stores it too', () => {
    const first = formWith();
    persistDraft(first);
    type(first, 'name', 'Ada');
    type(first, 'message', 'Hello');
    const reloaded = formWith({ name: 'Grace', email: 'g@example.com' });
    persistDraft(reloaded);
    expect(textsIn(reloaded)).toEqual(['Grace', 'g@example.com', '', 'Hello']);
    const third = formWith();
    persistDraft(third);
    expect(textsIn(third)).toEqual(['Grace', 'g@example.com', '', 'Hello']);
  });

  it('a draft is removed once it was sent, and the next one has a new key', () => {
    const form = formWith();
    const draft = persistDraft(form);
    type(form, 'message', 'Hello');
    const key = draft.key();
    form.reset();
    draft.next();
    expect(sessionStorage).toHaveLength(0);
    expect(draft.key()).not.toBe(key);
    expect(persistDraft(formWith()).key()).not.toBe(key);
  });

  it('text that was added while a draft was being sent is kept under a new key', () => {
    const form = formWith();
    const draft = persistDraft(form);
    const key = draft.key();
    type(form, 'message', 'And another thing');
    draft.next();
    const reloaded = formWith();
    const next = persistDraft(reloaded);
    expect(next.key()).not.toBe(key);
    expect(textsIn(reloaded)[3]).toBe('And another thing');
  });

  it('a draft is removed when its fields are emptied', () => {
    const form = formWith();
    persistDraft(form);
    type(form, 'name', 'Ada');
    type(form, 'name', '');
    expect(sessionStorage).toHaveLength(0);
  });

  it('the key of the first draft starts with the time of the page load', () => {
    const { key } = persistDraft(formWith());
    expect(key()).toMatch(uuid);
    const time = Number.parseInt(key().replace('-', '').slice(0, 12), 16);
    expect(time).toBe(Math.round(performance.timeOrigin));
  });
});

it.each([
  ['broken', () => sessionStorage.setItem('contact-draft', '{')],
  ['in another format', () => sessionStorage.setItem('contact-draft', '[1]')],
  [
    'blocked',
    () => {
      for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
        vi.spyOn(Storage.prototype, method).mockImplementation(() => {
          throw new DOMException('denied', 'SecurityError');
        });
      }
    },
  ],
])('the form works when the storage is %s', (_, breakStorage) => {
  breakStorage();
  const form = formWith();
  const draft = persistDraft(form);
  type(form, 'name', 'Ada');
  expect(draft.key()).toMatch(uuid);
  draft.next();
  expect(field(form, 'name').value).toBe('Ada');
});
