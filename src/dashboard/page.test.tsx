import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { json, mockDashboard, mockFetch, renderScreen, visited } from '../testing/screen.tsx';
import { DashboardPage } from './page.tsx';

// Loads the code of the panels ahead.
beforeAll(() => import('../insights/panels.tsx'));

afterEach(cleanup);

const summary = {
  pageViews: 1234,
  ctaClicks: 155,
  checkoutOpens: 40,
  conversions: 12,
  totalRevenue: 1994.5,
  conversionRate: 0.9724473,
  ctaConversionRate: 12.5607779,
};

const sale = (id: number, more: object = {}) => ({
  id: `sale-${id}`,
  timestamp: new Date(2026, 0, 31, 14, id).toISOString(),
  conversionValue: 9700,
  currency: 'USD',
  ...more,
});

const open = () => renderScreen(<DashboardPage />, { at: '/analytics' });

async function openWith(response: unknown) {
  const fetch = mockDashboard(() => json(response));
  open();
  await waitFor(() => expect(document.querySelector('header [aria-busy=false]')).not.toBeNull());
  return fetch;
}

const panel = (name: string) => within(screen.getByRole('region', { name }));
const card = (name: string) =>
  screen.getByRole('button', { name }).closest('dl > div')?.textContent;

test('dashboard shows its titles, buttons and periods', async () => {
  await openWith({ summary, conversions: [] });
  const title = screen.getByRole('heading', { level: 1 });
  expect(title.textContent).toBe('Analytics Dashboard');
  screen.getByText('Email Deliverability Audit Sales Performance');
  screen.getByRole('button', { name: 'Refresh' });
  screen.getByRole('button', { name: 'Logout' });
  const group = within(screen.getByRole('group', { name: 'Period' }));
  const radios = group.getAllByRole<HTMLInputElement>('radio');
  expect(radios.map((radio) => [radio.labels?.[0]?.textContent, radio.checked])).toEqual([
    ['Last 7 days', false],
    ['Last 30 days', true],
    ['Last 90 days', false],
  ]);
  const links = within(screen.getByRole('navigation', { name: 'Screens' })).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('aria-current')])).toEqual([
    ['Dashboard', 'page'],
    ['Bookings', null],
    ['Messages', null],
    ['Site', null],
    ['Settings', null],
  ]);
  screen.getByText('No problems found');
});

test('dashboard shows the four summary cards', async () => {
  await openWith({ summary, conversions: [] });
  expect(card('Page Views')).toBe('Page Views?1,234Unique landing page visits');
  expect(card('CTA Clicks')).toBe('CTA Clicks?15512.56% click-through rate');
  expect(card('Conversions')).toBe('Conversions?120.97% conversion rate');
  expect(card('Revenue')).toBe('Revenue?$1,994.50Total beta sales revenue');
});

test('dashboard shows revenue in the owner’s currency and says how many sales are in others', async () => {
  await openWith({
    currency: 'EUR',
    summary,
    conversions: [],
    otherCurrencies: [
      { currency: 'JPY', conversions: 2, revenue: 12000 },
      { currency: 'USD', conversions: 1, revenue: 9700 },
    ],
  });
  expect(card('Conversions')).toBe('Conversions?120.97% conversion rate, 2 sales in JPY, 1 in USD');
  expect(card('Revenue')).toBe('Revenue?€1,994.50Total beta sales revenue');
  const money = await screen.findByRole('region', { name: 'Money' });
  const rows = [...money.querySelectorAll('dl > div')];
  expect(rows.map((row) => row.textContent)).toEqual([
    'Gross sales€1,994.50',
    'Refunds and lost disputes€0.00',
    'Revenue€1,994.50',
    'Revenue in JPY (2 sales)¥12,000',
    'Revenue in USD (1 sale)$97.00',
  ]);
});

test('funnel lists its steps as text and hides its bars from screen readers', async () => {
  await openWith({ summary, conversions: [] });
  const steps = panel('Conversion Funnel').getAllByRole('listitem');
  expect(steps.map((step) => step.textContent)).toEqual([
    'Page Views1,234100%',
    'CTA Clicks15512.56%',
    'Conversions120.97%',
  ]);
  for (const step of steps) {
    expect(step.lastElementChild?.getAttribute('aria-hidden')).toBe('true');
  }
});

