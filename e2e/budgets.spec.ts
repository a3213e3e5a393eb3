import { bytesOf, recordTransfers, requestsOf, visitWithoutInteraction } from './network-bytes.ts';
import { sendPageView } from './page-views.ts';
import { narrow, openDashboard } from './screens.ts';
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

test('the admin screens keep everything in its place when their data arrive', async ({
  page,
  site,
}) => {
  await page.setViewportSize(narrow);
  await page.addInitScript(() => {
    Reflect.set(window, 'shift', 0);
    new PerformanceObserver((list) => {
      const sum = list.getEntries().reduce((all, entry) => all + Reflect.get(entry, 'value'), 0);
      Reflect.set(window, 'shift', Reflect.get(window, 'shift') + sum);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await sendPageView(page.request, site);
  await openDashboard(page, site);
  for (const screen of ['', '/messages', '/bookings', '/site', '/settings']) {
    await page.goto(`/analytics${screen}`);
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(() => Reflect.get(window, 'shift')), screen).toBeLessThan(0.01);
  }
});

test('the editor adds at most 40 kB of JavaScript to that of the dashboard', async ({
  page,
  site,
}) => {
  await sendPageView(page.request, site);
  const transfers = await recordTransfers(page);
  await openDashboard(page, site);
  await page.waitForLoadState('networkidle');
  const before = bytesOf(transfers, 'Script');
  await page.getByRole('link', { name: 'Site', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Site' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const added = bytesOf(transfers, 'Script') - before;
  expect(added).toBeGreaterThan(10 * kB);
  expect(added).toBeLessThanOrEqual(40 * kB);
});
