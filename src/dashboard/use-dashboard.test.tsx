import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answerDashboard } from '../testing/dashboard-wire.ts';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import { DashboardPage } from './page.tsx';

// The panels below arrive when they like: here at once.
beforeAll(() => import('../insights/insights.tsx'));

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
  screen.getByText('Unique landing page visits').parentElement?.querySelector('dd')?.textContent;
const updated = () => document.querySelector('time')?.getAttribute('datetime');
const status = () => screen.getByRole('status').textContent;
const refresh = () => fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
const body = () => document.querySelector('[data-figures]')?.parentElement;

/** The dashboard after its first answer; time stands at noon and 10 ms. */
async function openWith(answer: () => Response | Promise<Response>) {
  const fetch = answerDashboard(answer);
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await wait(10);
  return fetch;
}

function startDateOf(call: Parameters<typeof fetch> | undefined) {
  const url = new URL(String(call?.[0]), 'http://site.example');
  expect(url.pathname).toBe('/api/analytics/dashboard');
  return Date.parse(url.searchParams.get('startDate') ?? '');
}

test('asks for the last thirty days, with cookies, and says when', async () => {
  const fetch = await openWith(report(1));
  expect(startDateOf(fetch.mock.calls[0])).toBe(noon - 30 * day);
  expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'include' });
  screen.getByText('Data from last 30 days');
  expect(updated()).toBe('2026-03-01T12:00:00.000Z');
  expect(screen.getByText(/^Last updated/).textContent).toBe(
    `Last updated ${new Date(noon).toLocaleTimeString('en-US')}`,
  );
});

test('asks again after thirty seconds, not before, and of a window that moved along', async () => {
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

test('asks nothing while nobody looks', async () => {
  const fetch = await openWith(report(1));
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  await wait(120_000);
  expect(fetch).toHaveBeenCalledTimes(1);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a refresh by hand fetches at once and is announced once', async () => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => report(2)());
  await wait(5_000);
  refresh();
  await wait(10);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(views()).toBe('2');
  const said = status();
  expect(said).toBe(`Updated at ${new Date(noon + 5_010).toLocaleTimeString('en-US')}`);
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(3);
  expect(status()).toBe(said);
});

test('a refresh joins the fetch under way, whose arrow turns meanwhile', async () => {
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

test('another period keeps the old figures, under their own name, until its own arrive', async () => {
  const fetch = await openWith(report(30));
  let finish = (_: Response) => {};
  fetch.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
  await wait(1_000);
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(startDateOf(fetch.mock.calls[1])).toBe(noon + 1_010 - 7 * day);
  expect(views()).toBe('30');
  screen.getByText('Data from last 30 days');
  expect(body()?.hasAttribute('data-changing')).toBe(true);
  finish(report(7)());
  await wait(10);
  expect(views()).toBe('7');
  screen.getByText('Data from last 7 days');
  expect(body()?.hasAttribute('data-changing')).toBe(false);
});

test('a period chosen again is fetched again', async () => {
  const fetch = await openWith(report(30));
  for (const [name, days] of [
    ['Last 90 days', 90],
    ['Last 30 days', 30],
  ] as const) {
    fireEvent.click(screen.getByRole('radio', { name }));
    await wait(10);
    screen.getByText(`Data from ${name.toLowerCase()}`);
    const asked = startDateOf(fetch.mock.lastCall);
    expect(Math.abs(asked - (noon - days * day))).toBeLessThan(1_000);
  }
  expect(fetch).toHaveBeenCalledTimes(3);
});

test.each<[string, () => Response | Promise<Response>]>([
  ['a fault', () => json({ error: 'Our fault.' }, 500)],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that is no JSON', () => new Response('<h1>Hello</h1>')],
])('%s keeps the data and its time, marks both, and tries again in time', async (_, fault) => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => fault());
  await wait(30_100);
  expect(fetch).toHaveBeenCalledTimes(2);
  expect(views()).toBe('1');
  expect(updated()).toBe('2026-03-01T12:00:00.000Z');
  expect(body()?.hasAttribute('data-stale')).toBe(true);
  screen.getByText(', not up to date');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(status()).toBe('');

  refresh();
  await wait(10);
  expect(status()).toBe('Failed to fetch analytics data');

  fetch.mockImplementation(async () => report(2)());
  await wait(30_100);
  expect(views()).toBe('2');
  expect(body()?.hasAttribute('data-stale')).toBe(false);
  expect(visited).toEqual(['/analytics']);
});

test('a failure before the first answer leaves zeros that are marked, and promises nothing', async () => {
  await openWith(() => json({ error: 'Our fault.' }, 500));
  expect(views()).toBe('0');
  expect(body()?.hasAttribute('data-stale')).toBe(true);
  expect(updated()).toBeUndefined();
  expect(screen.queryByText('No conversions yet')).toBeNull();
});

test('a period that cannot be fetched leaves the figures under the name they belong to', async () => {
  const fetch = await openWith(report(30));
  fetch.mockImplementation(async () => json({}, 500));
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(views()).toBe('30');
  screen.getByText('Data from last 30 days');
  expect(body()?.hasAttribute('data-stale')).toBe(true);
});

test('being signed out leads to the login, once', async () => {
  const fetch = await openWith(report(1));
  fetch.mockImplementation(async () => json({ error: 'Unauthorized' }, 401));
  await wait(30_100);
  expect(visited).toEqual(['/analytics', '/admin']);
  await wait(60_000);
  expect(visited).toEqual(['/analytics', '/admin']);
});
