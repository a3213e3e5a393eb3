import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, mockAnalytics, renderScreen, visited } from '../testing/screen.tsx';

const realTimeout = setTimeout;
const noon = Date.parse('2026-03-01T12:00:00Z');

beforeAll(() => import('./panels.tsx'));
beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const report = () => json({ summary: { pageViews: 10 }, conversions: [] });
const counts = { ctaClicks: 0, callsBooked: 0, conversions: 0, revenue: 0 };
const insights = (pageViews: number) => () =>
  json({ sources: [{ source: 'podcast', ...counts, pageViews }] });
/** The visits of the source, unless they are hidden. */
const visits = () => {
  const row = screen.queryByRole('rowheader', { name: 'podcast' })?.parentElement;
  return row?.closest('[data-waiting]') ? undefined : row?.querySelector('td')?.textContent;
};
const parametersOf = (call: Parameters<typeof fetch> | undefined) =>
  new URL(String(call?.[0]), 'http://site.example').searchParams;

async function openWith(responses: Parameters<typeof mockAnalytics>[0]) {
  const fetched = mockAnalytics(responses);
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await wait(10);
  // The panels' code loads in real time.
  while (fetched.breakdown.mock.calls.length === 0) {
    await act(() => new Promise((resolve) => realTimeout(resolve, 5)));
    await wait(0);
  }
  await wait(10);
  return fetched;
}

test('insights request the window of the report', async () => {
  const { dashboard, breakdown } = await openWith({ dashboard: report, breakdown: insights(4) });
  const requested = parametersOf(breakdown.mock.calls[0]);
  expect(requested.get('startDate')).toBe(parametersOf(dashboard.mock.calls[0]).get('startDate'));
  expect(breakdown.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'include' });
  expect(visits()).toBe('4');
});

test('insights are requested with each report: by polling, by Refresh and for another period', async () => {
  const { dashboard, breakdown } = await openWith({ dashboard: report, breakdown: insights(4) });
  breakdown.mockImplementation(async () => insights(5)());
  await wait(30_100);
  expect(breakdown).toHaveBeenCalledTimes(2);
  expect(visits()).toBe('5');
  fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
  await wait(10);
  expect(breakdown).toHaveBeenCalledTimes(3);
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(breakdown).toHaveBeenCalledTimes(4);
  for (const [i, call] of dashboard.mock.calls.entries()) {
    const startDate = parametersOf(call).get('startDate');
    expect(parametersOf(breakdown.mock.calls[i]).get('startDate')).toBe(startDate);
  }
});

test.each<[string, () => Response | Promise<Response>]>([
  ['an error response', () => json({ error: 'Our fault.' }, 500)],
  ['a network failure', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a response that is not JSON', () => new Response('<h1>Hello</h1>')],
  ['the end of the session', () => json({ error: 'Unauthorized' }, 401)],
])('insights stay and are polled on without an alert after %s', async (_, fail) => {
  const { breakdown } = await openWith({ dashboard: report, breakdown: insights(4) });
  breakdown.mockImplementation(async () => fail());
  await wait(30_100);
  expect(breakdown).toHaveBeenCalledTimes(2);
  expect(visits()).toBe('4');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.querySelector('[data-stale]')).toBeNull();
  breakdown.mockImplementation(async () => insights(5)());
  await wait(30_100);
  expect(visits()).toBe('5');
  expect(visited).toEqual(['/analytics']);
});

test('insights are hidden and the figures shown when the first request fails', async () => {
  await openWith({ dashboard: report, breakdown: () => json({}, 500) });
  expect(visits()).toBeUndefined();
  const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);
  expect(titles).toEqual(['Page Views by day', 'Conversion Funnel', 'Calls', 'Recent Conversions']);
});

test('insights of another period are hidden at once', async () => {
  const { breakdown } = await openWith({ dashboard: report, breakdown: insights(4) });
  breakdown.mockImplementation(() => new Promise(() => {}));
  expect(visits()).toBe('4');
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(visits()).toBeUndefined();
});
