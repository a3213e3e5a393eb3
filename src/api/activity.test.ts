import { beforeEach, describe, expect, it, vi } from 'vitest';
import { isolateEachTest } from '../testing/isolate-each-test.ts';
import { recordActivity } from './activity.ts';

isolateEachTest();

const beacon = vi.fn<(address: string, body: Blob) => boolean>();

beforeEach(() => {
  vi.useFakeTimers();
  beacon.mockReset().mockReturnValue(true);
  vi.stubGlobal('navigator', { sendBeacon: beacon });
  look({ visibility: 'visible', prerendering: false });
});

/** What was sent, as text and type. */
const sent = () =>
  Promise.all(
    beacon.mock.calls.map(async ([address, body]) => [address, body.type, await body.text()]),
  );
const requestOf = (activity: object) => [
  '/api/activity',
  'application/json',
  JSON.stringify({ ...activity, search: '', referrer: '' }),
];
const view = requestOf({ type: 'page_view' });

function look({ visibility, prerendering }: { visibility: string; prerendering: boolean }) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(visibility !== 'visible');
  Object.defineProperty(document, 'prerendering', { value: prerendering, configurable: true });
}

describe('the page view', () => {
  it('page view is sent once, after the page has loaded', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    recordActivity();
    vi.advanceTimersByTime(5000);
    expect(beacon).not.toHaveBeenCalled();
    dispatchEvent(new Event('load'));
    vi.advanceTimersByTime(1);
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(new Event('pagehide'));
    expect(await sent()).toEqual([view]);
  });

  it('page view of a background page is sent when it becomes visible', async () => {
    look({ visibility: 'hidden', prerendering: false });
    recordActivity();
    vi.advanceTimersByTime(60_000);
    expect(beacon).not.toHaveBeenCalled();
    look({ visibility: 'visible', prerendering: false });
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await sent()).toEqual([view]);
  });

  it('page view of a prerendered page is sent when it is activated', async () => {
    look({ visibility: 'visible', prerendering: true });
    recordActivity();
    vi.advanceTimersByTime(60_000);
    expect(beacon).not.toHaveBeenCalled();
    look({ visibility: 'visible', prerendering: false });
    document.dispatchEvent(new Event('prerenderingchange'));
    expect(await sent()).toEqual([view]);
  });

  it('page view is sent when the visitor leaves before the page has loaded', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    recordActivity();
    dispatchEvent(new Event('pagehide'));
    expect(await sent()).toEqual([view]);
  });
});

describe('clicks', () => {
  it('CTA click names its button wherever the click landed in it', async () => {
    document.body.innerHTML = '<button data-cta="hero"><svg></svg></button><p>text</p>';
    recordActivity();
    document.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    document.querySelector('p')?.click();
    expect(await sent()).toEqual([requestOf({ type: 'cta_click', button: 'hero' })]);
  });

  it('CTA click is recorded when a listener stops its propagation', async () => {
    document.body.innerHTML = '<button data-cta="faq">x</button>';
    recordActivity();
    const button = document.querySelector('button');
    button?.addEventListener('click', (event) => event.stopImmediatePropagation());
    button?.click();
    expect(beacon).toHaveBeenCalledTimes(1);
  });
});

it('activity falls back to a keepalive fetch', async () => {
  beacon.mockReturnValue(false);
  const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('offline'));
  recordActivity();
  await vi.advanceTimersByTimeAsync(1);
  expect(fetched).toHaveBeenCalledWith('/api/activity', {
    method: 'POST',
    body: expect.any(Blob),
    keepalive: true,
  });
});

it('activity sends the referral and whether the browser is automated', async () => {
  vi.stubGlobal('navigator', { sendBeacon: beacon, webdriver: true });
  vi.stubGlobal('location', { search: '?utm_source=podcast' });
  vi.spyOn(document, 'referrer', 'get').mockReturnValue('https://blog.example/');
  recordActivity();
  vi.advanceTimersByTime(1);
  const [[, , text] = []] = await sent();
  expect(JSON.parse(String(text))).toEqual({
    type: 'page_view',
    search: '?utm_source=podcast',
    referrer: 'https://blog.example/',
    automated: true,
  });
});

it('activity records a booking', async () => {
  recordActivity();
  dispatchEvent(new Event('booked'));
  expect(await sent()).toEqual([requestOf({ type: 'call_booked' })]);
});

it('activity sends only an excluded page view with Global Privacy Control', async () => {
  vi.stubGlobal('navigator', { sendBeacon: beacon, globalPrivacyControl: true });
  vi.stubGlobal('location', { search: '?utm_source=podcast' });
  document.body.innerHTML = '<button data-cta="hero">x</button>';
  recordActivity();
  document.querySelector('button')?.click();
  dispatchEvent(new Event('booked'));
  vi.advanceTimersByTime(60_000);
  expect(await sent()).toEqual([
    ['/api/activity', 'application/json', '{"type":"page_view","privacy":true}'],
  ]);
});
