/** Every figure of the dashboard opens to the rows that make it. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { reportSale } from './sales.ts';
import { openDashboard } from './screens.ts';
import { expect, expectComplaint, testOnEmptySite as test } from './site.ts';

const figure = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`show the rows of ${name}$`) });

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`at ${width} px in ${colorScheme} colours`, () => {
      test.use({ viewport: { width, height: 740 }, colorScheme, reducedMotion: 'reduce' });

      test('the revenue opens to its sales by keyboard, and closes by Esc', async ({
        page,
        request,
        emptySite,
      }) => {
        for (let n = 1; n <= 120; n++) {
          await reportSale(request, emptySite, {
            id: `sale-${String(n).padStart(3, '0')}`,
            amount: 100 * n,
            email: `a.buyer.with.a.rather.long.name${n}@some-long-studio-name.example`,
            source: 'newsletter',
            timestamp: new Date(Date.now() - (200 - n) * 60_000).toISOString(),
          });
        }
        await openDashboard(page, emptySite);
        const revenue = figure(page, 'Revenue');
        await expect(revenue).toHaveText('$7,260.00');
        await revenue.focus();
        await page.keyboard.press('Enter');
        const rows = page.getByRole('dialog', { name: 'Revenue: $7,260.00' });
        await expect(rows.getByRole('heading')).toBeFocused();
        await expect(rows.getByText(/^120 conversions\./)).toBeVisible();
        await expect(rows.getByRole('listitem')).toHaveCount(100);
        await expect(rows.getByRole('listitem').first()).toContainText('name120@');
        await expectAccessible(page, 'the first page');

        await rows.getByRole('button', { name: 'Show more' }).focus();
        await page.keyboard.press('Enter');
        await expect(rows.getByRole('listitem')).toHaveCount(120);
        await expect(rows.getByRole('listitem').last()).toContainText('name1@');
        await expect(rows.getByText('That is all: 120.')).toBeFocused();
        await expectAccessible(page, 'the last page');
        const wider = await page.evaluate(() =>
          [document.documentElement, ...document.querySelectorAll('dialog')].filter(
            (box) => box.scrollWidth > box.clientWidth,
          ),
        );
        expect(wider).toEqual([]);

        await page.keyboard.press('Escape');
        await expect(rows).toHaveCount(0);
        await expect(revenue).toBeFocused();
      });
    });
  }
}

test('the list stays that of the figure while more comes in, and is a file to the cent', async ({
  page,
  request,
  emptySite,
}) => {
  await reportSale(request, emptySite, { id: 'a', amount: 1999, email: '=cmd@evil.example' });
  await openDashboard(page, emptySite);
  await reportSale(request, emptySite, { id: 'b', amount: 500 });
  await figure(page, 'Conversions').click();
  const rows = page.getByRole('dialog', { name: 'Conversions: 1' });
  await expect(rows.getByRole('listitem')).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await rows.getByRole('link', { name: 'Download as CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^sales-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.trimEnd().split('\n')).toEqual([
    'id,amount,currency,email,source,timestamp,refunded,disputed,first_source,control',
    expect.stringMatching(/^a,1999,USD,'=cmd@evil\.example,,[^,]+Z,0,0,,$/),
  ]);
});

test('a figure of nothing opens, too', async ({ page, emptySite }) => {
  await openDashboard(page, emptySite);
  await figure(page, 'Page Views').click();
  const rows = page.getByRole('dialog', { name: 'Page Views: 0' });
  await expect(rows.getByText('There is nothing to list yet.')).toBeVisible();
  await expectAccessible(page, 'an empty list');
});

test('a list whose code cannot be fetched says what to do', async ({
  page,
  emptySite,
  complaints,
}) => {
  await openDashboard(page, emptySite);
  await page.route(/\/assets\/rows-dialog-/, (route) => route.abort());
  await figure(page, 'Page Views').click();
  await expect(page.getByRole('alert')).toHaveText('Please reload the page.');
  await expectComplaint(complaints, /ERR_FAILED/);
});

test('the figures are printed', async ({ page, emptySite }) => {
  await openDashboard(page, emptySite);
  await page.emulateMedia({ media: 'print' });
  await expect(figure(page, 'Page Views')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden();
});
