import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { StripeReconciliation } from '../admin/report.ts';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, mockDashboard, renderScreen } from '../testing/screen.tsx';

afterEach(cleanup);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const matching: StripeReconciliation = {
  checkedAt: minutesAgo(12),
  lastEventAt: minutesAgo(3),
  net: 2910,
  ourNet: 2910,
  differing: 0,
  payments: [],
  alert: null,
};

/** The texts of the money panel for a response with this reconciliation. */
async function open(stripe: StripeReconciliation | null, summary = {}) {
  mockDashboard(() => json({ summary, stripe }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  const panel = await screen.findByRole('region', { name: 'Money' });
  return {
    rows: panel.querySelectorAll('dl > div').length,
    lines: [...panel.querySelectorAll('p')].map((line) => line.textContent),
    alerts: [...panel.querySelectorAll('[role=alert]')].map((line) => line.textContent),
  };
}

test('money panel says that the figures match without other rows', async () => {
  expect(await open(matching)).toEqual({
    rows: 0,
    lines: [
      'Stripe reports $2,910.00 for the last 30 days. The figures match. Last Stripe event: 3 minutes ago.',
    ],
    alerts: [],
  });
});

test('money panel shows the reconciliation below the revenue rows', async () => {
  const { rows, lines } = await open(matching, { totalRevenue: 900, refundedRevenue: 97 });
  expect([rows, lines.length]).toEqual([3, 1]);
});

test('money panel shows an alert with the payments that differ', async () => {
  const differing = { ...matching, ourNet: 2813, differing: 1, payments: ['pi_3TestA'] };
  expect(await open(differing)).toEqual({
    rows: 0,
    lines: [
      'Stripe reports $2,910.00 for the last 30 days. This site recorded $2,813.00. 1 payment differs: pi_3TestA. ' +
        'Check it in Stripe, then run npm run admin -- verify to recount.',
      'Last Stripe event: 3 minutes ago.',
    ],
    alerts: [expect.stringContaining('This site recorded')],
  });
});

test('money panel shows an alert when the totals differ without a differing payment', async () => {
  expect(await open({ ...matching, ourNet: 2813 })).toMatchObject({
    lines: [
      'Stripe reports $2,910.00 for the last 30 days. This site recorded $2,813.00. ' +
        'Run npm run admin -- verify to recount.',
      'Last Stripe event: 3 minutes ago.',
    ],
  });
});

test('money panel names three of many payments that differ', async () => {
  const payments = ['pi_1', 'pi_2', 'pi_3'];
  const { alerts } = await open({ ...matching, ourNet: 0, differing: 1234, payments });
  expect(alerts[0]).toContain('1,234 payments differ: pi_1, pi_2, pi_3 and more. Check them in');
});

test('money panel shows the age of an old comparison', async () => {
  expect((await open({ ...matching, checkedAt: minutesAgo(5 * 60) })).lines).toEqual([
    'Stripe reports $2,910.00 for the last 30 days. The figures match. Compared 5 hours ago. Last Stripe event: 3 minutes ago.',
  ]);
});

test('money panel shows the last Stripe event without a comparison', async () => {
  const notCompared = { checkedAt: null, net: null, ourNet: null };
  expect(await open({ ...matching, ...notCompared })).toMatchObject({
    lines: ['Last Stripe event: 3 minutes ago.'],
  });
  cleanup();
  expect(await open({ ...matching, ...notCompared, lastEventAt: null })).toMatchObject({
    lines: ['No Stripe event received yet.'],
  });
});

test('money panel is hidden without content', async () => {
  mockDashboard(() => json({ summary: {}, stripe: null }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText('No conversions yet');
  expect(screen.queryByText('Money')).toBeNull();
});

test('money panel tolerates a response with missing fields', async () => {
  expect(await open({})).toMatchObject({ lines: ['No Stripe event received yet.'] });
});
