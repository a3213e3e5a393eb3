import type { Page, Request, Route } from '@playwright/test';
import { expectAccessible } from './axe.ts';
import { delayRequests } from './contact.ts';
import { sendPageView } from './page-views.ts';
import { reportSale } from './sales.ts';
import { banner, dialog, expectFigures, openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

/** Records the periods of the dashboard's requests, in days before the request. */
function recordPeriods(page: Page) {
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

/** The figure, the note and the change of a card. */
const card = (page: Page, name: string) =>
  page.getByRole('term').filter({ hasText: name }).locator('xpath=..').getByRole('definition');

const funnel = (page: Page) =>
  page.getByRole('region', { name: 'Conversion Funnel' }).getByRole('listitem');

const recent = (page: Page) => page.getByRole('region', { name: 'Recent Conversions' });

const refresh = (page: Page) => page.getByRole('button', { name: 'Refresh' });

testOnEmptySite(
  'the dashboard of a new site',
  async ({ page, request, emptySite, consoleErrors }) => {
    const periods = recordPeriods(page);
    await openDashboard(page, emptySite);

    await test.step('an empty dashboard has the copy of the specification', async () => {
      await expect(page).toHaveTitle(/Analytics Dashboard/);
      await expect(
        page.getByRole('heading', { level: 1, name: 'Analytics Dashboard' }),
      ).toBeVisible();
      await expect(page.getByText('Email Deliverability Audit Sales Performance')).toBeVisible();
      await expect(refresh(page)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
      await expect(page.getByText('Data from last 30 days')).toBeVisible();
      await expect(card(page, 'Page Views')).toHaveText(['0', 'Unique landing page visits', '']);
      await expect(card(page, 'CTA Clicks')).toHaveText(['0', '0.00% click-through rate', '']);
      await expect(card(page, 'Conversions')).toHaveText(['0', '0.00% conversion rate', '']);
      await expect(card(page, 'Revenue')).toHaveText(['$0.00', 'Total beta sales revenue', '']);
      await expect(recent(page).getByText('No conversions yet')).toBeVisible();
      await expect(
        recent(page).getByText('Start promoting your landing page to see results!'),
      ).toBeVisible();
    });

    await test.step('an empty dashboard says in the place of the chart what comes first', async () => {
      await expect(page.getByText('No visits yet')).toBeVisible();
      await expect(page.getByRole('link', { name: 'Open your site' })).toHaveAttribute('href', '/');
      await expect(page.getByRole('button', { name: 'All rows' })).toHaveCount(0);
      await expect(page.getByRole('heading', { level: 2 })).toHaveText([
        'Page Views by day',
        'Conversion Funnel',
        'Calls',
        'Recent Conversions',
      ]);
    });

    await test.step('sample data is one click away, and so are the own figures', async () => {
      // A failed refresh of the own figures does not mark the sample data as stale.
      await page.route(/\/api\/analytics\/dashboard/, (route) => route.fulfill({ status: 500 }), {
        times: 1,
      });
      await refresh(page).click();
      const nextTry = page.getByText(/^Next try at/);
      await expect(nextTry).toBeVisible();
      await expectConsoleError(consoleErrors, /status of 500/);
      await page.getByRole('button', { name: 'Show sample data' }).click();
      await expect(page).toHaveURL('/analytics?sample=shown');
      await expect(nextTry).toHaveCount(0);
      await expect(page.locator('[data-stale]')).toHaveCount(0);
      await expect(page.getByText('None of these figures are yours.')).toBeVisible();
      await expect(page.getByRole('slider', { name: 'Page Views by day' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Sources' })).toBeVisible();
      await page.getByRole('button', { name: 'Back to your data' }).click();
      await expect(page).toHaveURL('/analytics');
      await expect(page.getByText('No visits yet')).toBeVisible();
      // The steps below count from here.
      periods.length = 1;
    });

    await test.step('each period requests that many days, 30 by default', async () => {
      await expect(page.getByRole('radio', { name: 'Last 30 days' })).toBeChecked();
      for (const days of [7, 90, 30]) {
        await page.getByText(`Last ${days} days`, { exact: true }).click();
        await expect(page.getByRole('radio', { name: `Last ${days} days` })).toBeChecked();
        await expect(page.getByText(`Data from last ${days} days`)).toBeVisible();
      }
      expect(periods.map((days) => Math.round(days * 100) / 100)).toEqual([30, 7, 90, 30]);
    });

    await test.step('the period is in the URL: for a reload, for Back and for the arrow keys', async () => {
      const radio = (days: number) => page.getByRole('radio', { name: `Last ${days} days` });
      await expect(page).toHaveURL('/analytics');
      await radio(30).press('ArrowRight');
      await expect(page).toHaveURL('/analytics?days=90');
      await expect(radio(90)).toBeFocused();
      await page.reload();
      await expect(radio(90)).toBeChecked();
      await expect(page.getByText('Data from last 90 days')).toBeVisible();
      await page.goBack();
      await expect(radio(30)).toBeChecked();
      await page.goto('/analytics?days=365');
      await expect(radio(30)).toBeChecked();
      await expectFigures(page);
      // The steps below count from here.
      periods.length = 4;
    });

    await test.step('Refresh loads new figures, shows that it is busy, and announces the time', async () => {
      await expect(card(page, 'Conversions').first()).toHaveText('0');
      await reportSale(request, emptySite, { id: 'new', amount: 500 });
      const release = await delayRequests(page, /\/api\/analytics\/dashboard/);
      const fetching = page.waitForRequest(/\/api\/analytics\/dashboard/);
      await refresh(page).click();
      await fetching;
      await expect(refresh(page)).toHaveAttribute('aria-busy', 'true');
      await expect(card(page, 'Conversions').first()).toHaveText('0');
      release();
      await expect(card(page, 'Conversions').first()).toHaveText('1');
      await expect(refresh(page)).toHaveAttribute('aria-busy', 'false');
      await expect(page.getByRole('status').filter({ hasText: 'Updated at' })).toBeAttached();
      expect(periods).toHaveLength(5);
    });

    await test.step('the dashboard does not refetch on window focus', async () => {
      await page.evaluate(async () => {
        dispatchEvent(new Event('focus'));
        // The event of the browser bubbles to the window, where TanStack Query listens.
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        // When its response arrives, requests that were sent before have been recorded.
        await fetch('/robots.txt');
      });
      expect(periods).toHaveLength(5);
      await refresh(page).click();
      await expect.poll(() => periods.length).toBe(6);
    });

    await test.step('a new session does not show figures of the last one', async () => {
      await expect(card(page, 'Revenue').first()).toHaveText('$5.00');
      await page.getByRole('button', { name: 'Logout' }).click();
      await expect(page).toHaveURL('/admin');
      await reportSale(request, emptySite, { id: 'two', amount: 700 });
      await openDashboard(page, emptySite);
      await expect(card(page, 'Revenue').first()).toHaveText('$12.00');
    });
  },
);

testOnEmptySite(
  'the figures match the visits and sales',
  async ({ page, browser, emptySite, request }) => {
    for (let visitor = 1; visitor <= 3; visitor++) {
      const context = await browser.newContext({
        baseURL: emptySite.origin,
        extraHTTPHeaders: { 'x-forwarded-for': `192.0.2.${visitor}` },
      });
      const visit = await context.newPage();
      const viewed = visit.waitForResponse(/\/api\/activity$/);
      await visit.goto('/');
      await viewed;
      const clicked = visit.waitForResponse(/\/api\/activity$/);
      await banner(visit).getByRole('button', { name: 'Get Started' }).click();
      await expect(dialog(visit, 'strategyCall')).toBeVisible();
      await clicked;
      await context.close();
    }
    for (let visitor = 4; visitor <= 8; visitor++) {
      await sendPageView(request, emptySite, `192.0.2.${visitor}`);
    }
    await reportSale(request, emptySite, { id: 'a', amount: 123_450, email: 'ada@studio.example' });
    await reportSale(request, emptySite, { id: 'b', amount: 9900, source: 'newsletter' });
    // A sale that is reported twice is counted once.
    await reportSale(request, emptySite, { id: 'b', amount: 9900, source: 'newsletter' });

    await openDashboard(page, emptySite);
    await expect(card(page, 'Page Views')).toHaveText(['8', 'Unique landing page visits', '']);
    await expect(card(page, 'CTA Clicks')).toHaveText(['3', /37\.50%/, '']);
    await expect(card(page, 'Conversions')).toHaveText(['2', /25\.00%/, '']);
    await expect(card(page, 'Revenue')).toHaveText(['$1,333.50', 'Total beta sales revenue', '']);
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
  },
);

const day = 86_400_000;

testOnEmptySite(
  'the dashboard shows the chosen period and its ten newest conversions',
  async ({ page, request, emptySite }) => {
    const sell = (id: string, age: number, amount: number) =>
      reportSale(request, emptySite, {
        id,
        amount,
        email: `buyer${id}@studio.example`,
        timestamp: new Date(Date.now() - age).toISOString(),
      });

    await test.step('a period shows the conversions in it', async () => {
      for (const age of [1, 20, 60]) await sell(`-${age}-days-ago`, age * day, 1000);
      await openDashboard(page, emptySite);
      await expect(card(page, 'Conversions').first()).toHaveText('2');
      await page.getByText('Last 7 days', { exact: true }).click();
      await expect(card(page, 'Conversions').first()).toHaveText('1');
      await page.getByText('Last 90 days', { exact: true }).click();
      await expect(card(page, 'Conversions').first()).toHaveText('3');
      await expect(card(page, 'Revenue').first()).toHaveText('$30.00');
    });

    await test.step('ten of eleven conversions are listed, newest first, and the badge shows 11', async () => {
      for (let n = 1; n <= 9; n++) await sell(`${n}`, (12 - n) * 3_600_000, 100 * n);
      await page.getByText('Last 30 days', { exact: true }).click();
      await refresh(page).click();
      await expect(recent(page).getByText(/^11 in this period$/)).toBeVisible();
      const rows = recent(page).getByRole('listitem');
      await expect(rows).toHaveCount(10);
      await expect(rows.first()).toContainText('buyer9@studio.example');
      await expect(rows.first()).toContainText('$9.00');
      await expect(rows.last()).toContainText('buyer-1-days-ago@studio.example');
    });
  },
);

testOnEmptySite(
  'the dashboard stays up to date',
  { tag: '@instances' },
  async ({ page, request, emptySite: site, consoleErrors }) => {
    await page.clock.install();
    const periods = recordPeriods(page);
    await openDashboard(page, site);
    const updated = page.getByText(/^Last updated/);
    const before = Number(await card(page, 'Conversions').first().textContent());

    await test.step('the dashboard refetches every 30 seconds', async () => {
      await reportSale(request, site, { id: `live-${Date.now()}`, amount: 500 });
      for (let round = 1; round <= 2; round++) {
        // The fake clock keeps running: a busy machine has ten seconds for each step.
        await page.clock.fastForward(20_000);
        expect(periods).toHaveLength(round);
        const time = await updated.textContent();
        await page.clock.fastForward(10_000);
        await expect(updated).not.toHaveText(time ?? '?');
        expect(periods).toHaveLength(round + 1);
        await expect(card(page, 'Conversions').first()).toHaveText(`${before + 1}`);
      }
    });

    await test.step('a failed refresh shows no error, keeps the figures and is not retried at once', async () => {
      const time = await updated.textContent();
      const revenue = await card(page, 'Revenue').first().textContent();
      let failed = 0;
      await page.route('**/api/analytics/dashboard*', (route) => {
        failed += 1;
        return route.fulfill({ status: 500, json: { error: 'Broken.' } });
      });
      await refresh(page).click();
      await expectConsoleError(consoleErrors, /status of 500/);
      await page.clock.fastForward(10_000);
      expect(failed).toBe(1);
      await expect(page.getByRole('alert')).toHaveCount(0);
      await expect(card(page, 'Revenue').first()).toHaveText(revenue ?? '?');
      await expect(updated).toContainText(time ?? '?');
      await expect(page).toHaveURL('/analytics');
    });
  },
);

test('the dashboard redirects to /admin without a session', async ({
  page,
  site,
  consoleErrors,
}) => {
  await test.step('a visitor who is not signed in is redirected to /admin', async () => {
    await page.goto('/analytics');
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
    await expectConsoleError(consoleErrors, /status of 401/);
  });

  await test.step('a refresh after the session has ended redirects to /admin', async () => {
    await openDashboard(page, site);
    // The insights have a request of their own, which would fail too.
    await expect(
      page.getByText(/midnight to midnight/).or(page.getByText('No visits yet')),
    ).toBeVisible();
    await page.context().clearCookies();
    await refresh(page).click();
    await expect(page).toHaveURL('/admin');
    // Ends the requests of other panels, whose errors would come later.
    await page.goto('about:blank');
    await expectConsoleError(consoleErrors, /status of 401/);
  });

  await test.step('missing figures are shown as 0', async () => {
    await page.route('**/api/analytics/dashboard*', (route) => route.fulfill({ json: {} }));
    await openDashboard(page, site);
    await expect(card(page, 'Page Views').first()).toHaveText('0');
    await expect(card(page, 'Revenue').first()).toHaveText('$0.00');
    await expect(funnel(page).last()).toHaveText(/0\.00%$/);
    await expect(recent(page).getByText('No conversions yet')).toBeVisible();
  });

  await test.step('Logout redirects to /admin even when its request fails', async () => {
    await page.route('**/api/admin/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('alert')).toContainText('may still be signed in');
    await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
  });
});

test('Logout leads to the login screen within 3 seconds of a server that does not answer', async ({
  page,
  site,
}) => {
  await openDashboard(page, site);
  await page.waitForLoadState('networkidle');
  // No request is answered from here on, so that the login screen must be there already.
  await page.route('**/*', () => {});
  await page.getByRole('button', { name: 'Logout' }).click();
  // A busy machine needs longer; a call otherwise waits for 15 seconds.
  await expect(page).toHaveURL('/admin', { timeout: 10_000 });
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
});

test('Logout ends the session on the server, so that a copied cookie is rejected', {
  tag: '@instances',
}, async ({ page, playwright, site }) => {
  await openDashboard(page, site);
  const storageState = await page.context().storageState();
  const copiedSession = await playwright.request.newContext({ baseURL: site.origin, storageState });
  expect((await copiedSession.get('/api/analytics/dashboard')).status()).toBe(200);
  const logout = page.waitForRequest(/\/api\/admin\/logout$/);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  const request = await logout;
  expect(request.method()).toBe('POST');
  expect(request.postData()).toBeNull();
  expect((await copiedSession.get('/api/analytics/dashboard')).status()).toBe(401);
  await copiedSession.dispose();
});

test('Logout cancels the requests of a screen, which the server would refuse', async ({
  page,
  site,
}) => {
  const held: Request[] = [];
  let endSession = () => {};
  const sessionEnd = new Promise<void>((resolve) => {
    endSession = resolve;
  });
  const hold = async (route: Route) => {
    held.push(route.request());
    await sessionEnd;
    await route.continue();
  };
  // Each is sent by another module of the dashboard.
  const paths = ['/api/analytics/breakdown', '/api/analytics/months', '/api/settings/launch-check'];
  for (const path of paths) await page.route(`**${path}*`, hold);
  await openDashboard(page, site);
  const heldPaths = () => new Set(held.map((request) => new URL(request.url()).pathname));
  await expect.poll(heldPaths).toEqual(new Set(paths));
  await page.route('**/api/admin/logout', async (route) => {
    const response = await route.fetch();
    endSession();
    await Promise.all(held.map((request) => request.response()));
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  for (const request of held) expect(request.failure()?.errorText).toBe('net::ERR_ABORTED');
});

testOnEmptySite(
  'a screen whose code cannot be loaded offers to try again',
  async ({ page, emptySite: site, consoleErrors }) => {
    await page.route(/\/assets\/page-/, (route) => route.abort());
    await openDashboard(page, site);
    await page.getByRole('link', { name: /^Messages/ }).click();
    await expect(page.getByRole('alert')).toHaveText('Could not load this page. Try again');
    await expectConsoleError(consoleErrors, /ERR_FAILED/);
    await expectConsoleError(consoleErrors, /dynamically imported module/);

    await page.unroute(/\/assets\/page-/);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible();
  },
);

test('phones show the names of all controls, and do not scroll sideways', async ({
  page,
  site,
}) => {
  await openDashboard(page, site);
  const periods = page.getByRole('group', { name: 'Period' }).locator('label');
  for (const width of [320, 360, 414]) {
    await page.setViewportSize({ width, height: 700 });
    const words = ['Last 7 days', 'Last 30 days', 'Last 90 days'];
    await expect(periods, `${width} px`).toHaveText(words, { useInnerText: true });
    for (const name of ['Refresh', 'Logout']) {
      const button = page.getByRole('button', { name });
      await expect(button, `${width} px`).toHaveText(name, { useInnerText: true });
    }
    const [scrollWidth, ...excess] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      ...Array.from(document.querySelectorAll('header :is(label, button)'), (one) =>
        Math.max(one.scrollWidth - one.clientWidth, one.clientHeight - 48),
      ),
    ]);
    expect(scrollWidth, `${width} px`).toBeLessThanOrEqual(width);
    // Each name is within its control, on one line.
    expect(Math.max(...excess), `${width} px`).toBeLessThanOrEqual(0);
  }
});

testOnEmptySite('every screen says that the data are made up', async ({ page, emptySite }) => {
  await emptySite.admin('demo');
  await openDashboard(page, emptySite);
  for (const screen of ['Dashboard', 'Bookings', 'Messages', 'Settings']) {
    await page.getByRole('link', { name: screen }).first().click();
    await expect(page.getByText('Demo data.')).toBeVisible();
  }
  await expectAccessible(page, 'a screen of the demo');
});

test('Logout stands beside the brand at every width', async ({ page, site }) => {
  await openDashboard(page, site);
  const brand = page.getByRole('main').getByRole('link').first();
  const logout = page.getByRole('button', { name: 'Logout' });
  for (const width of [320, 360, 768, 992, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const [left, right] = await Promise.all([brand.boundingBox(), logout.boundingBox()]);
    if (!left || !right) throw new Error('The brand or Logout is not visible.');
    expect(left.x + left.width, `${width} px`).toBeLessThan(right.x);
    expect(right.y, `${width} px`).toBeLessThan(left.y + left.height);
  }
});
