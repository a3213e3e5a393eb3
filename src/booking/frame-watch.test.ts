import { beforeEach, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { slowAfterMs, watchFrames } from './frame-watch.ts';

eachTestIsAPage();

const words = 'It is not coming up yet.';

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = `
    <dialog open><div id="box"><template data-on-open></template></div>
      <p role="status" data-late="${words}"></p></dialog>
    <dialog><template data-on-open></template></dialog>`;
});

const notice = () => document.querySelector('[role=status]')?.textContent;

/** Opens the calendar; the page is told of what is added a little later. */
async function open() {
  const frame = document.createElement('iframe');
  // It has a window, and no need of a network.
  Object.assign(frame, { src: 'https://calendar.test/call', srcdoc: 'A calendar' });
  document.querySelector('#box')?.append(frame);
  await vi.advanceTimersByTimeAsync(0);
  return frame;
}
/** Marks the frame as the boot script does; the page is told a little later. */
async function mark(frame: HTMLIFrameElement, name: 'loaded' | 'stopped') {
  frame.dataset[name] = '';
  await vi.advanceTimersByTimeAsync(0);
}

it('says after eight seconds that a calendar does not come', async () => {
  watchFrames();
  await open();
  vi.advanceTimersByTime(slowAfterMs - 1);
  expect(notice()).toBe('');
  vi.advanceTimersByTime(1);
  expect(slowAfterMs).toBe(8000);
  expect(notice()).toBe(words);
});

it('says nothing of a calendar that comes, and takes back what it said of a late one', async () => {
  watchFrames();
  await mark(await open(), 'loaded');
  vi.advanceTimersByTime(2 * slowAfterMs);
  expect(notice()).toBe('');
  document.querySelector('iframe')?.remove();
  const late = await open();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe(words);
  await mark(late, 'loaded');
  expect(notice()).toBe('');
});

it('says at once that our policy stops it, whatever loads in its place', async () => {
  watchFrames();
  const frame = await open();
  await mark(frame, 'stopped');
  expect(notice()).toBe(words);
  await mark(frame, 'loaded');
  expect(notice()).toBe(words);
});

it('says it too of a later step of a calendar that came', async () => {
  watchFrames();
  await mark(await open(), 'loaded');
  const frame = document.querySelector('iframe');
  if (frame) await mark(frame, 'stopped');
  expect(notice()).toBe(words);
});

it('forgets what it said, and stops listening, once the dialog is closed', async () => {
  watchFrames();
  const frame = await open();
  vi.advanceTimersByTime(slowAfterMs);
  frame.remove();
  await vi.advanceTimersByTimeAsync(0);
  expect(notice()).toBe('');
  await mark(frame, 'stopped');
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe('');
});

it('waits for a frame that was there before it', async () => {
  await open();
  watchFrames();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe(words);
});

it('says of one that had been stopped by then', async () => {
  const frame = await open();
  await mark(frame, 'stopped');
  await mark(frame, 'loaded');
  watchFrames();
  expect(notice()).toBe(words);
});

it('does not wait for one that had loaded by then', async () => {
  (await open()).dataset.loaded = '';
  watchFrames();
  vi.advanceTimersByTime(slowAfterMs);
  expect(notice()).toBe('');
});
