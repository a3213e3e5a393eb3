import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { answerBoth } from '../testing/dashboard-wire.ts';
import { json, renderScreen, visited } from '../testing/screen.tsx';

const realTimeout = setTimeout;
const noon = Date.parse('2026-03-01T12:00:00Z');

beforeAll(() => import('./insights.tsx'));
beforeEach(() => {
  vi.useFakeTimers({ now: noon });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const report = () => json({ summary: { pageViews: 10 }, conversions: [] });
const look = (pageViews: number) => () => json({ sources: [{ source: 'podcast', pageViews }] });
const visits = () =>
  screen.queryByRole('rowheader', { name: 'podcast' })?.parentElement?.querySelector('td')
    ?.textContent;
const parametersOf = (call: Parameters<typeof fetch> | undefined) =>
  new URL(String(call?.[0]), 'http://site.example').searchParams;

async function openWith(answers: Parameters<typeof answerBoth>[0]) {
  const wire = answerBoth(answers);
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await wait(10);
  // The panels' code comes by an import, which knows no made-up time.
  while (wire.breakdown.mock.calls.length === 0) {
    await act(() => new Promise((resolve) => realTimeout(resolve, 5)));
    await wait(0);
  }
  await wait(10);
  return wire;
}

test('asks for the window of the report, on the reader’s own clocks', async () => {
  const { dashboard, breakdown } = await openWith({ dashboard: report, breakdown: look(4) });
  const asked = parametersOf(breakdown.mock.calls[0]);
  expect(asked.get('startDate')).toBe(parametersOf(dashboard.mock.calls[0]).get('startDate'));
  expect(asked.get('timeZone')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(breakdown.mock.calls[0]?.[1]).toMatchObject({ method: 'GET', credentials: 'include' });
  expect(visits()).toBe('4');
});

test('asks again with each report: after thirty seconds, by hand and for another period', async () => {
  const { dashboard, breakdown } = await openWith({ dashboard: report, breakdown: look(4) });
  breakdown.mockImplementation(async () => look(5)());
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
  ['a fault', () => json({ error: 'Our fault.' }, 500)],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['an answer that is no JSON', () => new Response('<h1>Hello</h1>')],
  ['being signed out', () => json({ error: 'Unauthorized' }, 401)],
])('%s is silent: the last look stays, and the next one comes in time', async (_, fault) => {
  const { breakdown } = await openWith({ dashboard: report, breakdown: look(4) });
  breakdown.mockImplementation(async () => fault());
  await wait(30_100);
  expect(breakdown).toHaveBeenCalledTimes(2);
  expect(visits()).toBe('4');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(document.querySelector('[data-stale]')).toBeNull();
  breakdown.mockImplementation(async () => look(5)());
  await wait(30_100);
  expect(visits()).toBe('5');
  expect(visited).toEqual(['/analytics']);
});

test('a failure from the first on leaves the panels out and the figures whole', async () => {
  await openWith({ dashboard: report, breakdown: () => json({}, 500) });
  expect(visits()).toBeUndefined();
  const titles = screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);
  expect(titles).toEqual(['Conversion Funnel', 'Recent Conversions']);
});

test('a look at another period does not stay where its own cannot be had', async () => {
  const { breakdown } = await openWith({ dashboard: report, breakdown: look(4) });
  let fail = (_: Response) => {};
  breakdown.mockImplementation(() => new Promise((resolve) => (fail = resolve)));
  fireEvent.click(screen.getByRole('radio', { name: 'Last 7 days' }));
  await wait(10);
  expect(visits()).toBe('4');
  fail(json({}, 500));
  await wait(10);
  expect(visits()).toBeUndefined();
});
