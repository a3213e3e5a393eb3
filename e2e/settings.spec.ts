import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openTestSmtp, type TestSmtp } from '../server/testing/smtp.ts';
import { expectAccessibleInBothSchemes, expectAccessibleOnAllScreens } from './axe.ts';
import { sendPageView } from './page-views.ts';
import { openDashboard, signIn, wide } from './screens.ts';
import {
  expect,
  expectConsoleError,
  type RunningSite,
  runSite,
  test,
  testOnEmptySite,
} from './site.ts';

test.use({ viewport: wide });

/** A site whose password is not set by the environment, with a mail server. */
const testOnOwnSite = test.extend<{ smtp: TestSmtp; ownSite: RunningSite }>({
  smtp: async ({ engine: _ }, use) => {
    const smtp = await openTestSmtp();
    await use(smtp);
    await smtp.close();
  },
  ownSite: async ({ engine, smtp }, use) => {
    const { site, stop } = await runSite(engine, {
      env: { ADMIN_PASSWORD: undefined, SMTP_URL: smtp.url, CONTACT_TO: 'owner@my-domain.com' },
    });
    await use(site);
    await stop();
  },
  baseURL: ({ ownSite }, use) => use(ownSite.origin),
});

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** The entry of a part in the list of Settings; its name begins with that of the part. */
const entry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });

/** Goes to a part of Settings by the list, and returns it. */
async function openPart(page: Page, name: string) {
  await entry(page, name).click();
  await expect(page.getByRole('heading', { level: 2, name })).toBeFocused();
  return panel(page, name);
}

