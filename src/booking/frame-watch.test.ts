import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { slowAfterMs, watchFrames } from './frame-watch.ts';

isolateEachTest();

const text = 'The calendar is slow to load.';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <dialog open><div id="box"><template data-on-open></template></div>
      <p role="status" data-late="${text}"></p></dialog>
    <dialog><template data-on-open></template></dialog>`;
});

const notice = () => document.querySelector('[role=status]')?.textContent;

/** Adds the calendar's frame, and waits until mutation observers have been called. */
async function open() {
  const frame = document.createElement('iframe');
  // With `srcdoc` it has a window without a network request.
  Object.assign(frame, { src: 'https://calendar.test/call', srcdoc: 'A calendar' });
  document.querySelector('#box')?.append(frame);
  await vi.advanceTimersByTimeAsync(0);
  return frame;
}
/** Sets an attribute as the boot script does, and waits until mutation observers have been called. */
async function setState(frame: HTMLIFrameElement, name: 'loaded' | 'stopped') {
  frame.dataset[name] = '';
  await vi.advanceTimersByTimeAsync(0);
}

it('a notice appears when a calendar has not loaded after eight seconds', async () => {
  watchFrames();
  await open();
  vi.advanceTimersByTime(slowAfterMs - 1);
  expect(notice()).toBe('');
  vi.advanceTimersByTime(1);
  expect(slowAfterMs).toBe(8000);
  expect(notice()).toBe(text);
});

it('no notice appears for a calendar that loads, and the notice of a slow one is removed once it loads', async () => {
  watchFrames();
  await setState(await open(), 'loaded');
  vi.advanceTimersByTime(2 * slowAfterMs);
  expect(notice()).toBe('');
  document.querySelector('iframe')?.remove();
  const late = await open();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe(text);
  await setState(late, 'loaded');
  expect(notice()).toBe('');
});

it('the notice appears at once when the content security policy blocks the frame, and stays when an error page loads', async () => {
  watchFrames();
  const frame = await open();
  await setState(frame, 'stopped');
  expect(notice()).toBe(text);
  await setState(frame, 'loaded');
  expect(notice()).toBe(text);
});

it('the notice appears when a later navigation of a loaded calendar is blocked', async () => {
  watchFrames();
  await setState(await open(), 'loaded');
  const frame = document.querySelector('iframe');
  if (frame) await setState(frame, 'stopped');
  expect(notice()).toBe(text);
});

it('the notice is removed and the frame is no longer watched when the dialog closes', async () => {
  watchFrames();
  const frame = await open();
  vi.advanceTimersByTime(slowAfterMs);
  frame.remove();
  await vi.advanceTimersByTimeAsync(0);
  expect(notice()).toBe('');
  await setState(frame, 'stopped');
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe('');
});

it('a frame that was added before the script loaded is watched', async () => {
  await open();
  watchFrames();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe(text);
});

it('the notice appears for a frame that was blocked before the script loaded', async () => {
  const frame = await open();
  await setState(frame, 'stopped');
  await setState(frame, 'loaded');
  watchFrames();
  expect(notice()).toBe(text);
});

it('no notice appears for a frame that had loaded before the script', async () => {
  (await open()).dataset.loaded = '';
  watchFrames();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe('');
});
