import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { zoneName } from '../src/insights/dates.ts';
import { expectAccessibleInBothSchemes } from './axe.ts';
import { reportSale } from './sales.ts';
import { expectFigures, openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide, timezoneId: 'Asia/Kathmandu' });

const day = 86_400_000;
const titles = ['Page Views by day', 'Conversion Funnel', 'Calls', 'Recent Conversions'];

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const panelTitles = (page: Page) => page.getByRole('heading', { level: 2 });

/** Shows the chart of a panel as a table. */
const showTable = (page: Page, name: string) =>
  panel(page, name).getByRole('button', { name: 'Table' }).click();

/** A response for a busy month whose first and last days are partial. */
function busyMonth() {
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const days = Array.from({ length: 31 }, (_, i) => ({
    date: new Date(today - (30 - i) * day).toISOString().slice(0, 10),
    isWhole: i > 0 && i < 30,
    pageViews: 20 + ((i * 7) % 23),
    ctaClicks: (i * 3) % 7,
    conversions: i % 3,
    revenue: 97 * (i % 3),
    startDate: new Date(today - (30 - i) * day).toISOString(),
    asOf: new Date(today - (29 - i) * day).toISOString(),
  }));
  const sources = ['newsletter', 'a-source-with-a-name-as-long-as-some-campaigns-have', undefined];
  return {
    days,
    sources: [
      ...sources.map((source, i) => ({
        source,
        pageViews: 400 - 100 * i,
        ctaClicks: 40,
        callsBooked: i,
        conversions: 10 - i,
        revenue: 12_345.67,
        ...(i === 0 && {
          campaigns: ['email/spring-sale', '/autumn'].map((campaign) => ({
            source: `newsletter/${campaign}`,
            pageViews: 150,
            ctaClicks: 20,
            callsBooked: 1,
            conversions: 5,
            revenue: 1234.5,
          })),
        }),
      })),
      { merged: 4, pageViews: 8, ctaClicks: 1, callsBooked: 0, conversions: 0, revenue: 0 },
    ],
    previous: { pageViews: 600, ctaClicks: 130, conversions: 4, totalRevenue: 388 },
    previousDays: days.map((one) => ({ ...one, pageViews: 20 })),
    excluded: { bot: 12, privacy: 1 },
  };
}

/** Two years whose first four months were not counted. */
function twoYears() {
  const now = new Date();
  const figures = { pageViews: 12_345, ctaClicks: 1234, conversions: 123, revenue: 113_522.75 };
  const none = { pageViews: null, ctaClicks: null, conversions: null, revenue: null };
  return {
    timeZone: config.calls.timeZone,
    months: Array.from({ length: 24 }, (_, i) => ({
      month: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 23 + i))
        .toISOString()
        .slice(0, 7),
      ...(i < 4 ? none : { ...figures, pageViews: 500 * i }),
    })),
    yearToDate: figures,
    yearBefore: { ...figures, pageViews: 9000 },
    comparedUntil: new Date(now.getTime() - 365 * day).toISOString().slice(0, 10),
    countedSince: new Date(now.getTime() - 600 * day).toISOString(),
    asOf: now.toISOString(),
  };
}

const summary = {
  pageViews: 951,
  ctaClicks: 90,
  checkoutOpens: 31,
  callsBooked: 3,
  conversions: 30,
  totalRevenue: 2910,
  conversionRate: 3.15,
  ctaConversionRate: 9.46,
};

/** Opens the dashboard with the data of a busy month, changed by `change`. */
async function openBusyDashboard(
  page: Page,
  site: RunningSite,
  change: { summary?: Partial<typeof summary>; sources?: object[] } = {},
) {
  await page.route('**/api/analytics/dashboard*', (route) =>
    route.fulfill({ json: { summary: { ...summary, ...change.summary } } }),
  );
  const { sources = busyMonth().sources } = change;
  await page.route('**/api/analytics/breakdown*', (route) =>
    route.fulfill({ json: { ...busyMonth(), sources } }),
  );
  await page.route('**/api/analytics/months', (route) => route.fulfill({ json: twoYears() }));
  await openDashboard(page, site);
  await expect(page.getByRole('slider', { name: 'Page Views by day' })).toBeVisible();
  await expect(page.getByRole('slider', { name: 'Page Views by month' })).toBeVisible();
}

