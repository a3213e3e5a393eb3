import { site as words } from '../site.config.ts';
import { expectAccessibleInBothSchemes, expectAccessibleOnAllScreens } from './axe.ts';
import { fillIn, messageOf, regret, send, thanks } from './contact.ts';
import { reportSale } from './sales.ts';
import { banner, dialog, footer, openDashboard, wide } from './screens.ts';
import { expect, expectComplaint, test, testOnEmptySite } from './site.ts';

test.use({ viewport: wide });

test('axe finds nothing on the landing page, in its menu and in its dialogs', async ({ page }) => {
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
  await page.getByRole('button', { name: words.assessment.review.action }).click();
  await expect(dialog(page, 'inboxReview')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the inbox review');
  await page.keyboard.press('Escape');
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect(dialog(page, 'strategyCall')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the strategy call');
});

test('axe finds nothing with the contact form open, after a failure and after the thank-you', async ({
  page,
  complaints,
}) => {
  await page.goto('/#contact');
  const contact = dialog(page, 'contact');
  await expect(contact).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the contact form');
  await fillIn(contact, messageOf('Axe'));
  await page.route('**/api/contact', (route) => route.abort());
  await send(contact).click();
  await expect(contact.getByRole('alert')).toHaveText(regret);
  await expectAccessibleOnAllScreens(page, 'the contact form after a failure');
  await expectComplaint(complaints, /Failed to/);
  await page.unroute('**/api/contact');
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  // A toast stays while it has the focus.
  await page.getByRole('button', { name: words.labels.close }).focus();
  await expectAccessibleOnAllScreens(page, 'the thank-you');
  await expect(page.getByRole('alert')).toBeVisible();
});

test('axe finds nothing on the 404 page', async ({ page, complaints }) => {
  await page.goto('/nowhere');
  await expectAccessibleOnAllScreens(page, 'the 404 page');
  await expectComplaint(complaints, /status of 404/);
});

test('axe finds nothing on the pages that answer a form without JavaScript', async ({
  page,
  complaints,
}) => {
  await page.route(/\/assets\/(boot|contact)-/, (route) => route.abort());
  await page.goto('/');
  await footer(page).getByRole('button', { name: words.footer.email }).click();
  const contact = dialog(page, 'contact');
  await fillIn(contact, { ...messageOf('Plain'), name: '  ' });
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText('Please fill in your name.');
  await expectAccessibleOnAllScreens(page, 'the refusal');
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText(thanks)).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the thank-you');
  await expectComplaint(complaints, /status of 400|ERR_FAILED/);
});

test('axe finds nothing on the login screen, before and after a wrong password', async ({
  page,
  complaints,
}) => {
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the login screen');
  await page.getByPlaceholder('Enter admin password').fill('wrong');
  await page.getByRole('button', { name: 'Access Dashboard' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessibleOnAllScreens(page, 'the refusal');
  await expectComplaint(complaints, /status of 401/);
});

testOnEmptySite(
  'axe finds nothing on the dashboard, empty and with sales',
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
