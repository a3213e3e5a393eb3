import type { Page } from '@playwright/test';
import { reportSale } from './sales.ts';
import { banner, dialog, expectFigures, openDashboard, signIn, wide } from './screens.ts';
import { expect, expectComplaint, testOnEmptySite as test } from './site.ts';

test.use({ viewport: wide });

/** Dates the dashboard asked from, as days before the moment it asked. */
function periodsAsked(page: Page) {
  const periods: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname !== '/api/analytics/dashboard') return;
    expect(request.method()).toBe('GET');
    const startDate = searchParams.get('startDate') ?? '';
    expect(new Date(startDate).toISOString()).toBe(startDate);
    periods.push((Date.now() - Date.parse(startDate)) / 86_400_000);
  });
  return periods;
}

/** What a card says below its name: the figure, and the note. */
const card = (page: Page, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=..').getByRole('definition');

const funnel = (page: Page) =>
  page.getByRole('region', { name: 'Conversion Funnel' }).getByRole('listitem');

const recent = (page: Page) => page.getByRole('region', { name: 'Recent Conversions' });

test('an empty dashboard says what the specification says', async ({ page, emptySite }) => {
  await openDashboard(page, emptySite);
  await expect(page).toHaveTitle(/Analytics Dashboard/);
  await expect(page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' })).toBeVisible();
  await expect(page.getByText('Email Deliverability Audit Sales Performance')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await expect(page.getByText('Data from last 30 days')).toBeVisible();
  await expect(card(page, 'Page Views')).toHaveText(['0', 'Unique landing page visits']);
  await expect(card(page, 'CTA Clicks')).toHaveText(['0', /^0\.00% click-through rate$/]);
  await expect(card(page, 'Conversions')).toHaveText(['0', /^0\.00% conversion rate$/]);
  await expect(card(page, 'Revenue')).toHaveText(['$0.00', 'Total beta sales revenue']);
  await expect(recent(page).getByText('No conversions yet')).toBeVisible();
  await expect(
    recent(page).getByText('Start promoting your landing page to see results!'),
  ).toBeVisible();
});

test('the figures are what visitors did and bought', async ({
  page,
  browser,
  emptySite,
  request,
}) => {
  // Eight browsers come one after the other.
  test.slow();
  for (let visitor = 1; visitor <= 8; visitor++) {
    const context = await browser.newContext({
      baseURL: emptySite.origin,
      extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${visitor}` },
    });
    const visit = await context.newPage();
    const seen = visit.waitForResponse(/\/api\/activity$/);
    await visit.goto('/');
    await seen;
    if (visitor <= 3) {
      const clicked = visit.waitForResponse(/\/api\/activity$/);
      await banner(visit).getByRole('button', { name: 'Get Started' }).click();
      await expect(dialog(visit, 'strategyCall')).toBeVisible();
      await clicked;
    }
    await context.close();
  }
  await reportSale(request, emptySite, { id: 'a', amount: 123_450, email: 'ada@studio.example' });
  await reportSale(request, emptySite, { id: 'b', amount: 9900, source: 'newsletter' });
  // The same sale told twice is one.
  await reportSale(request, emptySite, { id: 'b', amount: 9900, source: 'newsletter' });

  await openDashboard(page, emptySite);
  await expect(card(page, 'Page Views')).toHaveText(['8', 'Unique landing page visits']);
  await expect(card(page, 'CTA Clicks')).toHaveText(['3', /37\.50%/]);
  await expect(card(page, 'Conversions')).toHaveText(['2', /25\.00%/]);
  await expect(card(page, 'Revenue')).toHaveText(['$1,333.50', 'Total beta sales revenue']);
  await expect(funnel(page)).toHaveText([
    /^Page Views\s*8\s*100%$/,
    /^CTA Clicks\s*3\s*37\.50%$/,
    /^Conversions\s*2\s*25\.00%$/,
  ]);
  await expect(recent(page).getByText(/^2 in this period$/)).toBeVisible();
  const today = new Date().toLocaleString('en-US', { month: 'short', day: 'numeric' });
  const rows = recent(page).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  for (const [row, parts] of [
    [0, ['Anonymous', 'Source: newsletter', '$99.00']],
    [1, ['ada@studio.example', 'Source: Direct', '$1,234.50']],
  ] as const) {
    for (const part of [...parts, today]) await expect(rows.nth(row)).toContainText(part);
    await expect(rows.nth(row)).toContainText(/\d:\d\d [AP]M/);
  }
});

test('of eleven conversions the ten newest are shown, and the badge says 11', async ({
  page,
  request,
  emptySite,
}) => {
  for (let sale = 1; sale <= 11; sale++) {
    await reportSale(request, emptySite, {
      id: `sale-${sale}`,
      amount: 100 * sale,
      email: `buyer${sale}@studio.example`,
      timestamp: new Date(Date.now() - (12 - sale) * 3_600_000).toISOString(),
    });
  }
  await openDashboard(page, emptySite);
  await expect(recent(page).getByText(/^11 in this period$/)).toBeVisible();
  const rows = recent(page).getByRole('listitem');
  await expect(rows).toHaveCount(10);
  await expect(rows.first()).toContainText('buyer11@studio.example');
  await expect(rows.first()).toContainText('$11.00');
  await expect(rows.last()).toContainText('buyer2@studio.example');
});

test('each period asks from that many days ago, 30 to begin with', async ({ page, emptySite }) => {
  const asked = periodsAsked(page);
  await openDashboard(page, emptySite);
  await expect(page.getByRole('radio', { name: 'Last 30 days' })).toBeChecked();
  for (const days of [7, 90, 30]) {
    await page.getByText(`Last ${days} days`, { exact: true }).click();
    await expect(page.getByRole('radio', { name: `Last ${days} days` })).toBeChecked();
    await expect(page.getByText(`Data from last ${days} days`)).toBeVisible();
  }
  expect(asked.map((days) => Math.round(days * 100) / 100)).toEqual([30, 7, 90, 30]);
});

test('a period shows what happened in it', async ({ page, request, emptySite }) => {
  const day = 86_400_000;
  for (const age of [1, 20, 60]) {
    const timestamp = new Date(Date.now() - age * day).toISOString();
    await reportSale(request, emptySite, { id: `${age}`, amount: 1000, timestamp });
  }
  await openDashboard(page, emptySite);
  await expect(card(page, 'Conversions').first()).toHaveText('2');
  await page.getByText('Last 7 days', { exact: true }).click();
  await expect(card(page, 'Conversions').first()).toHaveText('1');
  await page.getByText('Last 90 days', { exact: true }).click();
  await expect(card(page, 'Conversions').first()).toHaveText('3');
  await expect(card(page, 'Revenue').first()).toHaveText('$30.00');
});

test('Refresh fetches, shows that it does, and says when', async ({ page, request, emptySite }) => {
  const asked = periodsAsked(page);
  await openDashboard(page, emptySite);
  await expect(card(page, 'Conversions').first()).toHaveText('0');
  await reportSale(request, emptySite, { id: 'new', amount: 500 });
  const refresh = page.getByRole('button', { name: 'Refresh' });
  let release = () => {};
  await page.route('**/api/analytics/dashboard*', async (route) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    await route.continue();
  });
  const fetching = page.waitForRequest(/\/api\/analytics\/dashboard/);
  await refresh.click();
  await fetching;
  await expect(refresh).toHaveAttribute('aria-busy', 'true');
  await expect(card(page, 'Conversions').first()).toHaveText('0');
  release();
  await expect(card(page, 'Conversions').first()).toHaveText('1');
  await expect(refresh).toHaveAttribute('aria-busy', 'false');
  await expect(page.getByRole('status').filter({ hasText: 'Updated at' })).toBeAttached();
  expect(asked).toHaveLength(2);
});

test('it fetches again by itself every 30 seconds', async ({ page, request, emptySite }) => {
  await page.clock.install();
  const asked = periodsAsked(page);
  await openDashboard(page, emptySite);
  await reportSale(request, emptySite, { id: 'new', amount: 500 });
  for (let round = 1; round <= 2; round++) {
    await page.clock.fastForward(26_000);
    expect(asked).toHaveLength(round);
    const answered = page.waitForResponse(/\/api\/analytics\/dashboard/);
    await page.clock.fastForward(4000);
    await answered;
    await expect.poll(() => asked.length).toBe(round + 1);
    await expect(card(page, 'Conversions').first()).toHaveText('1');
  }
});

test('it does not fetch again because its window gets the focus', async ({ page, emptySite }) => {
  const asked = periodsAsked(page);
  await openDashboard(page, emptySite);
  await page.evaluate(() => {
    dispatchEvent(new Event('focus'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => asked.length).toBe(2);
});

test('a failure shows no error, keeps what was known and is not tried again at once', async ({
  page,
  request,
  emptySite,
  complaints,
}) => {
  await reportSale(request, emptySite, { id: 'kept', amount: 500 });
  await page.clock.install();
  await openDashboard(page, emptySite);
  const time = await page.getByText(/^Last updated/).textContent();
  let failed = 0;
  await page.route('**/api/analytics/dashboard*', (route) => {
    failed += 1;
    return route.fulfill({ status: 500, json: { error: 'Broken.' } });
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expectComplaint(complaints, /status of 500/);
  await page.clock.fastForward(20_000);
  expect(failed).toBe(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(card(page, 'Revenue').first()).toHaveText('$5.00');
  await expect(page.getByText(/^Last updated/)).toContainText(time ?? '?');
  await expect(page).toHaveURL('/analytics');
});

test('figures that are missing are 0', async ({ page, emptySite }) => {
  await page.route('**/api/analytics/dashboard*', (route) => route.fulfill({ json: {} }));
  await openDashboard(page, emptySite);
  await expect(card(page, 'Page Views').first()).toHaveText('0');
  await expect(card(page, 'Revenue').first()).toHaveText('$0.00');
  await expect(funnel(page).last()).toHaveText(/0\.00%$/);
  await expect(recent(page).getByText('No conversions yet')).toBeVisible();
});

test('who is not signed in is led to /admin', async ({ page, complaints }) => {
  await page.goto('/analytics');
  await expect(page).toHaveURL('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await expectComplaint(complaints, /status of 401/);
});

test('a session that ended meanwhile leads to /admin', async ({ page, emptySite, complaints }) => {
  await openDashboard(page, emptySite);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page).toHaveURL('/admin');
  await expectComplaint(complaints, /status of 401/);
});

test('Logout ends the session on the server: a copied cookie is refused', async ({
  page,
  playwright,
  emptySite,
}) => {
  await openDashboard(page, emptySite);
  const storageState = await page.context().storageState();
  const thief = await playwright.request.newContext({ baseURL: emptySite.origin, storageState });
  expect((await thief.get('/api/analytics/dashboard')).status()).toBe(200);
  const logout = page.waitForRequest(/\/api\/admin\/logout$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  const request = await logout;
  expect(request.method()).toBe('POST');
  expect(request.postData()).toBeNull();
  expect((await thief.get('/api/analytics/dashboard')).status()).toBe(401);
  await thief.dispose();
});

test('Logout leads to /admin also when its call fails', async ({ page, emptySite, complaints }) => {
  await openDashboard(page, emptySite);
  await page.route('**/api/admin/logout', (route) => route.abort());
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  await expectComplaint(complaints, /net::ERR_FAILED/);
});

test('nothing of the last session is left on the screen of the next', async ({
  page,
  request,
  emptySite,
}) => {
  await reportSale(request, emptySite, { id: 'one', amount: 700 });
  await openDashboard(page, emptySite);
  await expect(card(page, 'Revenue').first()).toHaveText('$7.00');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  await reportSale(request, emptySite, { id: 'two', amount: 700 });
  await signIn(page, emptySite);
  await page.goto('/analytics');
  await expectFigures(page);
  await expect(card(page, 'Revenue').first()).toHaveText('$14.00');
});