testOnEmptySite(
  'the insights show sales by day and by source',
  async ({ page, request, emptySite }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const timestamp = new Date(Date.now() - 3 * day).toISOString();
    await reportSale(request, emptySite, { id: 'a', amount: 9700, source: 'podcast' });
    await reportSale(request, emptySite, { id: 'b', amount: 4900, timestamp });
    await openDashboard(page, emptySite);
    const days = panel(page, 'Conversions by day');

    await test.step('the figures load before the code of the panels', async () => {
      await expect(panel(page, 'Sources')).toBeVisible();
      const order = requested.map((path) => path.match(/dashboard$|panels(?=-.*\.js$)/)?.[0]);
      expect(order.filter(Boolean)).toEqual(['dashboard', 'panels']);
    });

    await test.step('the panels are below the sections of the specification', async () => {
      await expect(panelTitles(page)).toHaveText([...titles, 'Sources']);
      await expect(panel(page, 'Sources').getByRole('row')).toHaveText([
        /^Source/,
        /^podcast.*1\$97\.00$/,
        /^Direct.*1\$49\.00$/,
      ]);
      // The days of the owner's time zone, also in a browser elsewhere.
      const zone = zoneName(config.calls.timeZone);
      await page.getByRole('button', { name: 'Conversions', exact: true }).click();
      await expect(page).toHaveURL('/analytics?metric=conversions');
      await expect(days).toContainText(`midnight to midnight, ${zone}`);
      await showTable(page, 'Conversions by day');
      // The current day, which is partial.
      const today = days.getByRole('row').nth(1);
      await expect(today).toContainText(/\(partial\).*\$97\.00$/);
      await expect(days.getByRole('row')).toHaveCount(32);
    });

    await test.step('another period shows its own days', async () => {
      await page.getByText('Last 7 days', { exact: true }).click();
      await expect(page).toHaveURL('/analytics?days=7&metric=conversions');
      await expect(days.getByRole('row')).toHaveCount(9);
    });
  },
);

test('the insights of a busy month fit the screen and have no axe violations', async ({
  page,
  site,
}) => {
  await openBusyDashboard(page, site);

  await test.step('hovering over a day shows its figure and the one before', async () => {
    const chart = panel(page, 'Page Views by day').locator('figure');
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart is not visible.');
    const tip = chart.locator('dl');
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await expect(tip).toHaveText(/^Page Views\d+30 days before20$/);
    await expect(chart).not.toContainText('part of the day');
    await page.mouse.move(box.x + box.width - 10, box.y + 40);
    await expect(chart).toContainText('part of the day');
    await page.mouse.move(0, 0);
  });

  const cards = page.getByLabel('Summary');
  await expect(cards).toContainText('Up 59% from 600');
  await expect(cards).toContainText('$2,910.00');
  for (const name of ['Page Views', 'CTA Clicks', 'Conversions', 'Revenue']) {
    await cards.getByRole('button', { name, exact: true }).click();
    await expect(page.getByRole('slider', { name: `${name} by day` })).toBeVisible();
  }
  await expectAccessibleInBothSchemes(page, 'the charts');
  await showTable(page, 'Revenue by day');
  await expect(panel(page, 'Revenue by day').getByRole('row')).toHaveCount(32);
  const disclosure = panel(page, 'Sources').getByRole('button', {
    name: 'Campaigns of newsletter',
  });
  await disclosure.click();
  await expect(panel(page, 'Sources').getByRole('rowheader')).toHaveText([
    ...['newsletter', 'email / spring-sale', 'autumn', 'Without a campaign'],
    ...[/^a-source/, 'Direct', '4 more sources'],
  ]);
  await showTable(page, 'Months');
  await expect(panel(page, 'Months').getByRole('row')).toHaveCount(21);
  for (const width of [360, 1280]) {
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      // No cell may overflow its table.
      const overflowingCells = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('table :is(th, td) , table span')]
            .filter((cell) => cell.getBoundingClientRect().right > innerWidth - 12)
            .map((cell) => cell.textContent),
        );
      await expect.poll(overflowingCells).toEqual([]);
      const target = await disclosure.boundingBox();
      expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44);
      await expectAccessibleInBothSchemes(page, `the panels at ${width} px`);
    });
  }
});

