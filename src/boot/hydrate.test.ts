import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { hydrateIslands, submitTimeoutMs } from './hydrate.ts';

isolateEachTest();

const mount = vi.fn<(root: HTMLElement) => Promise<void>>();
let count = 0;

/** URL of a new island module; a new one each time, since a module is evaluated once. */
const moduleUrl = () => {
  count += 1;
  const code = `/* ${count} */ export const mount = (root) => globalThis.mountIsland(root)`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
};
const brokenModuleUrl = () => moduleUrl().replace('export', 'throw%200;export');

beforeEach(() => {
  mount.mockReset().mockResolvedValue();
  vi.stubGlobal('mountIsland', mount);
  // Does not wait for a paint.
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => void setTimeout(task));
  fetched.mockReset().mockImplementation(async () => new Response());
  vi.stubGlobal('fetch', fetched);
});
const fetched = vi.fn<(url: string) => Promise<Response>>();

function page(entry = moduleUrl(), more = '/dep.js') {
  document.body.innerHTML = `
    <button command="show-modal" commandfor="contact"><b>Contact</b></button>
    <button id="other" command="show-modal" commandfor="quiz">Quiz</button>
    <dialog id="contact"><div data-island="contact" data-files="${entry} ${more}">
      <form action="/api/contact"><button>Send</button></form></div></dialog>
    <dialog id="quiz"></dialog>
    <div data-island="visit" data-files="${entry}"></div>`;
  return entry;
}
const root = () => document.querySelector('[data-island=contact]') as HTMLElement;
const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const form = () => document.querySelector('form') as HTMLFormElement;

/** Waits long enough to detect code that must not run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 40));
/** Importing an island can be slow on a busy machine. */
const importTimeout = { timeout: 10_000 };
const waitForMount = () => vi.waitFor(() => expect(mount).toHaveBeenCalled(), importTimeout);

describe('hydration', () => {
  it('an island is hydrated once, when the dialog around it first opens', async () => {
    page();
    hydrateIslands();
    await settle();
    expect(mount).not.toHaveBeenCalled();
    dialog().showModal();
    await waitForMount();
    dialog().close();
    await settle();
    dialog().showModal();
    await settle();
    expect(mount.mock.calls).toEqual([[root()]]);
  });

  it('an island is hydrated when its dialog was opened before the script ran', async () => {
    page();
    dialog().showModal();
    hydrateIslands();
    await waitForMount();
    expect(mount).toHaveBeenCalledTimes(1);
  });

  it('an island is hydrated by its name', async () => {
    page();
    const hydrate = hydrateIslands();
    await hydrate('visit');
    await hydrate('visit');
    expect(mount.mock.calls).toEqual([[document.querySelector('[data-island=visit]')]]);
    expect(hydrate('unknown')).toBeUndefined();
  });

  it('hydration is retried at the next opening after a failure', async () => {
    page(brokenModuleUrl());
    hydrateIslands();
    dialog().showModal();
    await settle();
    root().dataset.files = moduleUrl();
    await vi.waitFor(() => {
      dialog().close();
      dialog().showModal();
      expect(mount).toHaveBeenCalledTimes(1);
    }, importTimeout);
  });
});

describe('download', () => {
  const showIntent = (type = 'pointerover', selector = 'b') =>
    document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }));

  it.each(['pointerover', 'touchstart', 'focusin'])(
    '%s on a dialog’s button downloads its island once without running it',
    async (type) => {
      const entry = page();
      hydrateIslands();
      showIntent(type);
      showIntent(type);
      await settle();
      expect(fetched.mock.calls.map(([url]) => url)).toEqual([entry, '/dep.js']);
      expect(mount).not.toHaveBeenCalled();
    },
  );

  it('intent on a dialog without an island downloads nothing', () => {
    page();
    hydrateIslands();
    showIntent('pointerover', '#other');
    expect(fetched).not.toHaveBeenCalled();
  });

  it('no island is downloaded without intent', () => {
    vi.useFakeTimers();
    page();
    hydrateIslands();
    dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(60_000);
    expect(fetched).not.toHaveBeenCalled();
    expect(document.querySelector('link')).toBeNull();
  });

  it.each([
    ['a lost file', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['an error response', async () => new Response('', { status: 503 })],
  ])('%s is downloaded again at the next opening, and imported only then', async (_, respond) => {
    page();
    hydrateIslands();
    fetched.mockImplementation(respond);
    showIntent();
    await settle();
    dialog().showModal();
    await settle();
    expect(mount).not.toHaveBeenCalled();
    fetched.mockImplementation(async () => new Response());
    dialog().close();
    dialog().showModal();
    await waitForMount();
  });
});

describe('a submit before hydration', () => {
  const submit = () =>
    form().dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));

  it('a submit before hydration is delayed and repeated once after it', async () => {
    let finishMount = () => {};
    mount.mockReturnValue(new Promise((resolve) => (finishMount = resolve)));
    page();
    const resubmit = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => void submit());
    const onSubmit = vi.fn();
    hydrateIslands();
    form().addEventListener('submit', onSubmit);
    expect(submit()).toBe(false);
    expect(submit()).toBe(false);
    await waitForMount();
    expect(root().ariaBusy).toBe('true');
    expect(onSubmit).not.toHaveBeenCalled();
    finishMount();
    await vi.waitFor(() => expect(resubmit).toHaveBeenCalledTimes(1), importTimeout);
    expect(onSubmit).toHaveBeenCalledTimes(1);
    expect(root().ariaBusy).toBeNull();
  });

  it('a delayed submit uses the new form when hydration rebuilt it', async () => {
    page();
    hydrateIslands();
    const sent = vi.fn();
    mount.mockImplementation(async (island) => {
      island.innerHTML = '<form action="/api/contact"><button>Send</button></form>';
      const rebuilt = island.querySelector('form');
      rebuilt?.addEventListener('submit', (event) => {
        event.preventDefault();
        sent();
      });
    });
    form().requestSubmit();
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1), importTimeout);
  });

  it('a submit after hydration is not delayed', async () => {
    page();
    const hydrate = hydrateIslands();
    await hydrate('contact');
    expect(submit()).toBe(true);
  });

  it('a delayed submit is sent natively when the import fails', async () => {
    page(brokenModuleUrl());
    const resubmit = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => {});
    hydrateIslands();
    expect(submit()).toBe(false);
    await vi.waitFor(() => expect(resubmit).toHaveBeenCalledTimes(1), importTimeout);
    expect(submit()).toBe(true);
  });

  it('a delayed submit is sent natively when hydration times out', async () => {
    vi.useFakeTimers();
    mount.mockReturnValue(new Promise(() => {}));
    page();
    const resubmit = vi.spyOn(form(), 'requestSubmit').mockImplementation(() => {});
    hydrateIslands();
    submit();
    await vi.advanceTimersByTimeAsync(submitTimeoutMs - 1);
    expect(resubmit).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(resubmit).toHaveBeenCalledTimes(1);
  });

  it('a submit outside of islands is not delayed', () => {
    page();
    document.body.insertAdjacentHTML('beforeend', '<form id="plain"></form>');
    hydrateIslands();
    const event = new Event('submit', { bubbles: true, cancelable: true });
    expect(document.getElementById('plain')?.dispatchEvent(event)).toBe(true);
  });
});
