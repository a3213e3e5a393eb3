import { beforeEach, describe, expect, it, vi } from 'vitest';
import { eachTestIsAPage } from '../testing/page.ts';
import { recordActivity } from './activity.ts';

eachTestIsAPage();

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
const told = (activity: object) => [
  '/api/activity',
  'application/json',
  JSON.stringify({ ...activity, search: '', referrer: '' }),
];
const view = told({ type: 'page_view' });

function look({ visibility, prerendering }: { visibility: string; prerendering: boolean }) {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(visibility !== 'visible');
  Object.defineProperty(document, 'prerendering', { value: prerendering, configurable: true });
}

describe('the page view', () => {
  it('is sent once, after the page has loaded', async () => {
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

  it('waits for a page in the background to be looked at', async () => {
    look({ visibility: 'hidden', prerendering: false });
    recordActivity();
    vi.advanceTimersByTime(60_000);
    expect(beacon).not.toHaveBeenCalled();
    look({ visibility: 'visible', prerendering: false });
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await sent()).toEqual([view]);
  });

  it('waits for a prerendered page to be shown', async () => {
    look({ visibility: 'visible', prerendering: true });
    recordActivity();
    vi.advanceTimersByTime(60_000);
    expect(beacon).not.toHaveBeenCalled();
    look({ visibility: 'visible', prerendering: false });
    document.dispatchEvent(new Event('prerenderingchange'));
    expect(await sent()).toEqual([view]);
  });

  it('is sent when the visitor leaves before the page has loaded', async () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive');
    recordActivity();
    dispatchEvent(new Event('pagehide'));
    expect(await sent()).toEqual([view]);
  });
});

describe('clicks', () => {
  it('names the call-to-action that was pressed, wherever in it', async () => {
    document.body.innerHTML = '<button data-cta="hero"><svg></svg></button><p>text</p>';
    recordActivity();
    document.querySelector('svg')?.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    document.querySelector('p')?.click();
    expect(await sent()).toEqual([told({ type: 'cta_click', control: 'hero' })]);
  });

  it('is recorded even where something stops the click', async () => {
    document.body.innerHTML = '<button data-cta="faq">x</button>';
    recordActivity();
    const button = document.querySelector('button');
    button?.addEventListener('click', (event) => event.stopImmediatePropagation());
    button?.click();
    expect(beacon).toHaveBeenCalledTimes(1);
  });
});

it('falls back to a fetch that outlives the page', async () => {
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

it('tells where the visitor is from, and that a program drives the browser', async () => {
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

it('tells of a booking', async () => {
  recordActivity();
  dispatchEvent(new Event('booked'));
  expect(await sent()).toEqual([told({ type: 'call_booked' })]);
});

it('tells of a visitor who asks for privacy that there was one, and nothing else', async () => {
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
