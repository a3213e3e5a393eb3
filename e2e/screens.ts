/** The way to each screen and dialog, by what a person sees. */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expect, type RunningSite } from './site.ts';

export const narrow = { width: 390, height: 844 };
export const wide = { width: 1280, height: 800 };

export const banner = (page: Page) => page.getByRole('banner');
export const footer = (page: Page) => page.getByRole('contentinfo');

/** The dialogs of the public page, by their titles. */
export const dialogTitles = {
  strategyCall: words.dialogs.strategyCall.title,
  inboxReview: words.dialogs.inboxReview.title,
  contact: words.dialogs.contact.title,
  quiz: words.dialogs.quiz.title,
};

export const dialog = (page: Page, name: keyof typeof dialogTitles): Locator =>
  page.getByRole('dialog', { name: dialogTitles[name] });

/** Opens the contact dialog from the header and returns it. */
export async function openContact(page: Page): Promise<Locator> {
  await banner(page).getByRole('button', { name: words.header.contact }).click();
  const contact = dialog(page, 'contact');
  await expect(contact).toBeVisible();
  return contact;
}

/** The mouse goes up and out of the window, as if to close the tab. */
export async function leaveByTheTop(page: Page): Promise<void> {
  await page.mouse.move(300, 300);
  await page.mouse.move(300, 2);
  await page.mouse.move(300, -5);
}

/** Scrolls to a share of the way the page can go, and waits until the page was told. */
export const scrollToShare = (page: Page, share: number) =>
  page.evaluate(
    (share) =>
      new Promise<void>((resolve) => {
        document.addEventListener('scroll', () => resolve(), { once: true });
        const way = document.documentElement.scrollHeight - innerHeight;
        scrollTo({ top: share * way, behavior: 'instant' });
      }),
    share,
  );

/** Answers for every host of the placeholders, so that no test leaves this machine. */
export const standInForOtherHosts = (context: BrowserContext) =>
  context.route(/^https:\/\/[\w.]+\.example\//, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Another site</title>' }),
  );

/** Signs the page's browser in, without the login screen. */
export async function signIn(page: Page, { password }: RunningSite): Promise<void> {
  const answer = await page.request.post('/api/admin/login', { data: { password } });
  expect(answer.status()).toBe(200);
}

/** Signs in and waits for the dashboard's first figures. */
export async function openDashboard(page: Page, site: RunningSite): Promise<void> {
  await signIn(page, site);
  await page.goto('/analytics');
  await expectFigures(page);
}

/** Waits until the dashboard has been told its figures. */
export const expectFigures = (page: Page) =>
  expect(page.getByText(/^Last updated \d/)).toBeVisible();
