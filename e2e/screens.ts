/** Navigation to each screen and dialog through the user interface. */
import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { expect, type RunningSite } from './site.ts';

/** Viewport of a phone. */
export const narrow = { width: 390, height: 844 };
/** Viewport of a laptop. */
export const wide = { width: 1280, height: 800 };

export const banner = (page: Page) => page.getByRole('banner');
export const footer = (page: Page) => page.getByRole('contentinfo');

/** Titles of the dialogs on public pages. */
export const dialogTitles = {
  strategyCall: config.dialogs.strategyCall.title,
  inboxReview: config.dialogs.inboxReview.title,
  contact: config.dialogs.contact.title,
  quiz: config.dialogs.quiz.title,
};

/** The buttons that open the strategy call, in the order of the page: label, landmark and counted name. */
export const strategyCalls = [
  [config.header.start, 'banner', 'header'],
  [config.hero.action, 'main', 'hero'],
  [config.pains.action, 'main', 'pains'],
  [config.freedom.action, 'main', 'freedom'],
  [config.costs.action, 'main', 'costs'],
  [config.services.management.action, 'main', 'service-management'],
  [config.services.consulting.action, 'main', 'service-consulting'],
  [config.services.infrastructure.action, 'main', 'service-infrastructure'],
  [config.about.action, 'main', 'about'],
  [config.steps.action, 'main', 'steps'],
  [config.footer.action, 'contentinfo', 'footer'],
] as const;

/** A dialog of a public page, by its title. */
export const dialog = (page: Page, name: keyof typeof dialogTitles): Locator =>
  page.getByRole('dialog', { name: dialogTitles[name] });

/**
 * The first time in the frame of a booking dialog, once the page has loaded again in the visitor's zone:
 * the page before ignores the keyboard.
 */
export const firstTime = (frame: FrameLocator): Locator =>
  frame.locator('html:not([data-asks-zone=yes]) [type=radio]').first();

/** Opens the contact dialog from the header and returns it. */
export async function openContact(page: Page): Promise<Locator> {
  await banner(page).getByRole('button', { name: config.header.contact }).click();
  const contact = dialog(page, 'contact');
  await expect(contact).toBeVisible();
  return contact;
}

/** Moves the mouse out of the window by its top edge (exit intent). */
export async function leaveByTopEdge(page: Page): Promise<void> {
  await page.mouse.move(300, 300);
  await page.mouse.move(300, 2);
  await page.mouse.move(300, -5);
}

/** Scrolls to a share of the scrollable height and waits for the scroll event. */
export const scrollToShare = (page: Page, share: number) =>
  page.evaluate(
    (share) =>
      new Promise<void>((resolve) => {
        document.addEventListener('scroll', () => resolve(), { once: true });
        const scrollable = document.documentElement.scrollHeight - innerHeight;
        scrollTo({ top: share * scrollable, behavior: 'instant' });
      }),
    share,
  );

/** Mocks every placeholder and sample host, so that no test sends requests to other machines. */
export const mockOtherHosts = (context: BrowserContext) =>
  context.route(
    /^https:\/\/([\w.]+\.example|www\.(instagram|linkedin)\.com|form\.typeform\.com)\//,
    (route) => route.fulfill({ contentType: 'text/html', body: '<title>Another site</title>' }),
  );

/** Signs in through the API, without the login screen. */
export async function signIn(
  page: Page,
  { password }: Pick<RunningSite, 'password'>,
): Promise<void> {
  const response = await page.request.post('/api/admin/login', { data: { password } });
  expect(response.status()).toBe(200);
}

/** Signs in, opens the dashboard and waits for its figures. */
export async function openDashboard(page: Page, site: RunningSite): Promise<void> {
  await signIn(page, site);
  await page.goto('/analytics');
  await expectFigures(page);
}

/** Waits until the dashboard shows its figures. */
export const expectFigures = (page: Page) =>
  expect(page.getByText(/^Last updated \d/)).toBeVisible();
