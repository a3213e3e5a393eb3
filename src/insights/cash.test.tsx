import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, mockDashboard, renderScreen } from '../testing/screen.tsx';

afterEach(cleanup);

const nothing = { taken: 0, refunded: 0, lost: 0, tax: 0, fees: null };

/** The rows below “Cash of this period”, list by list. */
async function open(cash: object[]) {
  mockDashboard(() => json({ summary: { totalRevenue: 97 }, cash }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByRole('heading', { name: 'Cash of this period' });
  const panel = screen.getByRole('region', { name: 'Money' });
  return [...panel.querySelectorAll('dl')]
    .slice(1)
    .map((list) => [...list.children].map((row) => row.textContent));
}

test('cash view lists what moved in the period, and what is left of it', async () => {
  const moved = { taken: 119_00, refunded: 20_00, lost: 30_00, tax: 19_00, fees: 3_10 };
  expect(await open([{ currency: 'EUR', ...moved }])).toEqual([
    [
      'Taken in€119.00',
      'Refunded-€20.00',
      'Lost to disputes-€30.00',
      'Stripe’s fees-€3.10',
      'Net cash€65.90',
      'Tax in these sales€19.00',
    ],
  ]);
  screen.getByText(/^By the date of each payment, refund, lost dispute and fee\./);
});

test('cash view leaves out what did not move, and names the currencies of several', async () => {
  expect(
    await open([
      { ...nothing, currency: 'USD', taken: 9700 },
      { ...nothing, currency: 'JPY', refunded: 12_000 },
    ]),
  ).toEqual([
    ['Taken in$97.00', 'Net cash$97.00'],
    ['Refunded-¥12,000', 'Net cash-¥12,000'],
  ]);
  const names = screen.getAllByRole('heading', { level: 4 }).map(({ textContent }) => textContent);
  expect(names).toEqual(['USD', 'JPY']);
});

test('cash view is hidden when only sales moved money', async () => {
  mockDashboard(() => json({ summary: {}, cash: [{ ...nothing, currency: 'USD', taken: 9700 }] }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText('No conversions yet');
  expect(screen.queryByText('Money')).toBeNull();
});
