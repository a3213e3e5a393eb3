import type { Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from './axe.ts';
import { reportSale } from './sales.ts';
import { expectFigures, openDashboard, wide } from './screens.ts';
import { expect, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const row = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const cards = (page: Page) => page.getByLabel('Summary').locator('> div');

testOnEmptySite(
  'a source and a button filter the dashboard, and the browser leads back',
  async ({ page, request, emptySite }) => {
    await page.goto('/?utm_source=newsletter');
    // A click is counted once the boot script, which records the view, has run.
    const events = async () => (await emptySite.rows('event')).length;
    await expect.poll(events).toBe(1);
    await page.locator('main [data-cta=hero]').click();
    await expect.poll(events).toBe(2);
    const sale = { amount: 9700, source: 'newsletter' };
    await reportSale(request, emptySite, { ...sale, id: 'a', button: 'audit' });
    await reportSale(request, emptySite, { id: 'b', amount: 4900 });
    await openDashboard(page, emptySite);

    await test.step('sources and buttons stand side by side, each with its figures', async () => {
      await expect(panel(page, 'Sources').getByRole('row')).toHaveText([
        /^Source/,
        /^newsletter1101\$97\.00$/,
        /^Direct0001\$49\.00$/,
      ]);
      await expect(panel(page, 'Buttons').getByRole('row')).toHaveText([
        /^Button/,
        /^Audit checkout001\$97\.00$/,
        /^Top of the page100\$0\.00$/,
      ]);
      const [sources, buttons] = await Promise.all(
        ['Sources', 'Buttons'].map((name) => panel(page, name).boundingBox()),
      );
      expect(buttons?.y).toBe(sources?.y);
      await panel(page, 'Buttons').getByRole('button', { name: 'Clicks' }).click();
      await expect(panel(page, 'Buttons').getByRole('rowheader').first()).toHaveText(
        'Top of the page',
      );
    });

    await test.step('a source filters every panel, by keyboard, and keeps the focus', async () => {
      await row(page, 'Direct').focus();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL('/analytics?source=direct');
      await expect(cards(page)).toHaveText([/^Page Views\?0/, /\?0/, /\?1/, /\$49\.00/]);
      await expect(panel(page, 'Recent Conversions').getByRole('listitem')).toHaveCount(1);
      await expect(panel(page, 'Buttons')).toBeHidden();
      await expect(row(page, 'Direct')).toBeFocused();
      await expect(row(page, 'Direct')).toHaveAttribute('aria-pressed', 'true');
      await row(page, 'newsletter').click();
      await expect(cards(page)).toHaveText([/^Page Views\?1/, /\?1/, /\?1/, /\$97\.00/]);
    });

    await test.step('the rows of a figure are those of the filter', async () => {
      await page.getByRole('button', { name: 'Revenue', exact: true }).first().click();
      await page.getByRole('button', { name: 'All rows' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revenue: $97.00' });
      await expect(dialog).toContainText('Source: newsletter.');
      await expect(dialog.getByRole('listitem')).toHaveCount(1);
      await page.keyboard.press('Escape');
    });

    await test.step('a button has no page views', async () => {
      await row(page, 'Top of the page').click();
      await expect(page).toHaveURL('/analytics?metric=revenue&source=newsletter&button=hero');
      await expect(cards(page)).toHaveText([/^Page Views\?–/, /\?1Click/, /\?0/, /\$0\.00/]);
      await expect(panel(page, 'Conversion Funnel')).toContainText('Shares are of clicks.');
      await page.reload();
      await expectFigures(page);
      await expect(row(page, 'Source: newsletter, remove filter')).toBeVisible();
      await page.setViewportSize({ width: 320, height: 800 });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      await expectAccessibleInBothSchemes(page, 'the filtered dashboard');
      await page.setViewportSize(wide);
    });

    await test.step('Back and the chip remove the filter', async () => {
      await page.goBack();
      await expect(page).toHaveURL('/analytics?metric=revenue&source=newsletter');
      await expect(row(page, 'Button: Top of the page, remove filter')).toBeHidden();
      await row(page, 'Source: newsletter, remove filter').click();
      await expect(page).toHaveURL('/analytics?metric=revenue');
      await expect(cards(page)).toHaveText([/\?1/, /\?1/, /\?2/, /\$146\.00/]);
    });
  },
);

testOnEmptySite(
  'the campaign of a link is counted for its visits, calls and sales, and filters the dashboard',
  async ({ page, request, emptySite }) => {
    const events = async () => (await emptySite.rows('event')).length;
    const link = '/?utm_source=Newsletter&utm_medium=email&utm_campaign=Spring%20Sale';
    await page.goto(link);
    await expect.poll(events).toBe(1);
    await page.locator('main [data-cta=hero]').click();
    await expect.poll(events).toBe(2);
    const campaign = 'newsletter/email/spring-sale';
    await reportSale(request, emptySite, { id: 'a', amount: 9700, source: campaign });
    await reportSale(request, emptySite, { id: 'b', amount: 4900, source: 'newsletter' });
    await openDashboard(page, emptySite);
    const sources = panel(page, 'Sources').getByRole('row');

    await test.step('a source lists its campaigns on request, by keyboard', async () => {
      await expect(sources).toHaveText([/^Source/, /^newsletter1102\$146\.00$/]);
      await row(page, 'Campaigns of newsletter').focus();
      await page.keyboard.press('Enter');
      await expect(row(page, 'Campaigns of newsletter')).toHaveAttribute('aria-expanded', 'true');
      await expect(sources).toHaveText([
        ...[/^Source/, /^newsletter1102\$146\.00$/, /^email \/ spring-sale1101\$97\.00$/],
        /^Without a campaign0001\$49\.00$/,
      ]);
      await expect(page).toHaveURL('/analytics');
    });

    await test.step('a campaign filters every panel, also from a link', async () => {
      await row(page, 'email / spring-sale').click();
      await expect(page).toHaveURL(`/analytics?source=${campaign}`);
      await expect(cards(page)).toHaveText([/^Page Views\?1/, /\?1/, /\?1/, /\$97\.00/]);
      await expect(
        row(page, 'Source: newsletter / email / spring-sale, remove filter'),
      ).toBeVisible();
      await page.goto(`/analytics?source=${campaign}`);
      await expect(row(page, 'email / spring-sale')).toHaveAttribute('aria-pressed', 'true');
      await expect(cards(page)).toHaveText([/^Page Views\?1/, /\?1/, /\?1/, /\$97\.00/]);
      const conversions = panel(page, 'Recent Conversions').getByRole('listitem');
      await expect(conversions).toHaveText([new RegExp(campaign)]);
      await expectAccessibleInBothSchemes(page, 'the dashboard of a campaign');
    });

    await test.step('the downloads name the campaign', async () => {
      for (const file of ['sales', 'activity']) {
        const response = await page.request.get(`/api/analytics/${file}.csv`);
        expect(await response.text()).toContain(`,${campaign}`);
      }
    });
  },
);