test('the counts of a source stand below its name and revenue on phones', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const few = { pageViews: 1, ctaClicks: 0, callsBooked: 1, conversions: 0, revenue: 0 };
  await openBusyDashboard(page, site, { sources: [{ source: 'newsletter', ...few }] });
  const row = panel(page, 'Sources').locator('tbody tr');
  const name = await row.locator('th').boundingBox();
  const visits = await row.locator('td').first().boundingBox();
  if (!name || !visits) throw new Error('The row is not visible.');
  expect(visits.y).toBeGreaterThanOrEqual(name.y + name.height - 1);
});

test('the dashboard breaks no word and no figure at 320 px', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  const sources = busyMonth().sources.filter((_, i) => i !== 1);
  await openBusyDashboard(page, site, { summary: { totalRevenue: 113_522.75 }, sources });
  await showTable(page, 'Page Views by day');
  await showTable(page, 'Months');
  await panel(page, 'Sources').getByRole('button', { name: 'Campaigns of newsletter' }).click();
  await expect(panel(page, 'Page Views by day').getByRole('row')).toHaveCount(32);
  // Text that breaks inside a word takes fewer lines when words may not break.
  const broken = await page.evaluate(() => {
    const texts = [...document.querySelectorAll<HTMLElement>('main *')].filter(
      (one) => one.textContent && !one.querySelector('div, p, table, svg'),
    );
    const before = texts.map(({ offsetHeight }) => offsetHeight);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before { overflow-wrap: normal !important }');
    document.adoptedStyleSheets.push(sheet);
    const found = texts.filter(({ offsetHeight }, i) => offsetHeight !== before[i]);
    return found.map((one) => `${one.tagName} ${one.dataset.label ?? ''} ${one.textContent}`);
  });
  expect(broken).toEqual([]);
  const overflowing = await page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((one) => one.getBoundingClientRect().right > innerWidth)
      .map((one) => `${one.tagName} ${one.textContent}`),
  );
  expect(overflowing).toEqual([]);
});

testOnEmptySite(
  'the dashboard works when its insights fail',
  async ({ page, emptySite: site, request, consoleErrors }) => {
    const expectNoPanels = async () => {
      await expect(panelTitles(page)).toHaveText(titles);
      await expect(page.getByRole('alert')).toHaveCount(0);
    };

    await test.step('the panels are hidden when their code cannot be loaded', async () => {
      await page.route(/\/assets\/panels-/, (route) => route.fulfill({ status: 404 }));
      await openDashboard(page, site);
      await expectConsoleError(consoleErrors, /status of 404/);
      await expectConsoleError(consoleErrors, /dynamically imported module/);
      await expectNoPanels();
      await page.unroute(/\/assets\/panels-/);
    });

    await test.step('the insights are hidden when their request fails', async () => {
      await reportSale(request, site, { id: `whole-${Date.now()}`, amount: 9700 });
      let failed = 0;
      await page.route('**/api/analytics/breakdown*', (route) => {
        failed += 1;
        return route.fulfill({ status: 500, json: { error: 'Broken.' } });
      });
      await page.reload();
      await expectFigures(page);
      await expectConsoleError(consoleErrors, /status of 500/);
      expect(failed).toBe(1);
      await expectNoPanels();
      await page.unroute('**/api/analytics/breakdown*');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await expect(panel(page, 'Sources')).toBeVisible();
    });
  },
);
