import { act } from 'react';
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { site } from '../../site.config.ts';
import * as island from '../islands/contact.tsx';
import { prerender } from '../testing/island.tsx';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { words } from '../ui/site-words.ts';

isolateEachTest();

// A toast of one test would outlive its page.
const showToast = vi.hoisted(() => vi.fn<(text: string) => void>());
vi.mock('./toast.tsx', () => ({ useToast: () => ({ toast: undefined, show: showToast }) }));

const failureText = `Sorry, there was an error sending your message. Please try again or email me directly at ${site.brand.email}`;
const typed = {
  name: 'Ada',
  email: 'ada@example.org',
  company: '',
  message: 'Hello\nthere & so on',
};

let fetched: MockInstance<typeof fetch>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ ok: true }));
  sessionStorage.clear();
  showToast.mockClear();
});
const field = (name: string) => {
  const element = document.querySelector<HTMLInputElement>(`[name=${name}]`);
  if (!element) throw new Error(`The form has no field "${name}".`);
  return element;
};
const form = () => field('name').closest('form') as HTMLFormElement;
const dialog = () => document.querySelector('dialog') as HTMLDialogElement;
const send = () => document.querySelector('[type=submit]') as HTMLButtonElement;
const alert = () => document.querySelector('[role=alert]');
const thanks = "Thanks for reaching out! I'll get back to you soon.";

function fillIn() {
  for (const [name, text] of Object.entries(typed)) field(name).value = text;
}

/** Prerenders the form, fills it in, and hydrates it. */
async function hydratedForm() {
  const root = prerender(island);
  fillIn();
  // Awaiting inside `act` would deadlock: `act` runs the effect that resolves the promise.
  let mounted: Promise<void> | undefined;
  await act(async () => {
    mounted = island.mount(root);
  });
  await mounted;
}

const submit = () => act(async () => form().requestSubmit());
/** Waits until the result of the submit is shown. */
const settle = () =>
  act(async () => {
    // The form may become busy a moment after it is submitted.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await vi.waitFor(() => expect(form().hasAttribute('aria-busy')).toBe(false), 10_000);
  });

