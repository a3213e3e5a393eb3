import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keepDraft } from './draft.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/;

/** A form as the page has it, with texts in its fields. */
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

function write(form: HTMLFormElement, name: string, text: string): void {
  field(form, name).value = text;
  field(form, name).dispatchEvent(new Event('input', { bubbles: true }));
}

const textsIn = (form: HTMLFormElement) =>
  ['name', 'email', 'company', 'message'].map((name) => field(form, name).value);

beforeEach(() => sessionStorage.clear());

describe('a draft', () => {
  it('is there again after a reload, under the same key', () => {
    const first = formWith();
    const { key } = keepDraft(first);
    write(first, 'name', 'Ada');
    write(first, 'message', 'Hello\nthere');
    write(first, 'hq7x', 'a program');
    const again = formWith();
    expect(keepDraft(again).key()).toBe(key());
    expect(textsIn(again)).toEqual(['Ada', '', '', 'Hello\nthere']);
    expect(field(again, 'hq7x').value).toBe('');
  });

  it('leaves alone what was typed before it came, and keeps that too', () => {
    const first = formWith();
    keepDraft(first);
    write(first, 'name', 'Ada');
    write(first, 'message', 'Hello');
    const again = formWith({ name: 'Grace', email: 'g@example.com' });
    keepDraft(again);
    expect(textsIn(again)).toEqual(['Grace', 'g@example.com', '', 'Hello']);
    const third = formWith();
    keepDraft(third);
    expect(textsIn(third)).toEqual(['Grace', 'g@example.com', '', 'Hello']);
  });

  it('is gone once it was sent, and the next one has another key', () => {
    const form = formWith();
    const draft = keepDraft(form);
    write(form, 'message', 'Hello');
    const key = draft.key();
    form.reset();
    draft.sent();
    expect(sessionStorage).toHaveLength(0);
    expect(draft.key()).not.toBe(key);
    expect(keepDraft(formWith()).key()).not.toBe(key);
  });

  it('that was written on while it was sent stays, under another key', () => {
    const form = formWith();
    const draft = keepDraft(form);
    const key = draft.key();
    write(form, 'message', 'And another thing');
    draft.sent();
    const again = formWith();
    const next = keepDraft(again);
    expect(next.key()).not.toBe(key);
    expect(textsIn(again)[3]).toBe('And another thing');
  });

  it('that is emptied is kept no more', () => {
    const form = formWith();
    keepDraft(form);
    write(form, 'name', 'Ada');
    write(form, 'name', '');
    expect(sessionStorage).toHaveLength(0);
  });

  it('has a key that begins with the time at which its page came', () => {
    const { key } = keepDraft(formWith());
    expect(key()).toMatch(uuid);
    const time = Number.parseInt(key().replace('-', '').slice(0, 12), 16);
    expect(time).toBe(Math.round(performance.timeOrigin));
  });
});

it.each([
  ['broken', () => sessionStorage.setItem('contact-draft', '{')],
  ['of another shape', () => sessionStorage.setItem('contact-draft', '[1]')],
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
])('a storage that is %s changes nothing', (_, spoil) => {
  spoil();
  const form = formWith();
  const draft = keepDraft(form);
  write(form, 'name', 'Ada');
  expect(draft.key()).toMatch(uuid);
  draft.sent();
  expect(field(form, 'name').value).toBe('Ada');
});