testOnOwnSite(
  'the owner checks the site and changes password, sessions and email under Settings',
  async ({ page, browser, ownSite, smtp, consoleErrors }) => {
    const newPassword = 'plum tractor seldom violet';
    await openDashboard(page, ownSite);
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL('/analytics/settings');
    await expect(page).toHaveTitle('Settings');

    await test.step('the launch check says the same as npm run launch-check', async () => {
      const launch = await openPart(page, 'Before you go live');
      await expect(page).toHaveURL('/analytics/settings/launch');
      await expect(launch.getByText('PUBLIC_URL is not set.')).toBeVisible();
      await expect(launch.getByText('Done: A mail server is set.')).toBeVisible();
      await expect(launch.getByText(/^\d+ things to do before going live\.$/)).toBeVisible();
      await launch.getByRole('button', { name: 'Check again' }).click();
      await expect(launch.getByText(/^Checked at/)).toBeVisible();
    });

    await test.step('a wrong and a weak password are shown at their fields', async () => {
      await openPart(page, 'Password');
      await page.getByLabel('Current password').fill('wrong');
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByRole('alert')).toHaveText('Your current password is another one.');
      await page.getByLabel('Current password').fill(ownSite.password);
      await page.getByLabel('New password').fill('Password1234');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByRole('alert')).toContainText('words that attackers try first');
      await expectConsoleError(consoleErrors, /status of 40[03]/);
      await expectAccessibleOnAllScreens(page, 'the settings with an error');
    });

    const other = await browser.newContext({
      baseURL: ownSite.origin,
      extraHTTPHeaders: { 'x-forwarded-for': '203.0.113.7' },
    });
    const otherPage = await other.newPage();
    await signIn(otherPage, ownSite);

    await test.step('another browser is listed and signed out', async () => {
      await page.reload();
      await expect(entry(page, 'Devices')).toContainText('2 are signed in');
      const sessions = await openPart(page, 'Devices');
      await expect(sessions.getByRole('listitem')).toHaveCount(2);
      await expect(sessions.getByText('(this browser)')).toHaveCount(1);
      await sessions.getByRole('button', { name: /^Sign out .+, signed in/ }).click();
      await expect(sessions.getByText(/was signed out\.$/)).toBeFocused();
      await expect(sessions.getByRole('listitem')).toHaveCount(1);
      await expect(entry(page, 'Devices')).toContainText('Only this browser');
      expect((await otherPage.request.get('/api/admin/sessions')).status()).toBe(401);
    });

    await test.step('a new password signs the other browser out, and this one stays', async () => {
      await signIn(otherPage, ownSite);
      await openPart(page, 'Password');
      await page.getByLabel('Current password').fill(ownSite.password);
      await page.getByLabel('New password').fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(page.getByText('Your password was changed.')).toBeVisible();
      await page.reload();
      await expect(page.getByLabel('Current password')).toHaveValue('');
      expect((await otherPage.request.get('/api/admin/sessions')).status()).toBe(401);
      await signIn(otherPage, { ...ownSite, password: newPassword });
      await other.close();
    });

    await test.step('a test email arrives, and a refusal is shown in words', async () => {
      const email = await openPart(page, 'Email');
      await email.getByRole('button', { name: 'Send a test email' }).click();
      await expect(email.getByText(/took the email to owner@my-domain\.com/)).toBeVisible();
      expect(smtp.emails.map(({ subject }) => subject)).toContain(
        'Test: emails of your site reach you',
      );
      smtp.setBehaviour('reject email');
      await email.getByRole('button', { name: 'Send a test email' }).click();
      await expect(email.getByRole('alert')).toContainText('554 Looks like spam');
      smtp.setBehaviour('reject recipient');
      await email.getByRole('button', { name: 'Send a test email' }).click();
      await expect(
        email.getByText(/does not know the recipient\. Check the address/),
      ).toBeVisible();
      const answer = email.getByText('550 No such mailbox');
      await expect(answer).toBeHidden();
      await email.getByText('What the mail server says').click();
      await expect(answer).toBeVisible();
      await expectConsoleError(consoleErrors, /status of 422/);
      smtp.setBehaviour('accept');
    });

    await test.step('the owner’s log says what was done, and what was refused', async () => {
      const log = await openPart(page, 'Owner’s log');
      await expect(log.getByText('Password changed').first()).toBeVisible();
      await expect(log.getByText(/^Wrong password/).first()).toBeVisible();
    });

    await test.step('a small screen shows the list, and each part with a way back, no wider than itself', async () => {
      await page.setViewportSize({ width: 320, height: 640 });
      const back = page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Settings' });
      await back.click();
      const names = await page
        .getByRole('navigation', { name: 'Settings' })
        .locator('[data-name]')
        .allInnerTexts();
      expect(names).toHaveLength(14);
      const fits = () =>
        expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBeLessThanOrEqual(320);
      await fits();
      await expectAccessibleInBothSchemes(page, 'the list at 320 px');
      const links = page.getByRole('navigation', { name: 'Screens' });
      expect((await links.boundingBox())?.height).toBeLessThanOrEqual(48);
      for (const name of names) {
        await openPart(page, name);
        await fits();
        await expectAccessibleInBothSchemes(page, `${name} at 320 px`);
        await page.goBack();
        await expect(entry(page, name)).toBeFocused();
      }
    });

    await test.step('the list and each part beside it are reached by keyboard, with forced colours too', async () => {
      await page.setViewportSize(wide);
      await page.emulateMedia({ forcedColors: 'active' });
      await entry(page, 'Domain').focus();
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 2, name: 'Domain' })).toBeFocused();
      await expect(entry(page, 'Domain')).toHaveAttribute('aria-current', 'page');
      await expect(panel(page, 'Domain').getByText('PUBLIC_URL is not set.')).toBeVisible();
      await expectAccessibleOnAllScreens(page, 'a part of Settings with forced colours');
    });
  },
);

test('the owner creates, copies and revokes an API key under Settings', async ({
  page,
  context,
  site,
  consoleErrors,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, site);
  await page.goto('/analytics/settings/webhooks');
  const keys = panel(page, 'API keys');
  const items = keys.getByRole('listitem');
  await expect(items).toHaveText([/CONVERSION_KEY.*write:conversions.*Set in the environment/]);
  const status = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await page.request.get('/api/bookings', { headers })).status();
  };

  await keys.getByText('Create an API key').click();
  await keys.getByLabel('Name of the program').fill('Spreadsheet');
  await keys.getByLabel('Read bookings').check();
  await expectAccessibleOnAllScreens(page, 'the form of an API key');
  await keys.getByRole('button', { name: 'Create key' }).click();
  const shown = keys.getByLabel('Your new API key');
  await expect(shown).toBeFocused();
  await keys.getByRole('button', { name: 'Copy' }).click();
  await expect(keys.getByText('Copied.')).toBeVisible();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  expect(key).toMatch(/^shingle_[0-9a-f]{48}$/);
  await expect(shown).toHaveValue(key);
  await expectAccessibleInBothSchemes(page, 'a new API key');
  expect(await status(key)).toBe(200);

  await page.reload();
  await expect(items).toHaveCount(2);
  await expect(items.last()).toContainText(`${key.slice(0, 16)}… read:bookings`);
  await expect(items.last()).toContainText(/Created .+\. Last used .+, or up to an hour later/);
  expect(await page.content()).not.toContain(key.slice(16));

  await items.last().getByRole('button', { name: 'Revoke' }).click();
  await expectAccessibleInBothSchemes(page, 'the question before a key is revoked');
  await items.last().getByRole('button', { name: 'Cancel' }).click();
  expect(await status(key)).toBe(200);
  await items.last().getByRole('button', { name: 'Revoke' }).click();
  await items.last().getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(keys.getByText('Spreadsheet was revoked.')).toBeFocused();
  await expect(items).toHaveCount(1);
  expect(await status(key)).toBe(401);

  await keys.getByText('Create an API key').click();
  await keys.getByLabel('Name of the program').fill('Nothing');
  await keys.getByRole('button', { name: 'Create key' }).click();
  await expect(keys.getByRole('alert')).toHaveText('Please choose what the key may do.');
  await expectConsoleError(consoleErrors, /status of 400/);
});

