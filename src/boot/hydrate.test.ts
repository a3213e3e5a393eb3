import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { hydrateIslands, prefetchDelayMs, submitTimeoutMs } from './hydrate.ts';

eachTestIsAPage();

const mount = vi.fn<(root: HTMLElement) => Promise<void>>();
let count = 0;

/** Address of a file that is an island; a new one each time, since files are run once. */
const file = () => {
  count += 1;
  const code = `/* ${count} */ export const mount = (root) => globalThis.mountIsland(root)`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
};
const missing = () => file().replace('export', 'throw%200;export');

beforeEach(() => {
  mount.mockReset().mockResolvedValue();
  vi.stubGlobal('mountIsland', mount);
  // A painted frame is not awaited here.
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => void setTimeout(task));
  document.head.innerHTML = '';
  // The test's browser would fetch what links name.
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const { rel, href } of nodes as HTMLLinkElement[]) ahead.push(`${rel} ${href}`);
  });
  ahead.length = 0;
});
const ahead: string[] = [];

function page(entry = file(), more = '/dep.js') {
  document.body.innerHTML = `
    <button command="show-modal" commandfor="contact"><b>Contact</b></button>
    <button id="other" command="show-modal" commandfor="quiz">Quiz</button>
    <dialog id="contact"><div data-island="contact" data-files="${entry} ${more}">
      <form action="/api/contact"><button>Send</button></form></div></dialog>
    <dialog id="quiz"></dialog>
    <div data-island="toaster" data-files="${entry}"></div>`;
  return entry;
}
const root = () => document.querySelector('[data-island=contact]') as HTMLElement;
const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const form = () => document.querySelector('form') as HTMLFormElement;

/** Long enough for code to run that must not run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 40));
/** Loading the code of an island takes a while on a busy machine. */
const patiently = { timeout: 10_000 };
const isMounted = () => vi.waitFor(() => expect(mount).toHaveBeenCalled(), patiently);

describe('waking', () => {
  it('comes with the opening of the dialog around the island, once', async () => {
    page();
    hydrateIslands();
    await settle();
    expect(mount).not.toHaveBeenCalled();
    dialog().showModal();
    await isMounted();
    dialog().close();
    await settle();
    dialog().showModal();
    await settle();
    expect(mount.mock.calls).toEqual([[root()]]);
  });

  it('comes for a dialog that was opened before the script ran', async () => {
    page();
    dialog().showModal();
    hydrateIslands();
    await isMounted();
    expect(mount).toHaveBeenCalledTimes(1);
  });

  it('comes when the island is called by its name', async () => {
    page();
    const wake = hydrateIslands();
    dispatchEvent(new CustomEvent('wake', { detail: 'toaster' }));
    await isMounted();
    expect(mount.mock.calls).toEqual([[document.querySelector('[data-island=toaster]')]]);
    await wake('toaster');
    expect(mount).toHaveBeenCalledTimes(1);
    expect(wake('nobody')).toBeUndefined();
  });

  it('is tried again at the next opening after it failed', async () => {
    page(missing());
    hydrateIslands();
    dialog().showModal();
    await settle();
    root().dataset.files = file();
    await vi.waitFor(() => {
      dialog().close();
      dialog().showModal();
      expect(mount).toHaveBeenCalledTimes(1);
    }, patiently);
  });
});

describe('an island in the open', () => {
  const entryOf = (entry = file()) => {
    document.body.innerHTML = `
      <div data-island="counter" data-files="${entry}"><button type="button"><b>Add</b></button></div>`;
    return document.querySelector('button') as HTMLButtonElement;
  };

  it.each(['pointerover', 'touchstart', 'focusin'])('wakes at %s', async (type) => {
    const button = entryOf();
    hydrateIslands();
    button.dispatchEvent(new Event(type, { bubbles: true }));
    await isMounted();
    expect(mount.mock.calls).toEqual([[document.querySelector('[data-island=counter]')]]);
  });

  it('is told of a press that came too early, once', async () => {
    const button = entryOf();
    const pressed = vi.fn();
    mount.mockImplementation(async () => button.addEventListener('click', pressed));
    hydrateIslands();
    document.querySelector('b')?.click();
    expect(pressed).not.toHaveBeenCalled();
    await vi.waitFor(() => expect(pressed).toHaveBeenCalledTimes(1), patiently);
    button.click();
    expect(pressed).toHaveBeenCalledTimes(2);
  });

  it('is tried again at the next press when its code did not come', async () => {
    const button = entryOf(missing());
    hydrateIslands();
    button.click();
    await settle();
    (button.parentElement as HTMLElement).dataset.files = file();
    await vi.waitFor(() => {
      if (mount.mock.calls.length === 0) button.click();
      expect(mount).toHaveBeenCalledTimes(1);
    }, patiently);
  });
});

