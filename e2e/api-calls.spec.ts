import type { BrowserContext, Request } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { fillIn, messageOf, send, successText } from './contact.ts';
import { banner, dialog, expectFigures, openContact, wide } from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide });

/** Records calls to the API, as `METHOD path body`. */
function recordCalls(context: BrowserContext) {
  const calls: string[] = [];
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.startsWith('/api')) return;
    const query = [...searchParams.keys()].map((key) => `${key}=…`).join('&');
    const body = pathname === '/api/activity' ? '' : (request.postData() ?? '');
    calls.push(
      [request.method(), query ? `${pathname}?${query}` : pathname, body].join(' ').trim(),
    );
  });
  return calls;
}

const dashboard = 'GET /api/analytics/dashboard?startDate=…';
/** The calls of the insights and of the steps to go live, the only ones beyond the specification. */
const breakdown = 'GET /api/analytics/breakdown?startDate=…&asOf=…';
const months = 'GET /api/analytics/months';
const launchCheck = 'GET /api/settings/launch-check';

test('a visit to every screen makes the API calls of the specification, and three more', async ({
  page,
  context,
  site,
}) => {
  const calls = recordCalls(context);
  await context.addCookies([{ name: 'visitor', value: 'known', url: site.origin }]);
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  const expectCalls = async (...expected: string[]) => {
    await expect.poll(() => calls).toEqual(expected);
    calls.length = 0;
    // The next step cancels requests, and the browser reports no cookies of a cancelled one.
    await Promise.all(requests.map((request) => request.response()));
  };

  await page.goto('/');
  await expectCalls('POST /api/activity');
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expectCalls('POST /api/activity');
  await dialog(page, 'strategyCall').getByRole('button', { name: 'Close' }).click();
  const contact = await openContact(page);
  await expectCalls('POST /api/activity');
  const typed = messageOf('Wire Tapper');
  await fillIn(contact, typed);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await expectCalls(`POST /api/contact ${JSON.stringify(typed)}`);

  await page.goto('/admin');
  await page.getByPlaceholder('Enter admin password').fill(site.password);
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page).toHaveURL('/analytics');
  await expectFigures(page);
  await expectCalls(
    `POST /api/admin/login ${JSON.stringify({ password: site.password })}`,
    dashboard,
    breakdown,
    months,
    launchCheck,
  );
  await expect(
    page.getByText('No visits yet').or(page.getByText(/midnight to midnight/)),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expectCalls(dashboard, months, breakdown);
  await page.getByText('Last 7 days', { exact: true }).click();
  await expectCalls(dashboard, breakdown);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/admin');
  await expectCalls('POST /api/admin/logout');
  await page.getByRole('link', { name: 'Back to Sales Page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(config.hero.title);
  await expectCalls('POST /api/activity');

  await test.step('the API calls have JSON bodies and cookies, and go only to the site’s origin', async () => {
    const api = requests.filter((request) =>
      /\/api\/(admin|analytics|contact)/.test(request.url()),
    );
    expect(api.map((request) => new URL(request.url()).pathname)).toEqual([
      '/api/contact',
      '/api/admin/login',
      ...['/api/analytics/dashboard', '/api/analytics/breakdown', '/api/analytics/months'],
      ...['/api/analytics/dashboard', '/api/analytics/months', '/api/analytics/breakdown'],
      ...['/api/analytics/dashboard', '/api/analytics/breakdown'],
      '/api/admin/logout',
    ]);
    for (const request of api) {
      const headers = await request.allHeaders();
      expect(headers.cookie).toContain('visitor=known');
      if (request.postData() !== null) expect(headers['content-type']).toBe('application/json');
    }
    for (const request of requests) expect(new URL(request.url()).origin).toBe(site.origin);
  });
});