describe('the contact form', () => {
  it('the contact form has labelled fields with validation and autocomplete, without length limits', () => {
    prerender(island);
    const fields = ['name', 'email', 'company', 'message'].map((name) => {
      const { required, type, autocomplete, labels, maxLength } = field(name);
      const label = labels?.[0]?.textContent;
      return { label, required, type, autocomplete, limited: maxLength > 0 };
    });
    const copy = words.contactPages;
    expect(fields).toEqual([
      { label: copy.name, required: true, type: 'text', autocomplete: 'name', limited: false },
      { label: copy.email, required: true, type: 'email', autocomplete: 'email', limited: false },
      {
        label: copy.company,
        required: false,
        type: 'text',
        autocomplete: 'organization',
        limited: false,
      },
      { label: copy.message, required: true, type: 'textarea', autocomplete: '', limited: false },
    ]);
    expect(form().getAttribute('action')).toBe('/api/contact');
    expect(form().getAttribute('method')).toBe('post');
    expect(field('name').hasAttribute('autofocus')).toBe(true);
  });

  it('the contact form takes its words from the config', async () => {
    const own = { ...words.contactPages };
    const changed = { sending: 'Moment', cancel: 'Back', failed: 'Not sent' };
    Object.assign(words.contactPages, changed, { sent: 'Got it' });
    try {
      await hydratedForm();
      expect(document.querySelector('[command=close]')?.textContent).toBe('Back');
      fetched.mockRejectedValueOnce(new TypeError('offline'));
      vi.mocked(console.error).mockImplementationOnce(() => {});
      await submit();
      await settle();
      expect(alert()?.textContent).toBe(`Not sent ${site.brand.email}`);
      vi.mocked(console.error).mockClear();
      let respond = (_: Response) => {};
      fetched.mockReturnValueOnce(new Promise((resolve) => (respond = resolve)));
      await submit();
      await act(() => vi.waitFor(() => expect(send().textContent).toBe('Moment'), 10_000));
      respond(Response.json({ ok: true }));
      await settle();
      expect(showToast).toHaveBeenCalledWith('Got it');
    } finally {
      Object.assign(words.contactPages, own);
    }
  });

  it('the Cancel button closes the dialog natively', () => {
    prerender(island);
    expect(document.querySelector('[command=close][commandfor=contact]')?.textContent).toBe(
      'Cancel',
    );
  });

  it('the contact form keeps and sends text that was typed before hydration', async () => {
    await hydratedForm();
    expect(field('message').value).toBe(typed.message);
    await submit();
    expect(fetched).toHaveBeenCalledTimes(1);
    const [address, init] = fetched.mock.calls[0] ?? [];
    expect(address).toBe('/api/contact');
    expect(init).toMatchObject({
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(JSON.parse(String(init?.body))).toEqual(typed);
  });

  it('a required field of only whitespace is reported as missing, without a custom message', async () => {
    await hydratedForm();
    field('name').value = '  ';
    await submit();
    expect(fetched).not.toHaveBeenCalled();
    const { valueMissing, customError } = field('name').validity;
    expect({ valueMissing, customError }).toEqual({ valueMissing: true, customError: false });
    field('name').value = 'Ada';
    await submit();
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it('the fields are read-only only while the message is being sent', async () => {
    const readOnly = () =>
      ['name', 'email', 'company', 'message'].map((one) => field(one).readOnly);
    let respond: (response: Response) => void = () => {};
    fetched.mockReturnValue(new Promise((resolve) => (respond = resolve)));
    await hydratedForm();
    expect(readOnly()).toEqual([false, false, false, false]);
    await submit();
    await act(() => vi.waitFor(() => expect(readOnly()).toEqual([true, true, true, true])));
    respond(Response.json({ ok: true }));
    await settle();
    expect(readOnly()).toEqual([false, false, false, false]);
  });

  it('the contact form closes, clears and thanks when its text changed while it was being sent', async () => {
    let respond: (response: Response) => void = () => {};
    fetched.mockReturnValue(new Promise((resolve) => (respond = resolve)));
    await hydratedForm();
    await submit();
    field('message').value = 'Written by an extension';
    respond(Response.json({ ok: true }));
    await settle();
    expect(field('message').value).toBe('');
    expect(dialog().open).toBe(false);
    expect(showToast.mock.calls).toEqual([[thanks]]);
  });

  it('the contact form restores values, focus and selection when an extension changed its markup before hydration', async () => {
    const root = prerender(island);
    fillIn();
    field('message').focus();
    (field('message') as unknown as HTMLTextAreaElement).setSelectionRange(2, 4);
    const old = field('message');
    old.before(document.createElement('a-password-manager'));
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    let mounted: Promise<void> | undefined;
    await act(async () => {
      mounted = island.mount(root);
    });
    await mounted;
    expect(field('message')).not.toBe(old);
    for (const [name, text] of Object.entries(typed)) expect(field(name).value).toBe(text);
    expect(document.activeElement).toBe(field('message'));
    expect(field('message').selectionStart).toBe(2);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockClear();
  });

  it('the contact form shows Sending... and cannot be submitted twice while a message is being sent', async () => {
    let respond: (response: Response) => void = () => {};
    fetched.mockReturnValue(new Promise((resolve) => (respond = resolve)));
    await hydratedForm();
    await act(async () => {
      form().requestSubmit();
      form().requestSubmit();
    });
    await act(() => vi.waitFor(() => expect(send().textContent).toBe('Sending...'), 10_000));
    expect(send().disabled).toBe(true);
    expect(form().getAttribute('aria-busy')).toBe('true');
    expect(fetched).toHaveBeenCalledTimes(1);
    respond(Response.json({ ok: true }));
    await settle();
    expect(send().disabled).toBe(false);
    expect(form().hasAttribute('aria-busy')).toBe(false);
  });

  it('the contact form is reset and closed after success, with a thank-you', async () => {
    await hydratedForm();
    await submit();
    await settle();
    expect(field('message').value).toBe('');
    expect(dialog().open).toBe(false);
    expect(showToast.mock.calls).toEqual([[thanks]]);
  });

  it.each([
    ['an error response', () => Promise.resolve(new Response('no', { status: 500 }))],
    ['a network error', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('the contact form stays open with its values after %s', async (_, outcome) => {
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    fetched.mockImplementation(outcome);
    await hydratedForm();
    await submit();
    await settle();
    expect(alert()?.textContent).toBe(failureText);
    expect(document.activeElement).toBe(alert());
    expect(alert()?.querySelector('a')?.getAttribute('href')).toBe(
      `mailto:${site.brand.email}?body=Hello%0Athere%20%26%20so%20on`,
    );
    expect(dialog().open).toBe(true);
    expect(field('message').value).toBe(typed.message);
    expect(send().disabled).toBe(false);
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockClear();
  });

  it('the contact form says below the alert what to do about a message that is refused', async () => {
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    const error = 'The message is too long. Please shorten it.';
    fetched.mockResolvedValue(Response.json({ error }, { status: 413 }));
    await hydratedForm();
    field('message').value = 'x'.repeat(1_100_000);
    await submit();
    await settle();
    expect(alert()?.textContent).toBe(failureText);
    const reason = document.getElementById(alert()?.getAttribute('aria-describedby') ?? '');
    expect(reason?.textContent).toBe(error);
    // No mail program opens an address of a megabyte.
    expect(alert()?.querySelector('a')?.getAttribute('href')).toBe(`mailto:${site.brand.email}`);
    expect(field('message').value).toHaveLength(1_100_000);
    logged.mockClear();
  });

  it('a toast shows the failure when the dialog was closed before it', async () => {
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    fetched.mockResolvedValue(new Response('no', { status: 500 }));
    await hydratedForm();
    dialog().close();
    await submit();
    await settle();
    expect(showToast.mock.calls).toEqual([[failureText]]);
    logged.mockClear();
  });

  it('a retry has the same idempotency key, and the next message a new one', async () => {
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    const keys = () =>
      fetched.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'));
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    await hydratedForm();
    await submit();
    await settle();
    await submit();
    await settle();
    fillIn();
    await submit();
    await settle();
    const [first, second, third] = keys();
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f-]+$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    logged.mockClear();
  });

  it('a draft is restored after a reload, unless it was sent', async () => {
    await hydratedForm();
    field('message').dispatchEvent(new Event('input', { bubbles: true }));
    const reload = async () => {
      const root = prerender(island);
      let mounted: Promise<void> | undefined;
      await act(async () => {
        mounted = island.mount(root);
      });
      await mounted;
    };
    await reload();
    for (const [name, text] of Object.entries(typed)) expect(field(name).value).toBe(text);
    await submit();
    await settle();
    await reload();
    expect(field('message').value).toBe('');
  });

  it('the honeypot field is hidden, and sent only when it has been filled in', async () => {
    await hydratedForm();
    const honeypot = field('hq7x');
    expect([
      honeypot.tabIndex,
      honeypot.getAttribute('aria-hidden'),
      honeypot.autocomplete,
    ]).toEqual([-1, 'true', 'off']);
    honeypot.value = 'http://spam.example';
    await submit();
    const [, init] = fetched.mock.calls[0] ?? [];
    expect(JSON.parse(String(init?.body))).toEqual({ ...typed, hq7x: 'http://spam.example' });
  });

  it('the contact form can be submitted again after a failure', async () => {
    const logged = vi.mocked(console.error).mockImplementation(() => {});
    fetched.mockResolvedValueOnce(new Response('no', { status: 500 }));
    await hydratedForm();
    await submit();
    await settle();
    await submit();
    await settle();
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(alert()).toBeNull();
    expect(dialog().open).toBe(false);
    logged.mockClear();
  });
});
