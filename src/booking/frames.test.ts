import { beforeEach, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { fillOpenDialogs } from './frames.ts';

isolateEachTest();

beforeEach(() => {
  document.body.innerHTML = `
    <dialog id="strategy-call"><div><template data-on-open><i>calendar</i><b>note</b></template></div></dialog>
    <dialog id="plain"></dialog>`;
});

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const shown = () => dialog().querySelectorAll('i, b').length;
/** Waits until mutation observers have been called. */
const observed = () => new Promise((resolve) => setTimeout(resolve, 10));

it('the template’s content is not in the page before its dialog opens', async () => {
  fillOpenDialogs();
  await observed();
  expect(shown()).toBe(0);
});

it('the content is inserted after its template while the dialog is open, and removed when it closes', async () => {
  fillOpenDialogs();
  for (const _ of ['first', 'again']) {
    dialog().showModal();
    await observed();
    expect(document.querySelector('template')?.nextElementSibling?.textContent).toBe('calendar');
    expect(shown()).toBe(2);
    dialog().close();
    await observed();
    expect(shown()).toBe(0);
  }
});

it('a dialog that was opened before the script ran gets its content', () => {
  dialog().showModal();
  fillOpenDialogs();
  expect(shown()).toBe(2);
});

it('the content is inserted once when the dialog is closed and reopened at once', async () => {
  fillOpenDialogs();
  dialog().showModal();
  dialog().close();
  dialog().showModal();
  await observed();
  expect(shown()).toBe(2);
});

/** Opens the dialog with a frame of `src`; `load` ends its request, by an error page or not. */
async function openFrame(src: string) {
  const template = document.querySelector('template');
  if (template) template.innerHTML = `<iframe src="${src}"></iframe>`;
  fillOpenDialogs();
  dialog().showModal();
  await observed();
  const frame = dialog().querySelector('iframe') as HTMLIFrameElement;
  for (const name of ['data-loaded', 'data-failed']) frame.removeAttribute(name);
  const states = () => ['data-loaded', 'data-failed'].filter((name) => frame.hasAttribute(name));
  const load = (isErrorPage: boolean) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isErrorPage);
    const page = isErrorPage ? null : document;
    Object.defineProperty(frame, 'contentDocument', { value: page, configurable: true });
    frame.dispatchEvent(new Event('load'));
    return states();
  };
  return { frame, load, states };
}

it.each(['/book/strategy-call', 'https://calendar.test/'])(
  'a frame of %s that shows an error page is marked and requested again until it has loaded',
  async (src) => {
    const { frame, load, states } = await openFrame(src);
    vi.useFakeTimers();
    const requested = vi.spyOn(frame, 'setAttribute').mockImplementation(() => {});
    expect(states()).toEqual([]);
    expect(load(true)).toEqual(['data-failed']);
    vi.advanceTimersByTime(4999);
    expect(requested).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(requested.mock.calls).toEqual([['src', frame.src]]);
    expect(load(true)).toEqual(['data-failed']);
    vi.advanceTimersByTime(5000);
    expect(requested).toHaveBeenCalledTimes(2);
    expect(load(false)).toEqual(['data-loaded']);
    vi.advanceTimersByTime(60_000);
    expect(requested).toHaveBeenCalledTimes(2);
  },
);

it('data-stopped is set on the open frame when the content security policy blocks it', async () => {
  const template = document.querySelector('template');
  if (template) template.innerHTML = '<iframe></iframe>';
  fillOpenDialogs();
  dialog().showModal();
  await observed();
  const frame = dialog().querySelector('iframe');
  const stop = (effectiveDirective: string, blockedURI = 'https://calendar.example') =>
    document.dispatchEvent(
      Object.assign(new Event('securitypolicyviolation', { bubbles: true }), {
        effectiveDirective,
        blockedURI,
      }),
    );
  stop('img-src');
  const other = document.createElement('iframe');
  other.setAttribute('src', 'https://another.example/popup');
  document.body.append(other);
  stop('frame-src', 'https://another.example');
  expect(frame?.hasAttribute('data-stopped')).toBe(false);
  stop('frame-src');
  expect(frame?.hasAttribute('data-stopped')).toBe(true);
  dialog().close();
  await observed();
  expect(() => stop('frame-src')).not.toThrow();
});

it('data-loaded is set by a message from the frame, but not from another window or origin', async () => {
  document.body.innerHTML =
    '<dialog><div><template data-on-open><iframe src="https://calendar.test/"></iframe></template></div></dialog>';
  fillOpenDialogs();
  dialog().showModal();
  await observed();
  const frame = dialog().querySelector('iframe') as HTMLIFrameElement;
  const send = (source: Window | null, origin = 'https://calendar.test') =>
    dispatchEvent(new MessageEvent('message', { source, origin, data: 'ready' }));
  frame.removeAttribute('data-loaded');
  send(window);
  send(frame.contentWindow, 'https://another.test');
  expect(frame.hasAttribute('data-loaded')).toBe(false);
  send(frame.contentWindow);
  expect(frame.hasAttribute('data-loaded')).toBe(true);
});