testOnOwnSite(
  'a password manager’s "Change password" opens the form, or the login when signed out',
  async ({ page, ownSite, consoleErrors }) => {
    const address = '/.well-known/change-password';
    await page.goto(address);
    await expect(page.getByPlaceholder('Enter admin password')).toBeVisible();
    // Each request of the screen is refused; the first one has led here.
    await page.waitForLoadState('networkidle');
    await expectConsoleError(consoleErrors, /401/);
    await signIn(page, ownSite);
    await page.goto(address);
    await expect(page.getByLabel('Current password')).toBeVisible();
    await expect(page).toHaveURL('/analytics/settings/password');
  },
);

test('Settings say what to change in the environment', async ({ page, site }) => {
  await signIn(page, site);
  await page.goto('/analytics/settings/password');
  await expect(panel(page, 'Password')).toContainText('ADMIN_PASSWORD is set');
  await openPart(page, 'Email');
  await expect(panel(page, 'Email')).toContainText('nobody gets an email');
});

test('the owner finds, downloads and erases a person under Settings', async ({ page, site }) => {
  const email = 'people-of-settings@example.com';
  await page.request.post('/api/contact', {
    data: { name: 'Aisha', email, message: 'Please erase me.' },
  });
  await signIn(page, site);
  await page.goto('/analytics/settings/people');
  const people = panel(page, 'People’s data');
  await people.getByLabel('Email address of the person').fill(email);
  await page.keyboard.press('Enter');
  await expect(people.getByText('Found: 1 message.')).toBeVisible();
  const downloading = page.waitForEvent('download');
  await people.getByRole('button', { name: 'Download all' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`${email}.json`);
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    ...{ email, messages: [{ message: 'Please erase me.' }], bookings: [], sales: [] },
  });
  await people.getByRole('button', { name: 'Erase …' }).click();
  await expect(people.getByText('Erase 1 message for ever?')).toBeFocused();
  await expectAccessibleOnAllScreens(page, 'the question before a person is erased');
  await people.getByRole('button', { name: 'Erase for ever' }).click();
  await expect(people.getByText('Erased: 1 message.')).toBeFocused();
  await people.getByRole('button', { name: 'Find' }).click();
  await expect(people.getByText(`Nothing is stored about ${email}.`)).toBeVisible();
});

testOnEmptySite(
  'the empty dashboard lists first steps, and one with visits links to them',
  async ({ page, request, emptySite }) => {
    await openDashboard(page, emptySite);
    const steps = panel(page, 'Before you go live');
    await expect(steps.getByText('PUBLIC_URL is not set.')).toBeVisible();
    await expect(steps.getByText('Done: Your password and keys are your own.')).toBeVisible();
    const link = page.getByRole('link', { name: /^\d+ steps to go live$/ });
    const count = Number.parseInt((await link.textContent()) ?? '', 10);
    await expectAccessibleOnAllScreens(page, 'the empty dashboard with first steps');
    await steps.getByRole('link', { name: 'All steps' }).click();
    await expect(page).toHaveURL('/analytics/settings/launch');
    await expect(steps.getByText(`${count} things to do before going live.`)).toBeVisible();

    await sendPageView(request, emptySite);
    await page.goto('/analytics');
    await expect(page.getByRole('slider', { name: 'Page Views by day' })).toBeVisible();
    await expect(steps).toHaveCount(0);
    await link.click();
    await expect(page).toHaveURL('/analytics/settings/launch');
  },
);