test('recent conversions lists the first ten and shows the count of all', async () => {
  const conversions = [
    sale(1, { email: 'ada@studio.example', source: 'newsletter' }),
    sale(2),
    sale(3, { email: '', source: '', currency: 'JPY', conversionValue: 12000 }),
    ...Array.from({ length: 9 }, (_, i) => sale(10 + i)),
  ];
  await openWith({ summary, conversions });
  const rows = panel('Recent Conversions').getAllByRole('listitem');
  expect(rows).toHaveLength(10);
  expect(rows.slice(0, 3).map((row) => row.textContent)).toEqual([
    'ada@studio.exampleJan 31, 2026, 2:01 PMSource: newsletter$97.00',
    'AnonymousJan 31, 2026, 2:02 PMSource: Direct$97.00',
    'AnonymousJan 31, 2026, 2:03 PMSource: Direct¥12,000',
  ]);
  panel('Recent Conversions').getByText('12');
  expect(screen.queryByText('No conversions yet')).toBeNull();
});

test('conversion shows what was refunded or disputed', async () => {
  const states = [{ refunded: 9700 }, { refunded: 2000, disputed: 1000 }, { disputed: 9700 }];
  await openWith({ summary, conversions: states.map((state, i) => sale(i + 1, state)) });
  const rows = panel('Recent Conversions').getAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.replace(/.*\$97\.00/, ''))).toEqual([
    'Refunded',
    '$20.00 refunded$10.00 disputed',
    'Disputed',
  ]);
});

test('money panel appears with refunds, disputes or other currencies', async () => {
  await openWith({ summary });
  expect(screen.queryByText('Money')).toBeNull();
  cleanup();
  await openWith({
    summary: { ...summary, totalRevenue: 900, refundedRevenue: 97, disputedRevenue: 50 },
    otherCurrencies: [{ currency: 'JPY', conversions: 2, revenue: 12000 }],
    otherSales: [{ currency: 'USD', conversions: 1, revenue: 350000 }],
  });
  const money = await screen.findByRole('region', { name: 'Money' });
  const rows = [...money.querySelectorAll('dl > div')].map((row) => row.textContent);
  expect(rows).toEqual([
    'Gross sales$997.00',
    'Refunds and lost disputes-$97.00',
    'Revenue$900.00',
    'Of this, in open disputes$50.00',
    'Revenue in JPY (2 sales)¥12,000',
    'Other sales, not counted (1)$3,500.00',
  ]);
});

test('dashboard shows the owner alert of the nightly check', async () => {
  await openWith({ summary, alert: 'Last night’s check found 2 figures that do not add up.' });
  expect(screen.getByRole('alert').textContent).toMatch(/2 figures/);
  expect(screen.queryByText('No problems found')).toBeNull();
});

test('hint shows the 95% confidence interval when there is a rate', async () => {
  // The interval is from Newcombe's paper (see wilson.test.ts). More sales than views are no rate.
  await openWith({ summary: { ...summary, pageViews: 148, ctaClicks: 15, conversions: 149 } });
  const about = async (name: string) => {
    const hint = screen.getByRole('button', { name: `About ${name}` });
    fireEvent.pointerOver(hint, { pointerType: 'mouse' });
    fireEvent.pointerMove(hint, { pointerType: 'mouse' });
    await waitFor(() => expect(hint.hasAttribute('aria-describedby')).toBe(true), {
      timeout: 10_000,
    });
    const text = document.getElementById(hint.getAttribute('aria-describedby') ?? '')?.textContent;
    fireEvent.pointerLeave(hint, { pointerType: 'mouse' });
    await waitFor(() => expect(hint.hasAttribute('aria-describedby')).toBe(false));
    return text;
  };
  expect(await about('CTA Clicks')).toMatch(/\. 95% confidence: 6\.24%–16\.05%$/);
  expect(await about('Conversions')).toBe('The rate is sales in all currencies per 100 page views');
});

test('recent conversions shows its empty state without conversions', async () => {
  await openWith({ summary: { ...summary, conversions: 0 }, conversions: [] });
  panel('Recent Conversions').getByText('No conversions yet');
  panel('Recent Conversions').getByText('Start promoting your landing page to see results!');
});

test.each([
  ['an empty response', {}],
  ['a null response', null],
  ['an empty summary', { summary: {} }],
  ['nulls', { summary: { pageViews: null, totalRevenue: null }, conversions: null }],
])('figures missing from %s are shown as 0', async (_, response) => {
  await openWith(response);
  expect(card('Page Views')).toContain('?0Unique');
  expect(card('CTA Clicks')).toContain('?00.00% click');
  expect(card('Conversions')).toContain('?00.00% conversion');
  expect(card('Revenue')).toContain('?$0.00Total');
  screen.getByText('No conversions yet');
});

