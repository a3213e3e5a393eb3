import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json, renderScreen, visited } from '../testing/screen.tsx';
import { DashboardPage } from './page.tsx';

const startDate = '2026-01-01T00:00:00.000Z';
const asOf = '2026-01-31T12:00:00.000Z';
const summary = { pageViews: 130, ctaClicks: 1, conversions: 1, totalRevenue: 97 };

/** The responses of the rows requests, in order, and the parameters they were sent. */
let responses: (() => Response | Promise<Response>)[];
let requested: Record<string, string>[];

beforeEach(() => {
  requested = [];
  responses = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL(String(input), 'http://site.example');
    if (pathname === '/api/analytics/rows') {
      requested.push(Object.fromEntries(searchParams));
      return responses.shift()?.() ?? json({ error: 'Too many calls.' }, 500);
    }
    return json({ summary, conversions: [], startDate, asOf });
  });
});
afterEach(cleanup);

const view = (n: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 20, 0, n)).toISOString() });
const views = (n: number, next?: string) => () =>
  json({
    kind: 'page_view',
    rows: Array.from({ length: n }, (_, i) => view(i)),
    counted: 130,
    startDate,
    asOf,
    ...(next && { next }),
  });

async function openRowsOf(name: string) {
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await userEvent.click(screen.getByRole('button', { name }));
  const button = await screen.findByRole('button', { name: 'All rows' });
  await userEvent.click(button);
  return { button, dialog: within(await screen.findByRole('dialog')) };
}

test('rows dialog loads page after page in the window of the figure', async () => {
  responses = [views(100, 'next-1'), views(30)];
  const { button, dialog } = await openRowsOf('Page Views');
  expect(dialog.getByRole('heading').textContent).toBe('Page Views: 130');
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(100));
  dialog.getByText(/^130 page views\./);
  dialog.getByText('Showing the newest 100.');
  const link = dialog.getByRole('link', { name: /^Download as CSV/ });
  expect(link.getAttribute('href')).toBe(
    `/api/analytics/activity.csv?${new URLSearchParams({ startDate, asOf })}`,
  );

  await userEvent.click(dialog.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(130));
  expect(requested).toEqual([
    { kind: 'page_view', startDate, asOf },
    { kind: 'page_view', startDate, asOf, after: 'next-1' },
  ]);
  expect(dialog.queryByRole('button', { name: 'Show more' })).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Showing all 130.'));

  await userEvent.click(dialog.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(button.isConnected).toBe(true);
});

test('revenue lists its sales and counts the refunded ones separately', async () => {
  const sale = { timestamp: view(1).timestamp, conversionValue: 9700, currency: 'USD' };
  responses = [
    () =>
      json({
        kind: 'sale',
        counted: 1,
        rows: [
          { ...sale, id: 'b', refunded: 9700, isGivenBack: true },
          { ...sale, id: 'a', email: 'ada@studio.example', source: 'podcast' },
        ],
      }),
  ];
  const { dialog } = await openRowsOf('Revenue');
  const rows = await dialog.findAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.replace(/Jan.*[AP]M/, ' … '))).toEqual([
    'Anonymous … Source: Direct$97.00Refunded',
    'ada@studio.example … Source: podcast$97.00',
  ]);
  dialog.getByText(/^1 conversion\./);
  dialog.getByText('Showing all 2. Fully refunded, not counted: 1.');
  expect(requested).toEqual([{ kind: 'sale', startDate, asOf }]);
  expect(dialog.getByRole('link').getAttribute('href')).toMatch(/^\/api\/analytics\/sales\.csv\?/);
});

test('figure of zero has no list of rows, unless its sales were refunded', async () => {
  const none = { pageViews: 0, ctaClicks: 0, conversions: 0, totalRevenue: 0, refundedRevenue: 97 };
  vi.mocked(fetch).mockImplementation(async () =>
    json({ summary: none, conversions: [], startDate, asOf }),
  );
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText('No conversions yet');
  expect(screen.queryByRole('button', { name: 'All rows' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Revenue' }));
  await screen.findByRole('button', { name: 'All rows' });
});

test('CTA click shows its button', async () => {
  responses = [
    () => json({ kind: 'cta_click', counted: 1, rows: [{ ...view(0), button: 'hero' }] }),
  ];
  const { dialog } = await openRowsOf('CTA Clicks');
  expect((await dialog.findByRole('listitem')).textContent).toMatch(
    /Source: DirectButton: Top of the page$/,
  );
  dialog.getByText(/^1 CTA click\./);
});

test('rows dialog retries a page that failed', async () => {
  const fails = () => json({ error: 'Our fault.' }, 500);
  responses = [fails, views(100, 'next-1'), fails, views(30)];
  const { dialog } = await openRowsOf('Page Views');
  const tryAgain = () => dialog.findByRole('button', { name: 'Try again' });
  dialog.getByText('Could not load the rows.');
  await userEvent.click(await tryAgain());
  await userEvent.click(await dialog.findByRole('button', { name: 'Show more' }));
  await userEvent.click(await tryAgain());
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(130));
});

test.each([
  ['first', []],
  ['second', [views(100, 'next-1')]],
])(
  'rows dialog keeps “Try again” and its focus while it retries the %s page',
  async (_, loaded) => {
    let finish = () => {};
    const later = new Promise<void>((resolve) => (finish = resolve));
    const fails = () => json({ error: 'Our fault.' }, 500);
    responses = [...loaded, fails, () => later.then(views(30))];
    const { dialog } = await openRowsOf('Page Views');
    if (loaded.length > 0) {
      await userEvent.click(await dialog.findByRole('button', { name: 'Show more' }));
    }
    const tryAgain = await dialog.findByRole('button', { name: 'Try again' });
    await userEvent.click(tryAgain);
    await waitFor(() => expect(tryAgain.getAttribute('aria-busy')).toBe('true'));
    expect(tryAgain.isConnected).toBe(true);
    expect(tryAgain.textContent).toBe('Try again');
    expect(document.activeElement).toBe(tryAgain);
    finish();
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Showing all \d+\.$/));
  },
);

test('rows dialog redirects to /admin when the session has ended', async () => {
  responses = [() => json({ error: 'Unauthorized' }, 401)];
  await openRowsOf('Conversions');
  await waitFor(() => expect(visited).toContain('/admin'));
});
