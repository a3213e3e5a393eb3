import type { Page } from '@playwright/test';
import { delayRequests } from './contact.ts';
import { expectFigures } from './screens.ts';
import { expect, expectConsoleError, type RunningSite, test } from './site.ts';

const password = (page: Page) => page.getByRole('textbox', { name: 'Password' });
const submit = (page: Page) => page.getByRole('button', { name: /^(Access Dashboard|Logging in)/ });

/** Records the bodies of the page's login requests. */
function recordLogins(page: Page) {
  const logins: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/admin/login')) logins.push(request.postDataJSON());
  });
  return logins;
}

test('the login screen shows the result of each login', async ({ page, site, consoleErrors }) => {
  await page.goto('/admin');

  await test.step('the login screen has the copy of the specification', async () => {
    await expect(page).toHaveTitle(/Admin Access/);
    await expect(page.getByRole('heading', { level: 1, name: 'Admin Access' })).toBeVisible();
    await expect(
      page.getByText('Enter your password to access the analytics dashboard'),
    ).toBeVisible();
    await expect(page.getByPlaceholder('Enter admin password')).toBeVisible();
    await expect(submit(page)).toHaveText('Access Dashboard');
    await page.getByRole('link', { name: 'Back to Sales Page' }).click();
    await expect(page).toHaveURL('/');
    await page.goto('/admin');
  });

  await test.step('the browser validates the required password', async () => {
    const logins = recordLogins(page);
    await submit(page).click();
    await expect(password(page)).toBeFocused();
    expect(await password(page).evaluate((el: HTMLInputElement) => el.validity.valueMissing)).toBe(
      true,
    );
    expect(logins).toEqual([]);
  });

  await test.step('the password can be shown and hidden by mouse and by keyboard', async () => {
    const field = page.getByPlaceholder('Enter admin password');
    await field.fill('visible to me');
    await expect(field).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(field).toHaveAttribute('type', 'text');
    await expect(field).toHaveValue('visible to me');
    await expect(page.getByText('Your password is visible')).toBeAttached();
    await page.getByRole('button', { name: 'Hide password' }).press('Enter');
    await expect(field).toHaveAttribute('type', 'password');
    await expect(field).toHaveValue('visible to me');
  });

  await test.step('a wrong password shows the server’s error text', async () => {
    await password(page).fill('not this one');
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid password');
    await expect(page).toHaveURL('/admin');
    await expect(password(page)).toBeFocused();
    await expect(password(page)).toHaveAccessibleDescription('Invalid password');
    await expect(submit(page)).toBeEnabled();
    await expectConsoleError(consoleErrors, /status of 401/);
  });

  await test.step('a rate limit shows the server’s error text', async () => {
    const error = 'Too many requests. Please wait a little and try again.';
    await page.route('**/api/admin/login', (route) =>
      route.fulfill({ status: 429, json: { error } }),
    );
    await password(page).fill('anything');
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText(error);
    await expectConsoleError(consoleErrors, /status of 429/);
    await page.unroute('**/api/admin/login');
  });

  await test.step('an error response without a text shows Invalid password', async () => {
    await page.route('**/api/admin/login', (route) => route.fulfill({ status: 401, json: {} }));
    await password(page).fill('anything');
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid password');
    await expectConsoleError(consoleErrors, /status of 401/);
    await page.unroute('**/api/admin/login');
  });

  await test.step('a network error shows Login failed. Please try again.', async () => {
    await page.route('**/api/admin/login', (route) => route.abort());
    await password(page).fill(site.password);
    await submit(page).click();
    await expect(page.getByRole('alert')).toHaveText('Login failed. Please try again.');
    await expect(submit(page)).toHaveText('Access Dashboard');
    await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
    await page.unroute('**/api/admin/login');
    await submit(page).click();
    await expect(page).toHaveURL('/analytics');
    await expectFigures(page);
  });

  await test.step('the password is not in the URL, storage or markup', async () => {
    const traces = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
        document.documentElement.outerHTML,
      ]),
    );
    expect(traces).not.toContain(site.password);
  });
});

test('the right password opens the dashboard with one request when Enter is pressed twice', {
  tag: '@instances',
}, async ({ page, site }) => {
  await page.goto('/admin');
  const logins = recordLogins(page);
  const release = await delayRequests(page, /\/api\/admin\/login$/);
  await password(page).fill(site.password);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(submit(page)).toHaveText('Logging in...');
  await expect(submit(page)).toBeDisabled();
  // An unread response would count as aborted.
  const finished = page.waitForEvent('requestfinished', (request) =>
    request.url().endsWith('/api/admin/login'),
  );
  release();
  await expect(page).toHaveURL('/analytics');
  await finished;
  await expectFigures(page);
  expect(logins).toEqual([{ password: site.password }]);
});

/** Creates a sign-in link; returns its path and fragment. */
async function newLink(site: RunningSite): Promise<string> {
  const { pathname, hash } = new URL(await site.admin('sign-in-link'));
  expect(`${pathname}${hash}`).toMatch(/^\/admin#sign-in=[\w-]{43}$/);
  return `${pathname}${hash}`;
}

test('a sign-in link signs in once', async ({ page, site, consoleErrors }) => {
  await page.goto('/admin');
  const link = await newLink(site);

  await test.step('a sign-in link opens the dashboard and leaves no trace', async () => {
    // The page is already open at this path, so only the fragment changes.
    await page.goto(link);
    await expect(page).toHaveURL('/analytics');
    await expectFigures(page);
    const token = link.replace(/.*=/, '');
    const traces = () =>
      page.evaluate(() =>
        JSON.stringify([
          location.href,
          { ...localStorage },
          { ...sessionStorage },
          document.cookie,
          document.documentElement.outerHTML,
        ]),
      );
    expect(await traces()).not.toContain(token);
    await page.goBack();
    await expect(page).toHaveURL('/admin');
    expect(await traces()).not.toContain(token);
  });

  await test.step('a used sign-in link shows an error, and the password still works', async () => {
    await page.context().clearCookies();
    await page.goto('/');
    await page.goto(link);
    await expect(page.getByRole('alert')).toHaveText(
      'This sign-in link is not valid any more. Please create another: npm run admin -- sign-in-link',
    );
    await expect(page).toHaveURL('/admin');
    await expectConsoleError(consoleErrors, /status of 401/);
    await password(page).fill(site.password);
    await submit(page).click();
    await expect(page).toHaveURL('/analytics');
  });
});