test('conversion without any field is listed', async () => {
  await openWith({ conversions: [{}] });
  const [row] = panel('Recent Conversions').getAllByRole('listitem');
  expect(row?.textContent).toBe('AnonymousSource: Direct$0.00');
});

test('dashboard shows no figure until the first response', async () => {
  let finish = (_: Response) => {};
  mockDashboard(() => new Promise((resolve) => (finish = resolve)));
  open();
  screen.getByText('Loading');
  expect(card('Page Views')).not.toMatch(/[1-9]/);
  expect(screen.getByLabelText('Summary').hasAttribute('data-loading')).toBe(true);
  expect(screen.queryByText('No conversions yet')).toBeNull();
  expect(document.querySelector('time')).toBeNull();
  await waitFor(() => expect(fetch).toHaveBeenCalled());
  finish(json({ summary }));
  await screen.findByText('12.56% click-through rate');
  expect(screen.getByLabelText('Summary').hasAttribute('data-loading')).toBe(false);
});

test.each([
  ['succeeds', () => json({ ok: true })],
  ['fails', () => json({ error: 'Our fault.' }, 500)],
  ['gets no response', () => Promise.reject(new TypeError('Failed to fetch'))],
])('Logout navigates to /admin when the request %s', async (_, respond) => {
  await openWith({ summary });
  const fetch = mockFetch(respond);
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await waitFor(() => expect(visited).toEqual(['/analytics', '/admin']));
  const [address, init] = fetch.mock.lastCall ?? [];
  expect(address).toBe('/api/admin/logout');
  expect(init).toMatchObject({ method: 'POST', credentials: 'include' });
  expect(init?.body).toBeUndefined();
});

test('calls panel leads from views to booked calls, and lists the next ones in the owner’s zone', async () => {
  const next = {
    id: 'b1',
    call: 'inbox-review',
    name: 'Mateo Silva',
    start: '2026-01-31T08:20:00.000Z',
  };
  await openWith({
    summary: { ...summary, callsBooked: 20 },
    calls: { cancelled: 2, soon: 4, timeZone: 'Asia/Kathmandu', next: [next] },
  });
  const rows = panel('Calls').getAllByRole('listitem');
  expect(rows.map((row) => row.textContent)).toEqual([
    '1,234Page ViewsUnique visits',
    '155Clicks12.56% of views',
    '20Booked12.90% of clicks',
    '2Cancelled10.00% of booked',
    'Sat, Jan 31, 2:05 PMMateo SilvaInbox review',
  ]);
  panel('Calls').getByText('4 in the next 7 days');
  panel('Calls').getByText('3 more in the next 7 days');
  const link = panel('Calls').getByRole('link', { name: 'Mateo Silva' });
  expect(link.getAttribute('href')).toBe('/analytics/bookings?id=b1');
});

test('calls panel counts more calls of the next seven days than those it lists, as at Calendly', async () => {
  const next = [1, 8].map((days) => ({
    id: `b${days}`,
    call: 'strategy-call',
    name: `In ${days}`,
    start: new Date(Date.now() + days * 86_400_000).toISOString(),
  }));
  const calls = { cancelled: 0, soon: 4, timeZone: 'UTC' };
  await openWith({ summary, calls: { ...calls, next } });
  panel('Calls').getByText('3 more in the next 7 days');
  cleanup();
  await openWith({ summary, calls: { ...calls, next: [] } });
  panel('Calls').getByText('4 in the next 7 days');
  expect(panel('Calls').queryByText(/more/)).toBeNull();
});

test('dashboard links to exports of the period, and of all messages and bookings', async () => {
  const timeWindow = { startDate: '2026-01-01T00:00:00.000Z', asOf: '2026-01-31T00:00:00.000Z' };
  await openWith({ summary, conversions: [], ...timeWindow });
  const links = within(screen.getByRole('group', { name: 'Exports' })).getAllByRole('link');
  const query = new URLSearchParams(timeWindow);
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Sales of 30 days', `/api/analytics/sales.csv?${query}`],
    ['Activity of 30 days', `/api/analytics/activity.csv?${query}`],
    ['Stored messages', '/api/messages.csv'],
    ['Stored bookings', '/api/bookings.csv'],
  ]);
});
