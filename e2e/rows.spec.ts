/** The rows behind a figure of the dashboard. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { sendPageView } from './page-views.ts';
import { reportSale } from './sales.ts';
import { openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, testOnEmptySite as test } from './site.ts';

test.use({ viewport: wide });

/** Chooses a figure for the chart and returns the button that lists its rows. */
async function rowsButton(page: Page, name: string) {
  await page.getByLabel('Summary').getByRole('button', { name, exact: true }).click();
  return page.getByRole('button', { name: 'All rows' });
}

test('the revenue opens the list of its sales by keyboard, and Esc closes it', async ({
  page,
  request,
  emptySite,
}) => {
  const sell = (n: number) =>
    reportSale(request, emptySite, {
      id: `sale-${String(n).padStart(3, '0')}`,
      amount: 100 * n,
      email: `a.buyer.with.a.rather.long.name${n}@some-long-studio-name.example`,
      source: 'newsletter',
      timestamp: new Date(Date.now() - (200 - n) * 60_000).toISOString(),
    });
  await Promise.all(Array.from({ length: 120 }, (_, i) => sell(i + 1)));
  await openDashboard(page, emptySite);
  await expect(page.getByLabel('Summary').getByText('$7,260.00')).toBeVisible();
  const revenue = await rowsButton(page, 'Revenue');
  await revenue.focus();
  await page.keyboard.press('Enter');
  const rows = page.getByRole('dialog', { name: 'Revenue: $7,260.00' });
  await expect(rows.getByRole('heading')).toBeFocused();
  await expect(rows.getByText(/^120 conversions\./)).toBeVisible();
  await expect(rows.getByRole('listitem')).toHaveCount(100);
  await expect(rows.getByRole('listitem').first()).toContainText('name120@');
  await expectAccessibleOnAllScreens(page, 'the rows');

  await rows.getByRole('button', { name: 'Show more' }).focus();
  await page.keyboard.press('Enter');
  await expect(rows.getByRole('listitem')).toHaveCount(120);
  await expect(rows.getByRole('listitem').last()).toContainText('name1@');
  await expect(rows.getByText('Showing all 120.')).toBeFocused();
  for (const [width, margin] of [
    [360, 0],
    [700, 16],
    [900, 16],
    [1280, 16],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    const box = await rows.boundingBox();
    if (!box) throw new Error('The dialog is not visible.');
    const margins = [box.x, box.y, width - box.x - box.width, 740 - box.y - box.height];
    expect(Math.min(...margins), `margin at ${width} px`).toBeGreaterThanOrEqual(margin);
    const overflowing = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('dialog')]
        .filter((box) => box.scrollWidth > box.clientWidth)
        .map((box) => box.tagName),
    );
    expect(overflowing, `at ${width} px`).toEqual([]);
  }

  await page.keyboard.press('Escape');
  await expect(rows).toHaveCount(0);
  await expect(revenue).toBeFocused();
});

test('the list of a figure excludes later sales, and downloads as CSV', async ({
  page,
  request,
  emptySite,
}) => {
  await reportSale(request, emptySite, { id: 'a', amount: 1999, email: '=cmd@evil.example' });
  await openDashboard(page, emptySite);
  await reportSale(request, emptySite, { id: 'b', amount: 500 });
  await (await rowsButton(page, 'Conversions')).click();
  const rows = page.getByRole('dialog', { name: 'Conversions: 1' });
  await expect(rows.getByRole('listitem')).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await rows.getByRole('link', { name: 'Download as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^sales-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.trimEnd().split('\n')).toEqual([
    'id,amount,currency,email,source,timestamp,refunded,disputed,first_source,button',
    expect.stringMatching(/^a,1999,USD,'=cmd@evil\.example,,[^,]+Z,0,0,,$/),
  ]);
});

test('a list whose code cannot be loaded asks for a reload, and the figures are printed', async ({
  page,
  emptySite: site,
  consoleErrors,
}) => {
  await sendPageView(page.request, site);
  await openDashboard(page, site);
  await page.route(/\/assets\/rows-dialog-/, (route) => route.abort());
  await (await rowsButton(page, 'Page Views')).click();
  await expect(page.getByRole('alert')).toHaveText('Could not load the list. Reload the page.');
  await expectConsoleError(consoleErrors, /ERR_FAILED/);
  await expectConsoleError(consoleErrors, /dynamically imported module/);

  await page.emulateMedia({ media: 'print' });
  await expect(
    page.getByLabel('Summary').getByRole('button', { name: 'Page Views' }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
});
