import { site as words } from '../site.config.ts';
import { expectAccessible } from './axe.ts';
import { fillIn, messageOf, regret, send, thanks } from './contact.ts';
import { reportSale } from './sales.ts';
import { banner, dialog, footer, openDashboard } from './screens.ts';
import { expect, expectComplaint, testOnEmptySite as test } from './site.ts';

for (const width of [360, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`at ${width} px in ${colorScheme} colours, axe finds nothing`, () => {
      test.use({ viewport: { width, height: 800 }, colorScheme, reducedMotion: 'reduce' });

      test('on the landing page and in its menu', async ({ page }) => {
        await page.goto('/');
        await expectAccessible(page, 'the page');
        const menu = width < 992 ? 'Menu' : 'Services';
        await banner(page).getByRole('button', { name: menu }).click();
        await expect(banner(page).getByRole('link', { name: 'System Optimization' })).toBeVisible();
        await expectAccessible(page, 'its menu');
      });

      test('with each dialog open', async ({ page }) => {
        await page.goto('/');
        await page.locator('#quiz').evaluate((quiz: HTMLDialogElement) => quiz.showModal());
        await expectAccessible(page, 'the quiz');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: words.assessment.review.action }).click();
        await expect(dialog(page, 'inboxReview')).toBeVisible();
        await expectAccessible(page, 'the inbox review');
        await page.keyboard.press('Escape');
        await banner(page).getByRole('button', { name: 'Get Started' }).click();
        await expect(dialog(page, 'strategyCall')).toBeVisible();
        await expectAccessible(page, 'the strategy call');
      });

      test('with the contact form open, refused and answered', async ({ page, complaints }) => {
        await page.goto('/#contact');
        const contact = dialog(page, 'contact');
        await expect(contact).toBeVisible();
        await expectAccessible(page, 'the contact form');
        await fillIn(contact, messageOf('Axe'));
        await page.route('**/api/contact', (route) => route.abort());
        await send(contact).click();
        await expect(contact.getByRole('alert')).toHaveText(regret);
        await expectAccessible(page, 'the contact form after a failure');
        await expectComplaint(complaints, /Failed to/);
        await page.unroute('**/api/contact');
        await send(contact).click();
        await expect(page.getByRole('alert')).toHaveText(thanks);
        await expectAccessible(page, 'the thank-you');
      });

      test('on the 404 page', async ({ page, complaints }) => {
        await page.goto('/nowhere');
        await expectAccessible(page, 'the page');
        await expectComplaint(complaints, /status of 404/);
      });

      test('on the pages that answer a form without JavaScript', async ({ page, complaints }) => {
        await page.route(/\/assets\/(boot|contact)-/, (route) => route.abort());
        await page.goto('/');
        await footer(page).getByRole('button', { name: words.footer.email }).click();
        const contact = dialog(page, 'contact');
        await fillIn(contact, { ...messageOf('Plain'), name: '  ' });
        await send(contact).click();
        await expect(page.getByRole('alert')).toHaveText('Please fill in your name.');
        await expectAccessible(page, 'the refusal');
        await page.getByLabel('Name').fill('Plain');
        await page.getByRole('button', { name: 'Send' }).click();
        await expect(page.getByText(thanks)).toBeVisible();
        await expectAccessible(page, 'the thank-you');
        await expectComplaint(complaints, /status of 400|ERR_FAILED/);
      });

      test('on the login screen', async ({ page, complaints }) => {
        await page.goto('/admin');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page, 'the screen');
        await page.getByPlaceholder('Enter admin password').fill('wrong');
        await page.getByRole('button', { name: 'Access Dashboard' }).click();
        await expect(page.getByRole('alert')).toBeVisible();
        await expectAccessible(page, 'the refusal');
        await expectComplaint(complaints, /status of 401/);
      });

      test('on the dashboard', async ({ page, request, emptySite }) => {
        await openDashboard(page, emptySite);
        await expectAccessible(page, 'empty');
        await reportSale(request, emptySite, { id: 'a', amount: 100, email: 'a@b.example' });
        await reportSale(request, emptySite, { id: 'b', amount: 200, source: 'newsletter' });
        await page.getByRole('button', { name: 'Refresh' }).click();
        await expect(page.getByText('a@b.example')).toBeVisible();
        await expectAccessible(page, 'with sales');
      });
    });
  }
}
