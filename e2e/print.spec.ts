/** What a print or PDF of each screen and page holds. */
import type { Locator, Page } from '@playwright/test';
import { config } from './config.ts';
import { openDashboard, wide } from './screens.ts';
import { expect, testOnEmptySite as test } from './site.ts';

test.use({ viewport: wide });

const panel = (page: Page, name: string) => page.getByRole('region', { name });

/** The visible texts of elements, in their order. */
const shown = (all: Locator) => all.filter({ visible: true }).allInnerTexts();

test('printed screens have the names of all rows and columns, and no controls', {
  tag: '@long',
}, async ({ page, emptySite }) => {
  await emptySite.admin('demo');
  await openDashboard(page, emptySite);

  await test.step('the dashboard', async () => {
    await page.goto('/analytics?source=newsletter');
    await expect(panel(page, 'Sources').getByRole('row').nth(1)).toBeVisible();
    await page.emulateMedia({ media: 'print' });
    const columns = ['Source', 'Visits', 'Clicks', 'Calls', 'Sales', 'Revenue'];
    expect(await shown(panel(page, 'Sources').getByRole('columnheader'))).toEqual(columns);
    const names = await shown(panel(page, 'Sources').getByRole('rowheader'));
    expect(names).toContain('newsletter');
    expect(names).toContain('Direct');
    await expect(page.getByText('Source: newsletter', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('Data from last 30 days')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Period' })).toBeHidden();
    for (const name of ['Logout', 'Refresh', 'All rows', 'Table']) {
      await expect(page.getByRole('button', { name }).first()).toBeHidden();
    }
    const bars = panel(page, 'Months').locator('[data-year]:not([data-running])');
    await expect(bars.last()).toHaveCSS('background-image', /gradient/);
  });

  await test.step('messages', async () => {
    await page.emulateMedia({ media: null });
    await page.goto('/analytics/messages');
    await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible();
    const senders = page.getByRole('heading', { level: 3 });
    const onScreen = await shown(senders);
    await page.emulateMedia({ media: 'print' });
    expect(onScreen.length).toBeGreaterThan(1);
    expect(await shown(senders)).toEqual(onScreen);
    await expect(page.getByRole('search')).toBeHidden();
  });

  await test.step('bookings', async () => {
    await page.goto('/analytics/bookings');
    await expect(page.getByRole('link', { name: 'Lena Brandt' }).first()).toBeVisible();
    for (const name of ['Calendar feed', 'Block a time']) {
      await expect(page.getByText(name, { exact: true })).toBeHidden();
    }
  });

  await test.step('settings', async () => {
    await page.goto('/analytics/settings/launch');
    await expect(page.getByText('PUBLIC_URL is not set.')).toBeVisible();
    await expect(page.locator('button').filter({ visible: true })).toHaveCount(0);
  });
});

test('printed public pages have their whole text, and no controls', { tag: '@long' }, async ({
  page,
}) => {
  await page.emulateMedia({ media: 'print' });
  await page.goto('/');
  for (const { answer } of config.faq.items) {
    await expect(page.getByText(answer.slice(0, 40)).first()).toBeVisible();
  }
  for (const path of ['/', '/privacy', '/imprint', '/book/strategy-call']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('button').filter({ visible: true })).toHaveCount(0);
    await expect(page.getByText(config.labels.skip)).toBeHidden();
  }
});
