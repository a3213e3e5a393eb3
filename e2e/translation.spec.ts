/** Pages, forms and the login while the browser translates them, as Chrome does. */
import { config } from './config.ts';
import { delayRequests, failureText, fillIn, messageOf, send, successText } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact, wide } from './screens.ts';
import { expect, expectConsoleError, testOnEmptySite as test } from './site.ts';
import { translate } from './translate.ts';

test.use({ viewport: wide });

test('a translated login screen shows an error and then the dashboard', async ({
  page,
  emptySite,
  consoleErrors,
}) => {
  await page.addInitScript(translate);
  await page.goto('/admin');
  const field = page.getByRole('textbox', { name: 'Password' });
  for (const password of ['wrong', 'wrong again']) {
    await field.fill(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toHaveText('Invalid password');
  }
  await page.getByRole('button', { name: 'Show password' }).click();
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expectConsoleError(consoleErrors, /status of 401/);
  await field.fill(emptySite.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Analytics Dashboard' })).toBeVisible();
});

test('a translated contact form keeps what was typed, and shows a failure and a success', async ({
  page,
  consoleErrors,
}) => {
  await page.addInitScript(translate);
  // Playwright fills a field in two steps, between which hydration may move the focus.
  const hydrate = await delayRequests(page, /\/assets\/contact-/);
  await openBooted(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Translated Visitor'));
  hydrate();
  // React renders the island anew, and the fields keep their texts.
  await expectConsoleError(consoleErrors, /#418/);
  await page.route('**/api/contact', (route) => route.abort(), { times: 1 });
  await send(contact).click();
  await expect(contact.getByRole('alert')).toHaveText(failureText);
  await expect(contact.getByLabel('Name')).toHaveValue('Translated Visitor');
  await expectConsoleError(consoleErrors, /ERR_FAILED|Failed to fetch/);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
});

test('a call is booked and answered on translated pages', async ({ page }) => {
  const copy = config.bookingPages;
  await page.addInitScript(translate);
  await page.goto('/book/strategy-call');
  const day = page.locator('html:not([data-asks-zone=yes]) details').nth(1);
  await day.locator('summary').click();
  await day.locator('label').first().click();
  await page.getByLabel(config.contactPages.name).fill('Translated Caller');
  await page.getByLabel(config.contactPages.email).fill('caller@studio.example');
  await page.getByRole('button', { name: copy.book }).click();
  await expect(page.getByRole('heading', { level: 1, name: copy.booked })).toBeVisible();
  await page.getByRole('button', { name: copy.save }).click();
  await expect(page.getByRole('status')).toHaveText(copy.saved);
});
