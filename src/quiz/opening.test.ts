import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { openQuizOnce } from './opening.ts';

eachTestIsAPage();

let navigationType = 'navigate';

beforeEach(() => {
  vi.useFakeTimers();
  navigationType = 'navigate';
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(
    () => [{ type: navigationType }] as unknown as PerformanceEntryList,
  );
  vi.stubGlobal('onscrollend', null);
  document.body.innerHTML = `
    <dialog id="contact"><form><input name="name"><textarea></textarea></form></dialog>
    <dialog id="quiz"><button>Close</button><a href="#x" target="_blank">Take the Quiz</a></dialog>
    <input id="outside"><select></select>`;
});

const dialog = (id: string) => document.getElementById(id) as HTMLDialogElement;
const isOpen = () => dialog('quiz').open;
const outside = () => document.getElementById('outside') as HTMLInputElement;
const due = () => dispatchEvent(new Event('quiz'));
const pass = () => vi.advanceTimersByTime(1);

/** The page is left and another one of the site comes. */
function comeAgain() {
  dialog('quiz').close();
  openQuizOnce();
  due();
}

it('opens when it is due', () => {
  openQuizOnce();
  expect(isOpen()).toBe(false);
  due();
  expect(isOpen()).toBe(true);
});

it('closes with its link, which opens in a new tab', () => {
  openQuizOnce();
  due();
  const link = document.querySelector('a');
  // The test's browser shall fetch nothing.
  link?.addEventListener('click', (event) => event.preventDefault());
  link?.click();
  expect(isOpen()).toBe(false);
});

it('does nothing on a page without the popup', () => {
  document.body.innerHTML = '';
  openQuizOnce();
  expect(due).not.toThrow();
});

describe('once', () => {
  it('does not open again in the same page', () => {
    openQuizOnce();
    due();
    dialog('quiz').close();
    due();
    pass();
    expect(isOpen()).toBe(false);
  });

  it('does not open again after moving to another page and back', () => {
    openQuizOnce();
    due();
    comeAgain();
    expect(isOpen()).toBe(false);
  });

  it('opens again after a reload', () => {
    openQuizOnce();
    due();
    navigationType = 'reload';
    comeAgain();
    expect(isOpen()).toBe(true);
  });

  it('works where nothing may be stored', () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
      setItem: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
      clear: () => {},
    });
    openQuizOnce();
    due();
    expect(isOpen()).toBe(true);
  });
});

describe('waits', () => {
  it('for another dialog to close', () => {
    openQuizOnce();
    dialog('contact').showModal();
    due();
    expect(isOpen()).toBe(false);
    dialog('contact').close();
    pass();
    expect(isOpen()).toBe(true);
  });

  it('for a field to be left', () => {
    openQuizOnce();
    outside().focus();
    due();
    expect(isOpen()).toBe(false);
    outside().blur();
    pass();
    expect(isOpen()).toBe(true);
  });

  it('for the next field too', () => {
    openQuizOnce();
    outside().focus();
    due();
    document.querySelector('select')?.focus();
    pass();
    expect(isOpen()).toBe(false);
  });

  it('while typed text is left in a field', () => {
    openQuizOnce();
    dialog('contact').showModal();
    const area = document.querySelector('textarea') as HTMLTextAreaElement;
    area.value = 'a draft';
    due();
    dialog('contact').close();
    pass();
    expect(isOpen()).toBe(false);
    dialog('contact').showModal();
    area.value = '';
    dialog('contact').close();
    pass();
    expect(isOpen()).toBe(true);
  });

  it('for a jump to a section to end', () => {
    openQuizOnce();
    dispatchEvent(new Event('hashchange'));
    dispatchEvent(new Event('scroll'));
    due();
    expect(isOpen()).toBe(false);
    dispatchEvent(new Event('scrollend'));
    expect(isOpen()).toBe(true);
  });

  it('for no other scrolling', () => {
    openQuizOnce();
    dispatchEvent(new Event('scroll'));
    due();
    expect(isOpen()).toBe(true);
  });
});

it('stays away after a message was sent', () => {
  openQuizOnce();
  document.querySelector('form')?.dispatchEvent(new Event('sent', { bubbles: true }));
  due();
  expect(isOpen()).toBe(false);
  comeAgain();
  expect(isOpen()).toBe(false);
});
