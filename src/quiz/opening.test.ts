import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { openQuizOnce } from './opening.ts';

isolateEachTest();

let navigationType = 'navigate';

beforeEach(() => {
  navigationType = 'navigate';
  vi.spyOn(performance, 'getEntriesByType').mockImplementation(
    () => [{ type: navigationType }] as unknown as PerformanceEntryList,
  );
  document.body.innerHTML = `
    <dialog id="contact"><form><input name="name"><textarea></textarea></form></dialog>
    <dialog id="quiz"><button>Close</button><a href="#x" target="_blank">Take the Quiz</a></dialog>
    <input id="outside"><select></select>`;
});

const dialog = (id: string) => document.getElementById(id) as HTMLDialogElement;
const isOpen = () => dialog('quiz').open;
const outside = () => document.getElementById('outside') as HTMLInputElement;
/** Returns false if the popup has to wait for the next trigger. */
const triggerQuiz = () => dispatchEvent(new Event('quiz', { cancelable: true }));

/** Simulates navigation to another page of the site. */
function navigate() {
  dialog('quiz').close();
  openQuizOnce();
  triggerQuiz();
}

it('the quiz opens on its event', () => {
  openQuizOnce();
  expect(isOpen()).toBe(false);
  triggerQuiz();
  expect(isOpen()).toBe(true);
});

it('the quiz closes when its link opens in a new tab', () => {
  openQuizOnce();
  triggerQuiz();
  const link = document.querySelector('a');
  // Prevents the test browser from opening the link.
  link?.addEventListener('click', (event) => event.preventDefault());
  link?.click();
  expect(isOpen()).toBe(false);
});

it('the event does nothing on a page without the quiz', () => {
  document.body.innerHTML = '';
  openQuizOnce();
  expect(triggerQuiz).not.toThrow();
});

describe('the quiz opens once', () => {
  it('the quiz does not open again on the same page', () => {
    openQuizOnce();
    triggerQuiz();
    dialog('quiz').close();
    triggerQuiz();
    expect(isOpen()).toBe(false);
  });

  it('the quiz does not open again after a navigation', () => {
    openQuizOnce();
    triggerQuiz();
    navigate();
    expect(isOpen()).toBe(false);
  });

  it('the quiz opens again after a reload', () => {
    openQuizOnce();
    triggerQuiz();
    navigationType = 'reload';
    navigate();
    expect(isOpen()).toBe(true);
  });

  it('the quiz opens when storage is blocked', () => {
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
    triggerQuiz();
    expect(isOpen()).toBe(true);
  });
});

describe('the quiz waits for the visitor', () => {
  it('the quiz does not open while another dialog is open, and not when it closes', () => {
    openQuizOnce();
    dialog('contact').showModal();
    expect(triggerQuiz()).toBe(false);
    dialog('contact').close();
    expect(isOpen()).toBe(false);
    expect(triggerQuiz()).toBe(true);
    expect(isOpen()).toBe(true);
  });

  it('the quiz does not open while a field has the focus', () => {
    openQuizOnce();
    outside().focus();
    triggerQuiz();
    expect(isOpen()).toBe(false);
    document.querySelector('select')?.focus();
    triggerQuiz();
    expect(isOpen()).toBe(false);
    document.querySelector('select')?.blur();
    triggerQuiz();
    expect(isOpen()).toBe(true);
  });

  it('the quiz does not open while a field has unsent text', () => {
    openQuizOnce();
    const area = document.querySelector('textarea') as HTMLTextAreaElement;
    area.value = 'a draft';
    triggerQuiz();
    expect(isOpen()).toBe(false);
    area.value = '';
    triggerQuiz();
    expect(isOpen()).toBe(true);
  });
});

it.each(['sent', 'booked'])('the quiz does not open after the event %s', (type) => {
  openQuizOnce();
  document.querySelector('form')?.dispatchEvent(new Event(type, { bubbles: true }));
  triggerQuiz();
  expect(isOpen()).toBe(false);
  navigate();
  expect(isOpen()).toBe(false);
});
