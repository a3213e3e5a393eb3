import { bytesOf, recordTransfers, requestsOf, visitWithoutInteraction } from './network-bytes.ts';
import { sendPageView } from './page-views.ts';
import { openDashboard } from './screens.ts';
import { expect, test } from './site.ts';

const kB = 1000;

test('the landing page stays within its budgets without interaction', async ({ page }) => {
  const transfers = await visitWithoutInteraction(page, '/');

  await test.step('at most 2 kB of JavaScript', () => {
    expect(bytesOf(transfers, 'Script')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Script')).toBeLessThanOrEqual(2 * kB);
  });

  await test.step('at most 14 kB of HTML and CSS', () => {
    expect(bytesOf(transfers, 'Document')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Document', 'Stylesheet')).toBeLessThanOrEqual(14 * kB);
  });

  await test.step('at most 45 kB of fonts', () => {
    expect(bytesOf(transfers, 'Font')).toBeGreaterThan(0);
    expect(bytesOf(transfers, 'Font')).toBeLessThanOrEqual(45 * kB);
  });

  await test.step('at most 5 requests, including the icon', async () => {
    expect(await requestsOf(page, transfers)).toHaveLength(5);
  });
});

test('the dashboard shows all panels with at most 150 kB of JavaScript', async ({ page, site }) => {
  // A site without visits shows first steps instead of panels.
  await sendPageView(page.request, site);
  const transfers = await recordTransfers(page);
  await openDashboard(page, site);
  await expect(page.getByRole('slider', { name: 'Page Views by day' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(bytesOf(transfers, 'Script')).toBeGreaterThan(50 * kB);
  expect(bytesOf(transfers, 'Script')).toBeLessThanOrEqual(150 * kB);
});
