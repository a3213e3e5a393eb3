/** Importing sales and downloading a backup, under Settings. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createOwner } from '../server/testing/cli-io.ts';
import {
  gumroadExport,
  otherExport,
  payPalExport,
  stripeExport,
} from '../server/testing/shop-exports.ts';
import { expectAccessibleOnAllScreens } from './axe.ts';
import { signIn } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

const choose = (page: Page, text: string | Buffer, name = 'sales.csv') =>
  page
    .getByLabel('File of sales')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const select = (page: Page, label: string) => page.getByRole('combobox', { name: label });

test.beforeEach(async ({ page, site }) => {
  await signIn(page, site);
  await page.goto('/analytics/settings/import');
});

test('an export of Stripe is previewed, imported once and appears on the dashboard', {
  tag: '@instances',
}, async ({ page, site }) => {
  // Other tests have reported sales to this server.
  const before = (await site.rows('conversion')).length;
  await choose(page, stripeExport);
  await expect(
    page.getByText('sales.csv: Stripe payments. UTF-8, separated by commas.'),
  ).toBeVisible();
  await expect(page.getByText(/^6 sales from .*: 6 new\.$/)).toBeVisible();
  const totals = page.getByRole('group', { name: 'Totals' });
  await expect(totals.getByRole('row', { name: 'EUR' })).toHaveText('EUR1€1,250.50€250.50');
  const first = page.getByRole('group', { name: 'First sales' }).getByRole('row').nth(1);
  await expect(first).toContainText('pi_1');
  await expect(first).toContainText('ada@example.com');
  await page.getByText('3 lines are left out').click();
  await expect(page.getByText('Line 5: Status “Failed”: no money was received.')).toBeVisible();
  expect(await site.rows('conversion')).toHaveLength(before);

  await page.getByRole('button', { name: 'Import 6 sales' }).click();
  await expect(page.getByText('6 sales imported.')).toBeFocused();
  expect(await site.rows('conversion')).toHaveLength(before + 6);

  await choose(page, stripeExport);
  await expect(page.getByText(/: 0 new, 6 already there\.$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0);
  await choose(page, stripeExport.replace('97.00,0.00,usd,true', '97.00,40.00,usd,true'));
  await page.getByRole('button', { name: 'Update 1 sale' }).press('Enter');
  await expect(page.getByText('0 sales imported, 1 updated, 5 already there.')).toBeVisible();
  const stored = (await site.rows('conversion')).find(({ id }) => id === 'pi_1');
  expect(stored).toMatchObject({ amount: 9700, refunded: 4000 });
});

test('a file that is not recognised is imported with the columns that the owner chooses', async ({
  page,
  site,
}) => {
  const file = otherExport
    .replace('Order number', 'Bestellnr. ü')
    .replace('"$1,250.00"', '$1250.00')
    .replaceAll(',', ';');
  await choose(page, Buffer.from(file, 'latin1'), 'shop.csv');
  await expect(page.getByText('Windows-1252, separated by semicolons.')).toBeVisible();
  await expect(page.getByText(/errors?, so nothing can be imported/)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the preview of a file with errors');
  await select(page, 'Sale id').selectOption('Bestellnr. ü');
  await expect(page.getByText(/errors?, so nothing can be imported/)).toHaveCount(0);
  await select(page, 'Buyer’s email').selectOption('Buyer');
  await select(page, 'A date like').selectOption('February 1');
  await select(page, 'Time zone of dates').selectOption('Europe/Berlin');
  await page.getByLabel('Currency of all sales').fill('eur');
  await page.getByLabel('Currency of all sales').press('Tab');
  const totals = page.getByRole('group', { name: 'Totals' });
  await expect(totals.getByRole('row', { name: 'EUR' })).toContainText('€1,347.00');
  await page.getByRole('button', { name: 'Import 2 sales' }).click();
  await expect(page.getByText('2 sales imported.')).toBeVisible();
  const stored = await site.rows('conversion');
  expect(stored.filter(({ id }) => /^100/.test(String(id)))).toMatchObject([
    {
      id: '1001',
      amount: 9700,
      currency: 'EUR',
      email: 'ada@example.com',
      at: Date.UTC(2026, 1, 1, 9),
    },
    { id: '1002', amount: 125_000, refunded: 25_000 },
  ]);
});

test('a preview fits every screen and can be left', async ({ page }) => {
  for (const text of [gumroadExport, payPalExport]) {
    await choose(page, text);
    await expect(page.getByRole('button', { name: /^Import \d/ })).toBeVisible();
    await page.getByText('How the file is read').click();
    await expectAccessibleOnAllScreens(page, 'the preview of an import');
    for (const width of [320, 360, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      await expect.poll(isWide).toBe(false);
    }
  }
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Choose a file', exact: true })).toBeVisible();
  await choose(page, 'PK\u0003\u0004', 'sales.xlsx');
  await expect(page.getByRole('alert')).toHaveText(
    'This is a workbook. Please save the sheet as CSV.',
  );
});

test('a backup is downloaded and can be restored', { tag: '@instances' }, async ({
  page,
  site,
}) => {
  await page.goto('/analytics/settings/backups');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download a backup' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^backup-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/);
  const owner = await createOwner();
  try {
    await download.saveAs(join(owner.folder, 'copy.db'));
    const restored = await owner.admin(['restore', 'copy.db']);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restored') });
  } finally {
    await owner.remove();
  }
  const list = await page.request.get('/api/settings/backups');
  const { isNightly } = await list.json();
  if (isNightly) await site.admin('backup');
  await page.reload();
  const summary = page.getByText(/^\d+ backups? on the server$/);
  if (isNightly) await summary.click();
  else await expect(page.getByText(/^On PostgreSQL the site makes no/)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the settings with the backups');
});

test('a link on another site does not start a backup', async ({ page, context, consoleErrors }) => {
  await context.route('https://other.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<a href="${new URL(page.url()).origin}/api/backup">win a prize</a>`,
    }),
  );
  await page.goto('https://other.example/');
  const refused = page.waitForResponse(/\/api\/backup$/);
  await page.getByRole('link').click();
  expect((await refused).status()).toBe(403);
  await expectConsoleError(consoleErrors, /403/);
});
