import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { openQuizOnce } from './opening.ts';

isolateEachTest();

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
const triggerQuiz = () => dispatchEvent(new Event('quiz'));
const flushTimers = () => vi.advanceTimersByTime(1);

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
    flushTimers();
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
  it('the quiz waits until another dialog closes', () => {
    openQuizOnce();
    dialog('contact').showModal();
    triggerQuiz();
    expect(isOpen()).toBe(false);
    dialog('contact').close();
    flushTimers();
    expect(isOpen()).toBe(true);
  });

  it('the quiz waits until a field loses the focus', () => {
    openQuizOnce();
    outside().focus();
    triggerQuiz();
    expect(isOpen()).toBe(false);
    outside().blur();
    flushTimers();
    expect(isOpen()).toBe(true);
  });

  it('the quiz waits when the focus moves from one field to another', () => {
    openQuizOnce();
    outside().focus();
    triggerQuiz();
    document.querySelector('select')?.focus();
    flushTimers();
    expect(isOpen()).toBe(false);
  });

  it('the quiz waits while a field has unsent text', () => {
    openQuizOnce();
    dialog('contact').showModal();
    const area = document.querySelector('textarea') as HTMLTextAreaElement;
    area.value = 'a draft';
    triggerQuiz();
    dialog('contact').close();
    flushTimers();
    expect(isOpen()).toBe(false);
    dialog('contact').showModal();
    area.value = '';
    dialog('contact').close();
    flushTimers();
    expect(isOpen()).toBe(true);
  });

  it('the quiz waits until the scroll to a section ends', () => {
    openQuizOnce();
    dispatchEvent(new Event('hashchange'));
    dispatchEvent(new Event('scroll'));
    triggerQuiz();
    expect(isOpen()).toBe(false);
    dispatchEvent(new Event('scrollend'));
    expect(isOpen()).toBe(true);
  });

  it('the quiz does not wait for other scrolling', () => {
    openQuizOnce();
    dispatchEvent(new Event('scroll'));
    triggerQuiz();
    expect(isOpen()).toBe(true);
  });
});

it('the quiz does not open after a message was sent', () => {
  openQuizOnce();
  document.querySelector('form')?.dispatchEvent(new Event('sent', { bubbles: true }));
  triggerQuiz();
  expect(isOpen()).toBe(false);
  navigate();
  expect(isOpen()).toBe(false);
});
