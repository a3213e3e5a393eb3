import {
  bytesOf,
  isInsights,
  recordTransfers,
  requestsOf,
  visitWithoutInteraction,
} from './network-bytes.ts';
import { openDashboard } from './screens.ts';
import { expect, test } from './site.ts';

const kB = 1000;

test('the landing page stays within its budgets without interaction', async ({ page }) => {
  const transfers = await visitWithoutInteraction(page, '/');

  await test.step('at most 2 kB of JavaScript', () => {
    expect(bytesOf(transfers, 'Script')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Script')).toBeLessThanOrEqual(2 * kB);
  });

  await test.step('at most 12 kB of HTML and CSS', () => {
    expect(bytesOf(transfers, 'Document')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Document', 'Stylesheet')).toBeLessThanOrEqual(12 * kB);
  });

  await test.step('at most 45 kB of fonts', () => {
    expect(bytesOf(transfers, 'Font')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Font')).toBeLessThanOrEqual(45 * kB);
  });

  await test.step('at most 5 requests, including the icon', async () => {
    expect(await requestsOf(page, transfers)).toHaveLength(5);
  });
});

test('the dashboard shows its figures with at most 150 kB of JavaScript and loads the rest later', async ({
  page,
  site,
}) => {
  const transfers = await recordTransfers(page);
  await openDashboard(page, site);
  await expect.poll(() => transfers.filter(isInsights)).toHaveLength(1);
  const insights = transfers.filter(isInsights);
  const initial = bytesOf(transfers, 'Script') - bytesOf(insights, 'Script');
  expect(initial).toBeGreaterThan(50 * kB);
  expect(initial).toBeLessThanOrEqual(150 * kB);
});
