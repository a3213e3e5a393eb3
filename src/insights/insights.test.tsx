import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { answerBoth } from '../testing/dashboard-wire.ts';
import { json, renderScreen } from '../testing/screen.tsx';

beforeAll(() => import('./insights.tsx'));
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
  const wire = answerBoth({
    dashboard: () => json({ summary: figures, conversions: [] }),
    breakdown: () => json(breakdown),
  });
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await waitFor(() => expect(wire.breakdown).toHaveBeenCalled());
  // Long enough for an answer at hand to be shown, or to be passed over.
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((title) => title.textContent);

/** The rows of a panel's table as the texts of their cells, its head left out. */
async function rowsOf(name: string) {
  const panel = within(await screen.findByRole('region', { name }));
  const [, ...rows] = panel.getAllByRole('row', { hidden: true });
  return rows.map((row) => [...row.children].map((cell) => cell.textContent));
}

test('the panels stand below those of the specification', async () => {
  await openWith({ days, sources: [{ pageViews: 2 }], previous, uncounted: {} });
  await screen.findByRole('region', { name: 'Sources' });
  expect(titles()).toEqual([
    'Conversion Funnel',
    'Recent Conversions',
    'Day by Day',
    'Compared with the previous 30 days',
    'Sources',
  ]);
});

test('each day is in the table, the newest first, and parts of a day say so', async () => {
  await openWith({ days });
  expect(await rowsOf('Day by Day')).toEqual([
    ['Tue, Nov 3 (partial)', '900', '0', '0', '$0.00'],
    ['Mon, Nov 2', '40', '0', '6', '$1,164.00'],
    ['Sun, Nov 1', '40', '5', '0', '$0.00'],
    ['Sat, Oct 31 (partial)', '3', '0', '0', '$0.00'],
  ]);
  screen.getByText(/^The hollow points, Oct 31 and Nov 3, are parts of a day only/);
});

test('the best day is a whole one', async () => {
  await openWith({ days });
  await screen.findByText('Most in a day: 40, on 2 days');
  screen.getByText('Most in a day: 5, on Nov 1');
  screen.getByText('Most in a day: $1,164.00, on Nov 2');
});

test('days on which nothing happened are not drawn', async () => {
  const nothing = days.map((day) => ({ ...day, ...quiet }));
  await openWith({ days: nothing, previous: null });
  await screen.findByText('No visits in this period.');
  expect(titles()).toEqual(['Conversion Funnel', 'Recent Conversions', 'Day by Day']);
});

test('each figure stands beside the one before, and only a change that is one has an arrow', async () => {
  await openWith({ days, previous });
  expect(await rowsOf('Compared with the previous 30 days')).toEqual([
    ['Page Views', '1,200', '1,000', '+200 (+20.00%)', 'More'],
    ['CTA Clicks', '100', '110', '-10 (-9.09%)', 'No clear change'],
    ['Conversions', '6', '3', '+3 (+100.00%)', 'Not enough data'],
    ['Revenue', '$1,164.00', '$291.00', '+$873.00 (+300.00%)', 'Not enough data'],
  ]);
  const panel = screen.getByRole('region', { name: 'Compared with the previous 30 days' });
  const arrows = [...panel.querySelectorAll('svg')];
  expect(arrows.map((arrow) => arrow.parentElement?.textContent)).toEqual(['More']);
});

test('fewer than before is less, and of nothing there is no percentage', async () => {
  await openWith({
    days,
    previous: { ...previous, pageViews: 1400, ctaClicks: 0, conversions: 6, totalRevenue: 1164 },
  });
  expect(await rowsOf('Compared with the previous 30 days')).toEqual([
    ['Page Views', '1,200', '1,400', '-200 (-14.29%)', 'Less'],
    ['CTA Clicks', '100', '0', '+100', 'More'],
    ['Conversions', '6', '6', '0 (0.00%)', 'No clear change'],
    ['Revenue', '$1,164.00', '$1,164.00', '$0.00 (0.00%)', 'No clear change'],
  ]);
});

test('a period before that was not counted whole is not compared with', async () => {
  await openWith({ days, previous: null });
  const panel = within(
    await screen.findByRole('region', { name: 'Compared with the previous 30 days' }),
  );
  panel.getByText(/^No comparison yet/);
  expect(panel.queryByRole('table')).toBeNull();
});

test('each source has what came of it', async () => {
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
      { source: 'checkout', conversions: 1, revenue: 97 },
      { merged: 4, pageViews: 8, ctaClicks: 1, callsBooked: 0, conversions: 0, revenue: 0 },
      { merged: 1 },
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

test('what else was counted, and what was left out, is told quietly', async () => {
  await openWith({ uncounted: { bot: 1234, automated: 1, privacy: 7, owner: 4, outage: 2 } });
  await screen.findByText('Also: 12 checkouts opened, 1 call booked.');
  screen.getByText(
    'Excluded views and clicks: 1,234 by bots, 1 by an automated browser, 7 by visitors who opted out, 4 of your own, 2 lost in an outage.',
  );
});

test.each([
  ['an empty answer', {}],
  ['no answer', null],
  ['nulls', { days: null, sources: null, uncounted: null }],
  ['empty parts', { days: [{}], sources: [], uncounted: {} }],
])('%s adds nothing to the figures', async (_, answer) => {
  await openWith(answer, { pageViews: 3 });
  expect(titles()).toEqual(['Conversion Funnel', 'Recent Conversions']);
  expect(screen.queryByText(/^(Also|Left out)/)).toBeNull();
});
