import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { DashboardPage } from '../dashboard/page.tsx';
import { json, renderScreen } from '../testing/screen.tsx';

afterEach(cleanup);

const sale = (id: string) => ({
  id,
  conversionValue: 9700,
  currency: 'USD',
  email: 'ada@example.com',
  timestamp: '2026-03-01T12:00:00Z',
});
const pair = (...ids: string[]) => ({ sales: ids.map(sale) });

/** Opens the dashboard with doubts until they are decided. Returns the bodies of the decisions. */
async function open(doubts: object[], decide = () => json({ ok: true })) {
  const sent: unknown[] = [];
  let open = doubts;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (String(input).startsWith('/api/analytics/breakdown')) return new Promise(() => {});
    if (!String(input).startsWith('/api/analytics/doubts')) return json({ doubts: open });
    const body = JSON.parse(String(init?.body));
    sent.push(body);
    const response = decide();
    // To count a pair once settles all others in these tests.
    const isOther = (one: object) => JSON.stringify(one) !== JSON.stringify(pair(...body.sales));
    if (response.ok) open = body.isOneSale === false ? open.filter(isOther) : [];
    if (response.ok && body.isOneSale === null) open = doubts;
    return response;
  });
  renderScreen(<DashboardPage />, { at: '/analytics' });
  const panel = within(await screen.findByRole('region', { name: 'Same sale twice?' }));
  return { panel, sent };
}

test('doubts panel counts a pair once, keeps it and undoes the decision', async () => {
  const { panel, sent } = await open([pair('pi_1', 'zap-1')]);
  panel.getByText('ada@example.com, $97.00');
  panel.getByText('“Count once” keeps pi_1 and drops zap-1.');
  await userEvent.click(panel.getByRole('button', { name: 'Count once' }));
  const status = await panel.findByText('Counted once: pi_1 stays.');
  expect(document.activeElement).toBe(status);
  await userEvent.click(panel.getByRole('button', { name: 'Undo' }));
  const undone = await panel.findByText('Undone. Both count until you decide.');
  expect(document.activeElement).toBe(undone);
  panel.getByRole('button', { name: 'Both are sales' });
  const sales = ['pi_1', 'zap-1'];
  expect(sent).toEqual([
    { sales, isOneSale: true },
    { sales, isOneSale: null },
  ]);
});

test('doubts panel decides pairs one by one', async () => {
  const { panel, sent } = await open([pair('a', 'b'), pair('c', 'd')]);
  const [, second] = panel.getAllByRole('button', { name: 'Both are sales' });
  if (second) await userEvent.click(second);
  await panel.findByText('Counted as two sales.');
  panel.getByRole('button', { name: 'Count once' });
  expect(sent).toEqual([{ sales: ['c', 'd'], isOneSale: false }]);
});

test('doubts panel leaves out a pair that another decision settled', async () => {
  const { panel } = await open([pair('a', 'b'), pair('a', 'c')]);
  const [first] = panel.getAllByRole('button', { name: 'Count once' });
  if (first) await userEvent.click(first);
  await panel.findByText(/^Counted once/);
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(1));
  panel.getByRole('button', { name: 'Undo' });
});

test('doubts panel describes each button by the buyer and amount of its pair', async () => {
  const { panel } = await open([pair('a', 'b'), pair('c', 'd')]);
  for (const button of panel.getAllByRole('button')) {
    const description = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toBe('ada@example.com, $97.00');
    expect(button.closest('li')?.contains(description)).toBe(true);
  }
});

test('doubts panel keeps a pair and shows why its decision failed', async () => {
  const sentence = 'These two sales are not in doubt any more. Please reload the page.';
  const { panel } = await open([pair('a', 'b')], () =>
    json({ error: sentence, code: 'DOUBT_NOT_FOUND' }, 404),
  );
  await userEvent.click(panel.getByRole('button', { name: 'Count once' }));
  await waitFor(() => expect(panel.getByRole('status').textContent).toBe(sentence));
  panel.getByRole('button', { name: 'Count once' });
});

test('doubts panel is hidden without doubts', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => json({ doubts: [] }));
  renderScreen(<DashboardPage />, { at: '/analytics' });
  await screen.findByText('No conversions yet');
  expect(screen.queryByText('Same sale twice?')).toBeNull();
});
