import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { StripeReconciliation } from '../dashboard/dashboard-data.ts';
import { DashboardPage } from '../dashboard/page.tsx';
import { answerDashboard } from '../testing/dashboard-wire.ts';
import { json, renderScreen } from '../testing/screen.tsx';

afterEach(cleanup);

const before = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const agreeing: StripeReconciliation = {
  checkedAt: before(12),
  lastEventAt: before(3),
  net: 2910,
  ourNet: 2910,
  differing: 0,
  payments: [],
  trouble: null,
};

/** What the panel says under its title when the server answers this of Stripe. */
async function open(stripe: StripeReconciliation | null, summary = {}) {
  answerDashboard(() => json({ summary, stripe }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  const panel = await screen.findByRole('region', { name: 'Money' });
  return {
    rows: panel.querySelectorAll('dl > div').length,
    lines: [...panel.querySelectorAll('p')].map((line) => line.textContent),
    alerts: [...panel.querySelectorAll('[role=alert]')].map((line) => line.textContent),
  };
}

test('says that Stripe says the same, though there is nothing else to say', async () => {
  expect(await open(agreeing)).toEqual({
    rows: 0,
    lines: [
      'Stripe reports $2,910.00 for the last 30 days. The figures match. Last Stripe event: 3 minutes ago.',
    ],
    alerts: [],
  });
});

test('says it beside what the revenue is made of', async () => {
  const { rows, lines } = await open(agreeing, { totalRevenue: 900, refundedRevenue: 97 });
  expect([rows, lines.length]).toEqual([3, 1]);
});

test('raises an alarm when both say different things, and says what to look for', async () => {
  const differing = { ...agreeing, ourNet: 2813, differing: 1, payments: ['pi_3TestA'] };
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

test('names three of many', async () => {
  const payments = ['pi_1', 'pi_2', 'pi_3'];
  const { alerts } = await open({ ...agreeing, ourNet: 0, differing: 1234, payments });
  expect(alerts[0]).toContain('1,234 payments differ: pi_1, pi_2, pi_3 and more. Check them in');
});

test('says how old the last comparison is', async () => {
  expect((await open({ ...agreeing, checkedAt: before(5 * 60) })).lines).toEqual([
    'Stripe reports $2,910.00 for the last 30 days. The figures match. Compared 5 hours ago. Last Stripe event: 3 minutes ago.',
  ]);
});

test('says when Stripe was last heard of where it only delivers', async () => {
  const silent = { checkedAt: null, net: null, ourNet: null };
  expect(await open({ ...agreeing, ...silent })).toMatchObject({
    lines: ['Last Stripe event: 3 minutes ago.'],
  });
  cleanup();
  expect(await open({ ...agreeing, ...silent, lastEventAt: null })).toMatchObject({
    lines: ['No Stripe event received yet.'],
  });
});

test('is not there where nothing is to be said', async () => {
  answerDashboard(() => json({ summary: {}, stripe: null }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText('No conversions yet');
  expect(screen.queryByText('Money')).toBeNull();
});

test('makes do with an answer that misses parts', async () => {
  expect(await open({})).toMatchObject({ lines: ['No Stripe event received yet.'] });
});
