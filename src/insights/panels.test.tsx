import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, mockAnalytics, renderScreen } from '../testing/screen.tsx';
import { measures } from './measures.ts';

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
const dayOf = (n: number, more: object) => ({
  ...quiet,
  date: `2026-11-0${n}`,
  isWhole: true,
  startDate: `2026-11-0${n}T00:00:00.000Z`,
  asOf: `2026-11-0${n + 1}T00:00:00.000Z`,
  ...more,
});
const days = [
  dayOf(1, { isWhole: false, pageViews: 3 }),
  dayOf(2, { pageViews: 40, ctaClicks: 5 }),
  dayOf(3, { pageViews: 40, conversions: 6, revenue: 1164 }),
  dayOf(4, { isWhole: false, pageViews: 900 }),
];
const previousDays = days.map((day) => ({ ...day, pageViews: 10 }));

async function openWith(
  breakdown: unknown,
  figures: object = summary,
  { currency = 'USD', months }: { currency?: string; months?: object } = {},
) {
  const fetched = mockAnalytics({
    dashboard: () => json({ summary: figures, conversions: [], currency }),
    breakdown: () => json(breakdown),
    ...(months && { months: () => json(months) }),
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

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const card = (name: string) =>
  screen.getByRole('button', { name }).closest('dl > div')?.lastElementChild?.textContent;

test('panels follow the chart in the order of their questions', async () => {
  await openWith(
    {
      days,
      previous,
      previousDays,
      excluded: { bot: 3 },
      sources: [{ ...quiet, callsBooked: 0, pageViews: 2 }],
    },
    summary,
    { months: twoYears },
  );
  await screen.findByRole('region', { name: 'Sources' });
  expect(titles()).toEqual([
    'Page Views by day',
    'Conversion Funnel',
    'Calls',
    'Recent Conversions',
    'Sources',
    'Months',
    'Not Counted',
  ]);
});

test('table lists the days newest first and marks partial ones', async () => {
  await openWith({ days });
  screen.getByText(/^Hollow points are parts of a day\. Weekends are shaded\./);
  await press('Table');
  expect(await rowsOf('Page Views by day')).toEqual([
    ['Wed, Nov 4 (partial)', '900', '0', '0', '$0.00'],
    ['Tue, Nov 3', '40', '0', '6', '$1,164.00'],
    ['Mon, Nov 2', '40', '5', '0', '$0.00'],
    ['Sun, Nov 1 (partial)', '3', '0', '0', '$0.00'],
  ]);
  await press('Chart');
  expect(screen.queryByRole('table')).toBeNull();
});

test('card chooses the metric of the chart', async () => {
  await openWith({ days, previous, previousDays });
  screen.getByText('Last 30 days: 1,200');
  screen.getByText('30 days before: 1,000');
  await press('Revenue');
  screen.getByRole('heading', { name: 'Revenue by day' });
  screen.getByText('Last 30 days: $1,164.00');
  screen.getByText('30 days before: $291.00');
  screen.getByText(/Sales of this period may still be refunded\.$/);
  const pressed = screen.getAllByRole('button', { pressed: true });
  expect(pressed.map(({ textContent }) => textContent)).toEqual(['Revenue']);
});

test.each([
  ['EUR', (n: string) => `€${n}.00`, ['€0', '€500', '€1K', '€1.5K']],
  ['JPY', (n: string) => `¥${n}`, ['¥0', '¥500', '¥1K', '¥1.5K']],
])('comparison, chart and sources show revenue in %s', async (currency, textOf, ticks) => {
  const source = { ...quiet, callsBooked: 0, source: 'podcast', revenue: 1164 };
  const before = { ...previous, conversions: 10 };
  // Days that vary as much as these ones would make the change unclear.
  const [even, evenBefore] = [days, previousDays].map((list) =>
    list.map((day) => ({ ...day, conversions: 2 })),
  );
  const breakdown = { days: even, previous: before, previousDays: evenBefore, sources: [source] };
  await openWith(breakdown, { ...summary, conversions: 60 }, { currency });
  const cards = within(screen.getByLabelText('Summary'));
  cards.getByText((_, node) => node?.textContent === `Up 300% from ${textOf('291')}`);
  await userEvent.click(cards.getByRole('button', { name: 'Revenue' }));
  screen.getByText(`Last 30 days: ${textOf('1,164')}`);
  screen.getByText(`30 days before: ${textOf('291')}`);
  expect(screen.getAllByText(/^[€¥][\d.]+K?$/).map((tick) => tick.textContent)).toEqual(ticks);
  const chart = screen.getByRole('slider', { name: 'Revenue by day' });
  chart.focus();
  await userEvent.keyboard('{ArrowLeft}');
  const value = textOf('1,164');
  expect(chart.getAttribute('aria-valuetext')).toBe(
    `Tue, Nov 3: ${value}, 30 days before: ${value}`,
  );
  expect(await rowsOf('Sources')).toEqual([['podcast', '0', '0', '0', '0', value]]);
  screen.getByText(new RegExp(`Revenue counts sales in ${currency}, less refunds\\.$`));
  await press('Table');
  expect((await rowsOf('Revenue by day'))[1]?.at(-1)).toBe(value);
});

test('arrow keys choose a day of the chart, and Enter opens its rows', async () => {
  await openWith({ days, previous, previousDays });
  const chart = screen.getByRole('slider', { name: 'Page Views by day' });
  chart.focus();
  expect(chart.getAttribute('aria-valuetext')).toBe('Wed, Nov 4: 900, 30 days before: 10');
  await userEvent.keyboard('{ArrowLeft}');
  expect(chart.getAttribute('aria-valuetext')).toBe('Tue, Nov 3: 40, 30 days before: 10');
  expect(chart.textContent).toContain('Tue, Nov 3Page Views4030 days before10');
  await userEvent.keyboard('{Home}{ArrowLeft}{ArrowRight}{Enter}');
  await screen.findByRole('dialog', { name: 'Page Views on Nov 2: 40' });
});

test.each([
  ['None in this period', '2026-01-01T00:00:00.000Z'],
  ['No visits yet', null],
])('chart without values is replaced by “%s”', async (text, countedSince) => {
  await openWith({ days: days.map((day) => ({ ...day, ...quiet })), previous: null, countedSince });
  await screen.findByText(text);
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Open your site' }) !== null).toBe(
    countedSince === null,
  );
});

test('sample data is marked on every panel, and one click leads back', async () => {
  const none = { ...summary, pageViews: 0, ctaClicks: 0, conversions: 0, totalRevenue: 0 };
  const quietDays = days.map((day) => ({ ...day, ...quiet }));
  await openWith({ days: quietDays, previous: null, countedSince: null }, none);
  const requests = vi.mocked(fetch).mock.calls.length;
  await userEvent.click(await screen.findByRole('button', { name: 'Show sample data' }));
  await screen.findByRole('region', { name: 'Not Counted' });
  screen.getByText('None of these figures are yours.');
  screen.getByText('Export as CSV: off, because sample data is shown.');
  expect(screen.queryByRole('link', { name: /^Stored messages/ })).toBeNull();
  for (const panel of screen.getAllByRole('region')) within(panel).getByText('Sample');
  expect(within(screen.getByLabelText('Summary')).getAllByText('Sample')).toHaveLength(4);
  expect(screen.queryByRole('button', { name: 'All rows' })).toBeNull();
  screen.getByRole('slider', { name: 'Page Views by day' }).focus();
  await userEvent.keyboard('{ArrowLeft}{Enter}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(vi.mocked(fetch)).toHaveBeenCalledTimes(requests);

  await press('Back to your data');
  await screen.findByText('No visits yet');
  expect(screen.queryByText('Sample')).toBeNull();
});

test('cards mark only significant changes with an arrow', async () => {
  await openWith({ days, previous });
  expect(card('Page Views')).toBe('Up 20% from 1,000');
  expect(card('CTA Clicks')).toBe('No clear change from 110');
  expect(card('Conversions')).toBe('Too few to tell · 3 before');
  expect(card('Revenue')).toBe('Too few to tell · $291.00 before');
  expect(document.querySelectorAll('[data-verdict] svg')).toHaveLength(1);
});

test('cards show a decrease as down, and no percentage of 0', async () => {
  await openWith({
    days,
    previous: { ...previous, pageViews: 1400, ctaClicks: 0, conversions: 6, totalRevenue: 1164 },
  });
  expect(card('Page Views')).toBe('Down 14% from 1,400');
  expect(card('CTA Clicks')).toBe('Up  from 0');
  expect(card('Conversions')).toBe('No clear change from 6');
  expect(card('Revenue')).toBe('No clear change from $1,164.00');
});

test('cards show no change when the previous period was not counted completely', async () => {
  await openWith({ days, previous: null });
  for (const { name } of measures) expect(card(name)).toBe('');
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
    ['podcast', '40', '5', '1', '2', '$194.00'],
    ['checkout', '0', '0', '0', '1', '$97.00'],
    ['Direct', '3', '0', '0', '0', '$0.00'],
    ['4 more sources', '8', '1', '0', '0', '$0.00'],
    ['1 more source', '0', '0', '0', '0', '$0.00'],
  ]);
  const panel = within(screen.getByRole('region', { name: 'Sources' }));
  const sortedBy = () =>
    panel
      .getAllByRole('columnheader')
      .filter((header) => header.getAttribute('aria-sort') === 'descending')
      .map(({ textContent }) => textContent);
  expect(sortedBy()).toEqual(['Revenue']);
  await press('Visits');
  expect(sortedBy()).toEqual(['Visits']);
  expect((await rowsOf('Sources')).map(([name]) => name)).toEqual([
    ...['podcast', 'Direct', 'checkout', '4 more sources', '1 more source'],
  ]);
  const bars = panel.getAllByRole('row').map((row) => row.style.getPropertyValue('--share'));
  expect(bars).toEqual(['', '1', '0.075', '0', '0.2', '0']);
});

const podcast = { source: 'podcast', ...quiet, pageViews: 40, ctaClicks: 5, callsBooked: 1 };
const spring = { ...podcast, source: 'podcast/email/spring', pageViews: 5 };
const withCampaigns = {
  ...podcast,
  campaigns: [
    { ...quiet, callsBooked: 0, merged: 2, pageViews: 3 },
    { ...spring, source: 'podcast//autumn', pageViews: 2 },
    spring,
  ],
};
const hero = { button: 'hero', ctaClicks: 5, callsBooked: 1, conversions: 0, revenue: 0 };
const audit = { ...hero, button: 'audit', conversions: 2, revenue: 194 };

test('buttons list clicks, calls, conversions and revenue by their place on the page', async () => {
  await openWith({
    sources: [podcast],
    buttons: [hero, audit, { ...hero, button: 'Thanks page' }],
  });
  expect(await rowsOf('Buttons')).toEqual([
    ['Audit checkout', '5', '1', '2', '$194.00'],
    ['Top of the page', '5', '1', '0', '$0.00'],
    ['Thanks page', '5', '1', '0', '$0.00'],
  ]);
});

test('buttons are listed up to the eighth, with the chosen one, and all on request', async () => {
  const buttons = Array.from({ length: 11 }, (_, i) => ({
    ...hero,
    button: `Button ${i + 1}`,
    ctaClicks: 20 - i,
  }));
  await openWith({ sources: [podcast], buttons });
  const names = async () => (await rowsOf('Buttons')).map(([name]) => name);
  const all = buttons.map(({ button }) => button);
  await press('Show all 11');
  expect(await names()).toEqual(all);
  await press('Button 10');
  await press('Show 8');
  expect(await names()).toEqual([...all.slice(0, 8), 'Button 10']);
});

/** The parameters of the last request for the insights. */
const requested = () => {
  const urls = vi.mocked(fetch).mock.calls.map(([url]) => String(url));
  const last = urls.findLast((url) => url.startsWith('/api/analytics/breakdown'));
  return Object.fromEntries(new URL(last ?? '', 'http://site.example').searchParams);
};
const chosen = () =>
  screen.getAllByRole('button', { name: /, remove filter$/ }).map(({ textContent }) => textContent);

test('campaigns of a source are shown on request, and filter the dashboard', async () => {
  await openWith({ days, sources: [withCampaigns, { ...podcast, source: undefined }] });
  const names = async () => (await rowsOf('Sources')).map(([name, visits]) => `${name} ${visits}`);
  expect(await names()).toEqual(['podcast 40', 'Direct 40']);
  const disclosure = () => screen.getByRole('button', { name: /^Campaigns of / });
  expect(disclosure().getAttribute('aria-expanded')).toBe('false');
  await press('Campaigns of podcast');
  expect(disclosure().getAttribute('aria-expanded')).toBe('true');
  await press('Visits');
  expect(await names()).toEqual([
    ...['podcast 40', 'email / spring 5', 'autumn 2'],
    ...['Without a campaign 30', '2 more campaigns 3', 'Direct 40'],
  ]);
  const bars = within(screen.getByRole('region', { name: 'Sources' }))
    .getAllByRole('row')
    .map((row) => row.style.getPropertyValue('--share'));
  expect(bars).toEqual(['', '1', '0.125', '0.05', '0.75', '0.075', '1']);
  await press('email / spring');
  await waitFor(() => expect(requested()).toMatchObject({ source: 'podcast/email/spring' }));
  expect(chosen()).toEqual(['Source: podcast / email / spring']);
  await press('Campaigns of podcast');
  expect(await names()).toEqual(['podcast 40', 'Direct 40']);
});

test('a campaign that the address chooses is shown below its source', async () => {
  mockAnalytics({
    dashboard: () => json({ summary, conversions: [] }),
    breakdown: () => json({ days, sources: [withCampaigns] }),
  });
  renderScreen(<DashboardPage />, { at: '/analytics?source=podcast/email/spring' });
  await screen.findByRole('button', { name: 'email / spring', pressed: true });
  expect(requested()).toMatchObject({ source: 'podcast/email/spring' });
});

test('source and button filter the dashboard until their chips are pressed', async () => {
  const stripe = { net: 1, ourNet: 1, checkedAt: '2026-11-04T12:00:00Z', lastEventAt: null };
  const fetched = mockAnalytics({
    dashboard: () => json({ summary, conversions: [], stripe }),
    breakdown: () =>
      json({
        days,
        sources: [podcast, { ...podcast, source: undefined }],
        buttons: [audit],
        excluded: { bot: 3 },
      }),
  });
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText(/The figures match\./);
  await screen.findByRole('button', { name: 'Direct' });

  await press('Direct');
  await waitFor(() => expect(requested()).toMatchObject({ source: 'direct' }));
  expect(chosen()).toEqual(['Source: Direct']);
  await press('podcast');
  await waitFor(() => expect(requested()).toMatchObject({ source: 'podcast' }));
  expect(chosen()).toEqual(['Source: podcast']);
  expect(screen.getByRole('button', { name: 'podcast' })).toBe(document.activeElement);
  expect(screen.getByRole('button', { name: 'podcast', pressed: true })).toBeTruthy();
  screen.getByRole('heading', { name: 'Page Views by day' });
  screen.getByText(/The other rows stay for comparison\.$/);
  screen.getByText(/The filter does not apply here/);
  screen.getByText(/^Cash and Stripe’s figures are of all sales\./);
  expect(screen.queryByText(/The figures match\./)).toBeNull();

  await press('Audit checkout');
  await waitFor(() => expect(requested()).toMatchObject({ source: 'podcast', button: 'audit' }));
  expect(chosen()).toEqual(['Source: podcast', 'Button: Audit checkout']);
  await press('Source: podcast, remove filter');
  await waitFor(() => expect(requested()).not.toHaveProperty('source'));
  expect(fetched.dashboard.mock.lastCall?.[0]).toContain('button=audit');
  await press('Audit checkout');
  await screen.findByText(/The figures match\./);
  expect(screen.queryByRole('button', { name: /remove filter/ })).toBeNull();
});

test('button has clicks, calls and sales, but no page views', async () => {
  const figures = { ...summary, pageViews: 0, conversionRate: 0, ctaConversionRate: 0 };
  mockAnalytics({
    dashboard: () => json({ summary: figures, conversions: [] }),
    breakdown: () =>
      json({
        days: days.map((day) => ({ ...day, pageViews: 0 })),
        sources: [podcast],
        buttons: [audit],
      }),
  });
  renderScreen(<DashboardPage />, { at: '/analytics?button=audit' });
  await screen.findByRole('heading', { name: 'CTA Clicks by day' });
  const steps = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  await waitFor(() =>
    expect(steps('Conversion Funnel')).toEqual([
      'Page Views–',
      'CTA Clicks100100.00%',
      'Conversions66.00%',
    ]),
  );
  screen.getByText('Page views belong to no button. Shares are of clicks.');
  expect(steps('Calls').slice(0, 3)).toEqual([
    '–Page ViewsUnique visits',
    '100Clicks',
    '1Booked1.00% of clicks',
  ]);
  expect(await rowsOf('Sources')).toEqual([['podcast', '5', '1', '0', '$0.00']]);
  const summaryCards = screen.getByLabelText('Summary').textContent;
  expect(summaryCards).toMatch(
    /^Page Views\?–.*CTA Clicks\?100Click-through rate.*6Conversion rate/,
  );
  await press('Page Views');
  await screen.findByText('Page views belong to no button');
});

const noFigures = { pageViews: null, ctaClicks: null, conversions: null, revenue: null };
/** A year ago sales were known, and visits not yet. */
const twoYears = {
  timeZone: 'Europe/London',
  months: Array.from({ length: 24 }, (_, i) => ({
    month: `${2024 + Math.floor((i + 11) / 12)}-${String(((i + 11) % 12) + 1).padStart(2, '0')}`,
    ...noFigures,
    ...(i >= 5 && { conversions: 10, revenue: 970 }),
    ...(i >= 14 && { pageViews: 100 * i, ctaClicks: i }),
  })),
  yearToDate: { pageViews: 12_000, ctaClicks: 200, conversions: 110, revenue: 26_367 },
  yearBefore: { ...noFigures, conversions: 60, revenue: 17_747 },
  comparedUntil: '2025-11-24',
  countedSince: '2026-02-12T12:00:00.000Z',
};

test('months show the chosen metric of two years, and the year to date', async () => {
  await openWith({ days }, summary, { months: twoYears });
  const panel = within(await screen.findByRole('region', { name: 'Months' }));
  const chart = panel.getByRole('slider', { name: 'Page Views by month' });
  panel.getByText('12,000');
  expect(panel.queryByText(/by Nov/)).toBeNull();
  panel.getByText(
    'Page Views by month, United Kingdom Time. November 2026 is not over yet. Visits are counted since Feb 12, 2026.',
  );
  chart.focus();
  expect(chart.getAttribute('aria-valuetext')).toBe('November 2026: 2,300');
  await userEvent.keyboard('{Home}');
  expect(chart.getAttribute('aria-valuetext')).toBe('December 2024: Not counted');

  await press('Revenue');
  panel.getByText('$26,367.00');
  panel.getByText(/^Up/);
  expect(panel.getByText(/from \$17,747/).parentElement?.textContent).toBe(
    'Up 49% from $17,747.00 by Nov\u00a024,\u00a02025',
  );
  panel.getByText('Revenue by month, United Kingdom Time. November 2026 is not over yet.');
  await userEvent.click(panel.getByRole('button', { name: 'Table' }));
  const rows = await rowsOf('Months');
  expect(rows).toHaveLength(19);
  expect(rows[0]).toEqual(['November 2026 (so far)', '$970.00', '$970.00']);
  expect(rows.slice(6, 8)).toEqual([
    ['May 2026', '$970.00', '$970.00'],
    ['April 2026', '$970.00', 'Not counted'],
  ]);
  expect(rows[18]).toEqual(['May 2025', '$970.00', '']);
});

test('months are hidden before the second one', async () => {
  const months = twoYears.months.map((month, i) => (i < 23 ? { ...month, ...noFigures } : month));
  await openWith({ days, excluded: { bot: 1 } }, summary, { months: { ...twoYears, months } });
  await screen.findByRole('region', { name: /^Not Counted/ });
  expect(screen.queryByRole('region', { name: 'Months' })).toBeNull();
});

test('views and clicks that are not counted are listed by reason', async () => {
  await openWith({ excluded: { bot: 1234, automated: 1, privacy: 7, owner: 4, outage: 2 } });
  const panel = await screen.findByRole('region', { name: /^Not Counted/ });
  expect([...panel.querySelectorAll('dl > div')].map((row) => row.textContent)).toEqual([
    'Bots1,234',
    'Automated browsers1',
    'Visitors who opted out7',
    'Your own visits4',
    'Lost in an outage2',
  ]);
  within(panel).getByText('1,248');
});

test.each([
  ['an empty response', {}],
  ['a null response', null],
  ['nulls', { days: null, sources: null, excluded: null }],
])('insights show nothing for %s', async (_, response) => {
  await openWith(response, { pageViews: 3 });
  expect(titles()).toEqual([
    'Page Views by day',
    'Conversion Funnel',
    'Calls',
    'Recent Conversions',
  ]);
});