describe('fetching ahead', () => {
  it.each(['pointerover', 'touchstart', 'focusin'])('runs nothing at %s', async (type) => {
    const entry = page();
    hydrateIslands();
    const reach = () =>
      document.querySelector('b')?.dispatchEvent(new Event(type, { bubbles: true }));
    reach();
    reach();
    await settle();
    expect(ahead).toEqual([
      `modulepreload ${entry}`,
      `modulepreload ${new URL('/dep.js', location.href)}`,
    ]);
    expect(mount).not.toHaveBeenCalled();
  });

  it('is not for dialogs without an island', () => {
    page();
    hydrateIslands();
    document.getElementById('other')?.dispatchEvent(new Event('pointerover', { bubbles: true }));
    expect(ahead).toEqual([]);
  });

  it('comes for every island once the page is at rest', () => {
    vi.useFakeTimers();
    const entry = page();
    hydrateIslands();
    vi.advanceTimersByTime(prefetchDelayMs - 1);
    expect(ahead).toEqual([]);
    vi.advanceTimersByTime(1);
    const dependency = `prefetch ${new URL('/dep.js', location.href)}`;
    expect(ahead).toEqual([`prefetch ${entry}`, dependency, `prefetch ${entry}`]);
  });

  it('spares those who save data', () => {
    vi.useFakeTimers();
    vi.stubGlobal('navigator', { connection: { saveData: true } });
    page();
    hydrateIslands();
    vi.advanceTimersByTime(60_000);
    expect(ahead).toEqual([]);
  });
});

describe('a form sent before its island lives', () => {
  const submit = () =>
    form().dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));

  it('is held, and sent once when it does', async () => {
    let live = () => {};
    mount.mockReturnValue(new Promise((resolve) => (live = resolve)));
    page();
    const again = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => void submit());
    const seen = vi.fn();
    hydrateIslands();
    form().addEventListener('submit', seen);
    expect(submit()).toBe(false);
    expect(submit()).toBe(false);
    await isMounted();
    expect(root().ariaBusy).toBe('true');
    expect(seen).not.toHaveBeenCalled();
    live();
    await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(1), patiently);
    expect(seen).toHaveBeenCalledTimes(1);
    expect(root().ariaBusy).toBeNull();
  });

  it('is sent by the form that took its place, should it have been built anew', async () => {
    page();
    hydrateIslands();
    const sent = vi.fn();
    mount.mockImplementation(async (island) => {
      island.innerHTML = '<form action="/api/contact"><button>Send</button></form>';
      const anew = island.querySelector('form');
      anew?.addEventListener('submit', (event) => {
        event.preventDefault();
        sent();
      });
    });
    form().requestSubmit();
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1), patiently);
  });

  it('is not held when the island lives', async () => {
    page();
    const wake = hydrateIslands();
    await wake('contact');
    expect(submit()).toBe(true);
  });

  it('is sent by the browser when the code does not come', async () => {
    page(missing());
    const again = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => {});
    hydrateIslands();
    expect(submit()).toBe(false);
    await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(1), patiently);
    expect(submit()).toBe(true);
  });

  it('is sent by the browser when the code takes too long', async () => {
    vi.useFakeTimers();
    mount.mockReturnValue(new Promise(() => {}));
    page();
    const again = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => {});
    hydrateIslands();
    submit();
    await vi.advanceTimersByTimeAsync(submitTimeoutMs - 1);
    expect(again).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(again).toHaveBeenCalledTimes(1);
  });

  it('is left alone outside of islands', () => {
    page();
    document.body.insertAdjacentHTML('beforeend', '<form id="plain"></form>');
    hydrateIslands();
    const event = new Event('submit', { bubbles: true, cancelable: true });
    expect(document.getElementById('plain')?.dispatchEvent(event)).toBe(true);
  });
});
