/** What a browser shows after Logout: from its back/forward cache, and in other tabs. */
import type { Page } from '@playwright/test';
import { installedBrowser } from './browser.ts';
import { messageOf } from './contact.ts';
import { openDashboard, signIn } from './screens.ts';
import { test as base, expect, expectConsoleError } from './site.ts';

const test = base.extend({
  // A headless shell has no back/forward cache, and Playwright disables it by default.
  launchOptions: [
    async ({ launchOptions: { args = [], ...rest } }, use) => {
      const fullBrowser = installedBrowser();
      await use({
        ...rest,
        args: [...args, '--headless=new'],
        ...(fullBrowser && { executablePath: fullBrowser }),
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
    },
    { scope: 'worker' },
  ],
});

const message = messageOf('Private Visitor');

const logout = (page: Page) => page.getByRole('button', { name: 'Logout' }).click();

test('Back after Logout shows no message, not even from the back/forward cache', async ({
  page,
  site,
  consoleErrors,
}) => {
  await page.request.post('/api/contact', { data: message });
  await page.addInitScript(() => {
    const record = (text: string) =>
      sessionStorage.setItem('shown', `${sessionStorage.getItem('shown') ?? ''}${text}\n`);
    // Before the page can ask the server.
    addEventListener('pageshow', () => record(`${location.pathname}: ${document.body?.innerText}`));
  });
  await signIn(page, site);
  await page.goto('/analytics/messages');
  await expect(page.getByRole('button', { name: message.name })).toBeVisible();
  const entry = await page.evaluate(() => history.length);
  await page.goto('/analytics');
  await logout(page);
  await expect(page).toHaveURL('/admin');

  // Playwright's `goBack` waits for a load, which the back/forward cache saves.
  await page.evaluate((entry) => {
    sessionStorage.removeItem('shown');
    setTimeout(() => history.go(entry - history.length));
  }, entry);
  await page.waitForFunction(() => sessionStorage.getItem('shown')?.includes('/messages: '));
  await expect(page).toHaveURL('/admin');
  const shown = await page.evaluate(() => sessionStorage.getItem('shown'));
  expect(shown).not.toContain(message.name);
  // Each request of the screen is refused; the first one has led here.
  await page.waitForLoadState('networkidle');
  await expectConsoleError(consoleErrors, /status of 401/);
});

test('a screen that the browser restores is hidden until it is loaded again', async ({
  page,
  site,
}) => {
  await openDashboard(page, site);
  const wasHidden = await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    const isHidden = document.body.innerText === '';
    setTimeout(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    return isHidden;
  });
  expect(wasHidden).toBe(true);
  await expect(page.getByRole('heading', { name: 'Analytics Dashboard' })).toBeVisible();
});

test('fields of the screens offer nothing that was typed before', async ({ page, site }) => {
  await signIn(page, site);
  await page.goto('/analytics/messages');
  await expect(page.getByRole('searchbox')).toHaveAttribute('autocomplete', 'off');
  await page.goto('/analytics/bookings');
  await page.getByRole('button', { name: 'Block a time' }).click();
  await expect(page.getByLabel('Note (optional)')).toHaveAttribute('autocomplete', 'off');
  await page.goto('/analytics/settings/webhooks');
  await page.getByText('Create an API key').click();
  await expect(page.getByLabel('Name of the program')).toHaveAttribute('autocomplete', 'off');
});

test('Logout leads to the login screen in every tab', async ({ page, context, site }) => {
  await openDashboard(page, site);
  const otherTab = await context.newPage();
  await otherTab.goto('/analytics/settings');
  await expect(otherTab.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await logout(page);
  for (const tab of [page, otherTab]) await expect(tab).toHaveURL('/admin');
});
