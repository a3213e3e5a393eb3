import { expectAccessibleInBothSchemes, expectAccessibleOnAllScreens } from './axe.ts';
import { config } from './config.ts';
import { failureText, fillIn, messageOf, send, successText } from './contact.ts';
import { reportSale } from './sales.ts';
import { banner, dialog, footer, openDashboard, wide } from './screens.ts';
import { expect, expectConsoleError, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

test('the landing page, its menu and its dialogs have no axe violations', async ({ page }) => {
  await page.goto('/');
  await expectAccessibleOnAllScreens(page, 'the page');
  for (const [width, menu] of [
    [360, 'Menu'],
    [1280, 'Services'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await banner(page).getByRole('button', { name: menu }).click();
    await expect(banner(page).getByRole('link', { name: 'System Optimization' })).toBeVisible();
    await expectAccessibleInBothSchemes(page, `its menu at ${width} px`);
    await page.keyboard.press('Escape');
  }
  await page.locator('#quiz').evaluate((quiz: HTMLDialogElement) => quiz.showModal());
  await expectAccessibleOnAllScreens(page, 'the quiz');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: config.assessment.review.action }).click();
  await expect(dialog(page, 'inboxReview')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the inbox review');
  await page.keyboard.press('Escape');
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect(dialog(page, 'strategyCall')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the strategy call');
});

test('the contact form has no axe violations when open, after a failure and after the thank-you', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/#contact');
  const contact = dialog(page, 'contact');
  await expect(contact).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the contact form');
  await fillIn(contact, messageOf('Axe'));
  await page.route('**/api/contact', (route) => route.abort());
  await send(contact).click();
  await expect(contact.getByRole('alert')).toHaveText(failureText);
  await expectAccessibleOnAllScreens(page, 'the contact form after a failure');
  await expectConsoleError(consoleErrors, /Failed to/);
  await page.unroute('**/api/contact');
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  // A toast with the focus does not time out.
  await page.getByRole('button', { name: config.labels.close }).focus();
  await expectAccessibleOnAllScreens(page, 'the thank-you');
  await expect(page.getByRole('alert')).toBeVisible();
});

test('the imprint and the privacy page have no axe violations', async ({ page }) => {
  for (const path of ['/imprint', '/privacy']) {
    await page.goto(path);
    await expectAccessibleOnAllScreens(page, path);
  }
});

test('the 404 page has no axe violations', async ({ page, consoleErrors }) => {
  await page.goto('/nowhere');
  await expectAccessibleOnAllScreens(page, 'the 404 page');
  await expectConsoleError(consoleErrors, /status of 404/);
});

test('the form result pages without JavaScript have no axe violations', async ({
  page,
  consoleErrors,
}) => {
  await page.route(/\/assets\/(boot|contact)-/, (route) => route.abort());
  await page.goto('/');
  await footer(page).getByRole('button', { name: config.footer.email }).click();
  const contact = dialog(page, 'contact');
  await fillIn(contact, { ...messageOf('Plain'), name: '  ' });
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText('Please fill in your name.');
  await expectAccessibleOnAllScreens(page, 'the refusal');
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(successText)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the thank-you');
  await expectConsoleError(consoleErrors, /status of 400|ERR_FAILED/);
});

test('the login screen has no axe violations before and after a wrong password', async ({
  page,
  consoleErrors,
}) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the login screen');
  await page.getByPlaceholder('Enter admin password').fill('wrong');
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the refusal');
  await expectConsoleError(consoleErrors, /status of 401/);
});

testOnEmptySite(
  'the dashboard has no axe violations, empty and with sales',
  async ({ page, request, emptySite }) => {
    await openDashboard(page, emptySite);
    await expectAccessibleOnAllScreens(page, 'the empty dashboard');
    await reportSale(request, emptySite, { id: 'a', amount: 100, email: 'a@b.example' });
    await reportSale(request, emptySite, { id: 'b', amount: 200, source: 'newsletter' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText('a@b.example')).toBeVisible();
    await expectAccessibleOnAllScreens(page, 'the dashboard with sales');
  },
);
