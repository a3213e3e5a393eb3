import { beforeEach, expect, it } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { fillOpenDialogs } from './frames.ts';

eachTestIsAPage();

beforeEach(() => {
  document.body.innerHTML = `
    <dialog id="strategy-call"><div><template data-on-open><i>calendar</i><b>note</b></template></div></dialog>
    <dialog id="plain"></dialog>`;
});

const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const shown = () => dialog().querySelectorAll('i, b').length;
/** The browser tells of changed attributes a little later. */
const told = () => new Promise((resolve) => setTimeout(resolve, 10));

it('shows nothing of the template before its dialog opens', async () => {
  fillOpenDialogs();
  await told();
  expect(shown()).toBe(0);
});

it('shows it right behind the template while the dialog is open, and takes it away again', async () => {
  fillOpenDialogs();
  for (const _ of ['first', 'again']) {
    dialog().showModal();
    await told();
    expect(document.querySelector('template')?.nextElementSibling?.textContent).toBe('calendar');
    expect(shown()).toBe(2);
    dialog().close();
    await told();
    expect(shown()).toBe(0);
  }
});

it('fills a dialog that was opened before the script ran', () => {
  dialog().showModal();
  fillOpenDialogs();
  expect(shown()).toBe(2);
});

it('fills it once, however often it is told', async () => {
  fillOpenDialogs();
  dialog().showModal();
  dialog().close();
  dialog().showModal();
  await told();
  expect(shown()).toBe(2);
});

it('marks what has loaded, each time anew', async () => {
  fillOpenDialogs();
  for (const _ of ['first', 'again']) {
    dialog().showModal();
    await told();
    const frame = dialog().querySelector('i');
    expect(frame?.hasAttribute('data-loaded')).toBe(false);
    frame?.dispatchEvent(new Event('load'));
    expect(frame?.hasAttribute('data-loaded')).toBe(true);
    dialog().close();
    await told();
  }
});

it('marks the frame that is open when our policy stops one', async () => {
  const template = document.querySelector('template');
  if (template) template.innerHTML = '<iframe></iframe>';
  fillOpenDialogs();
  dialog().showModal();
  await told();
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
  await told();
  expect(() => stop('frame-src')).not.toThrow();
});

it('takes a word of the frame for its coming, and no word of others', async () => {
  document.body.innerHTML =
    '<dialog><div><template data-on-open><iframe src="https://calendar.test/"></iframe></template></div></dialog>';
  fillOpenDialogs();
  dialog().showModal();
  await told();
  const frame = dialog().querySelector('iframe') as HTMLIFrameElement;
  const say = (source: Window | null, origin = 'https://calendar.test') =>
    dispatchEvent(new MessageEvent('message', { source, origin, data: 'ready' }));
  frame.removeAttribute('data-loaded');
  say(window);
  say(frame.contentWindow, 'https://another.test');
  expect(frame.hasAttribute('data-loaded')).toBe(false);
  say(frame.contentWindow);
  expect(frame.hasAttribute('data-loaded')).toBe(true);
});
