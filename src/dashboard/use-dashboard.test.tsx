import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { json, mockDashboard, renderScreen, visited } from '../testing/screen.tsx';
import { DashboardPage } from './page.tsx';

// Loads the code of the panels ahead.
beforeAll(() => import('../insights/panels.tsx'));

const noon = Date.parse('2026-03-01T12:00:00Z');
const day = 24 * 60 * 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const report = (pageViews: number) => () => json({ summary: { pageViews }, conversions: [] });
const views = () =>
  screen.getByText('Unique landing page visits').closest('dl > div')?.querySelector('dd')
    ?.textContent;
const updated = () => document.querySelector('time')?.getAttribute('datetime');
const status = () => screen.getByRole('status').textContent;
const refresh = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
const figures = () => document.querySelector('[data-figures]');

/** Opens the dashboard and waits for its first response; the fake clock stands at noon and 10 ms. */
async function openWith(respond: () => Response | Promise<Response>) {
  const fetch = mockDashboard(respond);
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await wait(10);
  return fetch;
}

function startDateOf(call: Parameters<typeof fetch> | undefined) {
  const url = new URL(String(call?.[0]), 'http://site.example');
  expect(url.pathname).toBe('/api/analytics/dashboard');
  return Date.parse(url.searchParams.get('startDate') ?? '');
}

test('dashboard requests the last thirty days with cookies and shows the time of the update', async () => {
  const fetch = await openWith(report(1));
  expect(startDateOf(fetch.mock.calls[0])).toBe(noon - 30 * day);
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'include' });
  screen.getByText('Data from last 30 days');
  expect(updated()).toBe('2026-03-01T12:00:00.000Z');
  expect(screen.getByText(/^Last updated/).textContent).toBe(
    `Last updated ${new Date(noon).toLocaleTimeString('en-US')}`,
  );
});

test('dashboard refetches after thirty seconds with a window that moved on', async () => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => report(2)());
  await wait(29_890);
  expect(fetch).toHaveBeenCalledTimes(1);
  await wait(210);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(startDateOf(fetch.mock.calls[1])).toBeGreaterThanOrEqual(noon - 30 * day + 30_000);
  expect(views()).toBe('2');
  expect(status()).toBe('');
});

test('dashboard does not poll while the page is hidden', async () => {
  const fetch = await openWith(report(1));
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await wait(120_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('Refresh fetches at once and announces the result once', async () => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => report(2)());
  await wait(5_000);
  refresh();
  await wait(10);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(views()).toBe('2');
  const announced = status();
  expect(announced).toBe(`Updated at ${new Date(noon + 5_010).toLocaleTimeString('en-US')}`);
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(3);
  expect(status()).toBe(announced);
});

test('Refresh joins the request in flight and is busy meanwhile', async () => {
  const fetch = await openWith(report(1));
  let finish = (_: Response) => {};
  fetch.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
  await wait(30_000);
  const button = screen.getByRole('button', { name: 'Refresh' });
  expect(button.getAttribute('aria-busy')).toBe('true');
  refresh();
  refresh();
  await wait(10);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(views()).toBe('1');
  finish(report(2)());
  await wait(10);
  expect(views()).toBe('2');
  expect(button.getAttribute('aria-busy')).toBe('false');
});

test('dashboard shows no figure of another period while the chosen one loads', async () => {
  const fetch = await openWith(report(30));
  let finish = (_: Response) => {};
  fetch.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
  await wait(1_000);
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(startDateOf(fetch.mock.calls[1])).toBe(noon + 1_010 - 7 * day);
  expect(views()).toBe('–');
  screen.getByText('Data from last 7 days');
  screen.getByText('Loading');
  expect(figures()?.getAttribute('aria-busy')).toBe('true');
  finish(report(7)());
  await wait(10);
  expect(views()).toBe('7');
  expect(figures()?.getAttribute('aria-busy')).toBe('false');
});

test('dashboard refetches a period that is selected again', async () => {
  const fetch = await openWith(report(30));
  for (const [name, days] of [
    ['Last 90 days', 90],
    ['Last 30 days', 30],
  ] as const) {
    fireEvent.click(screen.getByRole('radio', { name }));
    await wait(10);
    screen.getByText(`Data from ${name.toLowerCase()}`);
    const requested = startDateOf(fetch.mock.lastCall);
    expect(Math.abs(requested - (noon - days * day))).toBeLessThan(1_000);
  }
  expect(fetch).toHaveBeenCalledTimes(3);
});

test.each<[string, () => Response | Promise<Response>]>([
  ['an error response', () => json({ error: 'Our fault.' }, 500)],
  ['a network failure', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a response that is not JSON', () => new Response('<h1>Hello</h1>')],
])('dashboard keeps its data marked as stale and polls on after %s', async (_, fail) => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => fail());
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(views()).toBe('1');
  expect(updated()).toBe('2026-03-01T12:00:00.000Z');
  expect(figures()?.hasAttribute('data-stale')).toBe(true);
  screen.getByText(/^Last updated .*, 1 minute ago$/);
  const nextTry = new Date(noon + 60_000).toLocaleTimeString('en-US');
  screen.getByText((_, one) => one?.textContent === `Next try at ${nextTry}`, { selector: 'span' });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(status()).toBe('');

  refresh();
  await wait(10);
  expect(status()).toBe('Failed to fetch analytics data');

  fetch.mockImplementation(async () => report(2)());
  await wait(30_100);
  expect(views()).toBe('2');
  expect(figures()?.hasAttribute('data-stale')).toBe(false);
  expect(visited).toEqual(['/analytics']);
});

test.each([
  ['of the first request', () => {}],
  [
    'of another period',
    async (fetch: Awaited<ReturnType<typeof openWith>>) => {
      fetch.mockImplementation(async () => report(30)());
      await wait(30_100);
      expect(views()).toBe('30');
      fetch.mockImplementation(async () => json({}, 500));
      fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
      await wait(10);
    },
  ],
])('dashboard shows dashes instead of figures after a failure %s', async (_, prepare) => {
  const fetch = await openWith(() => json({ error: 'Our fault.' }, 500));
  await prepare(fetch);
  expect(views()).toBe('–');
  expect(updated()).not.toBeUndefined();
  screen.getByText('No figures yet');
  screen.getByText(/^Next try at/);
  screen.getByText('Click-through rate');
  expect(screen.queryByText('No conversions yet')).toBeNull();
  expect(screen.queryByText('100%')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('dashboard redirects to /admin once when the session has ended', async () => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => json({ error: 'Unauthorized' }, 401));
  await wait(30_100);
  expect(visited).toEqual(['/analytics', '/admin']);
  await wait(60_000);
  expect(visited).toEqual(['/analytics', '/admin']);
});
