import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { fillOpenDialogs } from './frames.ts';

isolateEachTest();

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  document.body.innerHTML = `
    <dialog id="strategy-call"><div><template data-on-open><i>calendar</i><b>note</b></template></div></dialog>
    <dialog id="plain"></dialog>`;
});

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
/** Puts a frame into the dialog's template. */
function showFrames(src = '/book/strategy-call') {
  const template = document.querySelector('template');
  if (template) template.innerHTML = `<iframe src="${src}"></iframe>`;
  fillOpenDialogs();
}
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

const hasState = (name: string) => dialog().querySelector('iframe')?.hasAttribute(name);

it('data-loaded is set on load, again after each opening', async () => {
  showFrames();
  for (const _ of ['first', 'again']) {
    dialog().showModal();
    await observed();
    dialog().querySelector('iframe')?.removeAttribute('data-loaded');
    dialog().querySelector('iframe')?.dispatchEvent(new Event('load'));
    expect(hasState('data-loaded')).toBe(true);
    dialog().close();
    await observed();
  }
});

describe('without a network', () => {
  const requests = vi.fn<typeof fetch>();
  const openOffline = async (src?: string) => {
    vi.stubGlobal('fetch', requests.mockReset().mockRejectedValue(new TypeError('offline')));
    showFrames(src);
    dialog().showModal();
    await vi.advanceTimersByTimeAsync(100);
    const frame = dialog().querySelector('iframe') as HTMLIFrameElement;
    const set = frame.setAttribute.bind(frame);
    const setSource = vi.fn();
    vi.spyOn(frame, 'setAttribute').mockImplementation((name, value) =>
      name === 'src' ? setSource(value) : set(name, value),
    );
    return setSource;
  };

  it('a frame is marked until the site can be reached, every five seconds, and loaded again then', async () => {
    vi.useFakeTimers();
    const setSource = await openOffline();
    expect(hasState('data-failed')).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(requests).toHaveBeenCalledTimes(2);
    expect(requests.mock.calls[0]?.[1]).toMatchObject({ method: 'HEAD', cache: 'no-store' });
    expect(setSource).not.toHaveBeenCalled();
    requests.mockResolvedValue(new Response());
    await vi.advanceTimersByTimeAsync(5000);
    expect(hasState('data-failed')).toBe(false);
    expect(setSource).toHaveBeenCalledWith(expect.stringContaining('/book/'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveBeenCalledTimes(3);
  });

  it('a loaded calendar elsewhere stays as it is while this site alone is away', async () => {
    vi.useFakeTimers();
    const setSource = await openOffline('https://calendar.test/');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hasState('data-failed')).toBe(false);
    expect(requests).not.toHaveBeenCalled();
    expect(setSource).not.toHaveBeenCalled();
  });

  it('an error page of the browser in the frame is replaced once the site can be reached', async () => {
    vi.useFakeTimers();
    const setSource = await openOffline();
    requests.mockResolvedValue(new Response());
    await vi.advanceTimersByTimeAsync(5000);
    setSource.mockClear();
    const frame = dialog().querySelector('iframe') as HTMLIFrameElement;
    Object.defineProperty(frame, 'contentDocument', { value: null });
    frame.dispatchEvent(new Event('load'));
    expect(hasState('data-failed')).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(setSource).toHaveBeenCalledTimes(1);
  });

  it('the site is no longer requested when the dialog has closed', async () => {
    vi.useFakeTimers();
    await openOffline();
    dialog().close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requests).toHaveBeenCalledTimes(1);
  });
});

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
