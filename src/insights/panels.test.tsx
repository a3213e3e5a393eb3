import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, mockAnalytics, renderScreen } from '../testing/screen.tsx';

beforeAll(() => import('./panels.tsx'));
afterEach(cleanup);

const summary = {
  pageViews: 1200,
  ctaClicks: 100,
  checkoutOpens: 12,
  callsBooked: 1,
  conversions: 6,
  totalRevenue: 1164,
  conversionRate: 0.5,
  ctaConversionRate: 8.33,
};
const previous = { ...summary, pageViews: 1000, ctaClicks: 110, conversions: 3, totalRevenue: 291 };
const quiet = { pageViews: 0, ctaClicks: 0, conversions: 0, revenue: 0 };
const days = [
  { date: '2026-10-31', isWhole: false, ...quiet, pageViews: 3 },
  { date: '2026-11-01', isWhole: true, ...quiet, pageViews: 40, ctaClicks: 5 },
  { date: '2026-11-02', isWhole: true, ...quiet, pageViews: 40, conversions: 6, revenue: 1164 },
  { date: '2026-11-03', isWhole: false, ...quiet, pageViews: 900 },
];

async function openWith(breakdown: unknown, figures: object = summary) {
  const fetched = mockAnalytics({
    dashboard: () => json({ summary: figures, conversions: [] }),
    breakdown: () => json(breakdown),
  });
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await waitFor(() => expect(fetched.breakdown).toHaveBeenCalled());
  // Wait until the response is rendered or ignored.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);

/** The cell texts of a panel's table, without its header row. */
async function rowsOf(name: string) {
  const panel = within(await screen.findByRole('region', { name }));
  const [, ...rows] = panel.getAllByRole('row', { hidden: true });
  return rows.map((row) => [...row.children].map((cell) => cell.textContent));
}

test('insights are below the panels of the specification', async () => {
  await openWith({
    days,
    sources: [{ ...quiet, callsBooked: 0, pageViews: 2 }],
    previous,
    uncounted: {},
  });
  await screen.findByRole('region', { name: 'Sources' });
  expect(titles()).toEqual([
    'Conversion Funnel',
    'Recent Conversions',
    'Day by Day',
    'Compared with the Previous 30 Days',
    'Sources',
  ]);
});

test('table lists the days newest first and marks partial ones', async () => {
  await openWith({ days });
  expect(await rowsOf('Day by Day')).toEqual([
    ['Tue, Nov 3 (partial)', '900', '0', '0', '$0.00'],
    ['Mon, Nov 2', '40', '0', '6', '$1,164.00'],
    ['Sun, Nov 1', '40', '5', '0', '$0.00'],
    ['Sat, Oct 31 (partial)', '3', '0', '0', '$0.00'],
  ]);
  screen.getByText(/^The hollow points, Oct 31 and Nov 3, are partial days: do not compare them/);
});

test('chart names the highest full day', async () => {
  await openWith({ days });
  await screen.findByText('Most in a day: 40, on 2 days');
  screen.getByText('Most in a day: 5, on Nov 1');
  screen.getByText('Most in a day: $1,164.00, on Nov 2');
});

test('charts are replaced by a note when all figures are 0', async () => {
  const quietDays = days.map((day) => ({ ...day, ...quiet }));
  await openWith({ days: quietDays, previous: null });
  await screen.findByText('No activity in this period.');
  expect(titles()).toEqual(['Conversion Funnel', 'Recent Conversions', 'Day by Day']);
});

test('comparison marks only significant changes with an arrow', async () => {
  await openWith({ days, previous });
  expect(await rowsOf('Compared with the Previous 30 Days')).toEqual([
    ['Page Views', '1,200', '1,000', '+200 (+20.00%)', 'More'],
    ['CTA Clicks', '100', '110', '-10 (-9.09%)', 'No clear change'],
    ['Conversions', '6', '3', '+3 (+100.00%)', 'Not enough data'],
    ['Revenue', '$1,164.00', '$291.00', '+$873.00 (+300.00%)', 'Not enough data'],
  ]);
  const panel = screen.getByRole('region', { name: 'Compared with the Previous 30 Days' });
  const arrows = [...panel.querySelectorAll('svg')];
  expect(arrows.map((arrow) => arrow.parentElement?.textContent)).toEqual(['More']);
});

test('comparison shows a decrease as less and omits percentages of 0', async () => {
  await openWith({
    days,
    previous: { ...previous, pageViews: 1400, ctaClicks: 0, conversions: 6, totalRevenue: 1164 },
  });
  expect(await rowsOf('Compared with the Previous 30 Days')).toEqual([
    ['Page Views', '1,200', '1,400', '-200 (-14.29%)', 'Less'],
    ['CTA Clicks', '100', '0', '+100', 'More'],
    ['Conversions', '6', '6', '0 (0.00%)', 'No clear change'],
    ['Revenue', '$1,164.00', '$1,164.00', '$0.00 (0.00%)', 'No clear change'],
  ]);
});

test('comparison is omitted when the previous period was not counted completely', async () => {
  await openWith({ days, previous: null });
  const panel = within(
    await screen.findByRole('region', { name: 'Compared with the Previous 30 Days' }),
  );
  panel.getByText(/^No comparison yet/);
  expect(panel.queryByRole('table')).toBeNull();
});

test('sources list visits, clicks, calls, conversions and revenue', async () => {
  await openWith({
    sources: [
      {
        source: 'podcast',
        pageViews: 40,
        ctaClicks: 5,
        callsBooked: 1,
        conversions: 2,
        revenue: 194,
      },
      { pageViews: 3, ctaClicks: 0, callsBooked: 0, conversions: 0, revenue: 0 },
      { source: 'checkout', ...quiet, callsBooked: 0, conversions: 1, revenue: 97 },
      { merged: 4, pageViews: 8, ctaClicks: 1, callsBooked: 0, conversions: 0, revenue: 0 },
      { merged: 1, ...quiet, callsBooked: 0 },
    ],
  });
  expect(await rowsOf('Sources')).toEqual([
    ['podcast', '40', '5', '12.50%', '1', '2', '$194.00', '$485.00'],
    ['Direct', '3', '0', '0.00%', '0', '0', '$0.00', '$0.00'],
    ['checkout', '0', '0', '–', '0', '1', '$97.00', '–'],
    ['4 more sources', '8', '1', '12.50%', '0', '0', '$0.00', '$0.00'],
    ['1 more source', '0', '0', '–', '0', '0', '$0.00', '–'],
  ]);
});

test('footnotes list further counts and excluded ones', async () => {
  await openWith({ uncounted: { bot: 1234, automated: 1, privacy: 7, owner: 4, outage: 2 } });
  await screen.findByText('Also: 12 checkouts opened, 1 call booked.');
  screen.getByText(
    'Excluded views and clicks: 1,234 by bots, 1 by an automated browser, 7 by visitors who opted out, 4 of your own, 2 lost in an outage.',
  );
});

test.each([
  ['an empty response', {}],
  ['a null response', null],
  ['nulls', { days: null, sources: null, uncounted: null }],
])('insights show nothing for %s', async (_, response) => {
  await openWith(response, { pageViews: 3 });
  expect(titles()).toEqual(['Conversion Funnel', 'Recent Conversions']);
  expect(screen.queryByText(/^(Also|Excluded)/)).toBeNull();
});
