import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { banner, dialog, dialogTitles, narrow, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ viewport: wide });

/** Where each call-to-action is that books a strategy call, by its words. */
const strategyCalls = [
  ['Get Started', 'banner'],
  [words.hero.action, 'main'],
  [words.pains.action, 'main'],
  [words.freedom.action, 'main'],
  [words.costs.action, 'main'],
  [words.services.management.action, 'main'],
  [words.services.consulting.action, 'main'],
  [words.services.infrastructure.action, 'main'],
  [words.about.action, 'main'],
  [words.steps.action, 'main'],
  [words.footer.action, 'contentinfo'],
] as const;

const getStarted = (page: Page) => banner(page).getByRole('button', { name: 'Get Started' });

test('each call-to-action opens the strategy call, and gets the focus back', async ({ page }) => {
  await page.goto('/');
  const strategyCall = dialog(page, 'strategyCall');
  for (const [name, place] of strategyCalls) {
    const button = page.getByRole(place).getByRole('button', { name, exact: true });
    await button.click();
    await expect(strategyCall).toBeVisible();
    await strategyCall.getByRole('button', { name: 'Close' }).click();
    await expect(strategyCall).toBeHidden();
    await expect(button).toBeFocused();
  }
});

test('the inbox visibility review has a control of its own', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: words.assessment.review.action }).click();
  await expect(dialog(page, 'inboxReview')).toBeVisible();
  await expect(dialog(page, 'strategyCall')).toBeHidden();
});

for (const [name, open] of [
  ['strategyCall', getStarted],
  [
    'inboxReview',
    (page: Page) => page.getByRole('button', { name: words.assessment.review.action }),
  ],
] as const) {
  test(`while its calendar is a placeholder, ${name} says so and offers mail`, async ({ page }) => {
    await page.goto('/');
    await open(page).click();
    const opened = dialog(page, name);
    await expect(opened.getByText(words.dialogs.notConnected)).toBeVisible();
    await expect(opened.getByRole('link', { name: words.brand.email })).toHaveAttribute(
      'href',
      `mailto:${words.brand.email}?subject=${encodeURIComponent(dialogTitles[name])}`,
    );
    await expect(opened.locator('iframe')).toHaveCount(0);
  });
}

/** What holds for every dialog, whoever opens it and whether or not a script has run. */
async function expectDialogManners(page: Page) {
  const strategyCall = dialog(page, 'strategyCall');
  await getStarted(page).click();
  await expect(
    strategyCall.getByRole('heading', { name: dialogTitles.strategyCall }),
  ).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(strategyCall).toBeHidden();
  await expect(getStarted(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(strategyCall).toBeVisible();
  await strategyCall.getByRole('button', { name: 'Close' }).click();
  await expect(strategyCall).toBeHidden();
  await expect(getStarted(page)).toBeFocused();

  await getStarted(page).click();
  await expect(strategyCall).toBeVisible();
  await page.mouse.click(20, 400);
  await expect(strategyCall).toBeHidden();
}

test('a dialog takes the focus and gives it back, and closes by Esc, Close or a press outside', async ({
  page,
}) => {
  await page.goto('/');
  await expectDialogManners(page);
});

test('what is behind an open dialog cannot be reached', async ({ page }) => {
  await page.goto('/');
  await getStarted(page).click();
  const strategyCall = dialog(page, 'strategyCall');
  await expect(strategyCall).toBeVisible();
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    const isBehind = await page.evaluate(
      () => document.activeElement !== document.body && !document.activeElement?.closest('dialog'),
    );
    expect(isBehind).toBe(false);
  }
});

test('opening a dialog does not move the page', async ({ page }) => {
  await page.goto('/');
  const before = await getStarted(page).boundingBox();
  await getStarted(page).click();
  await expect(dialog(page, 'strategyCall')).toBeVisible();
  expect(await getStarted(page).boundingBox()).toEqual(before);
});

test('a dialog fits a small screen', async ({ page }) => {
  await page.setViewportSize(narrow);
  await page.goto('/');
  await getStarted(page).click();
  const box = await dialog(page, 'strategyCall').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(narrow.width);
});

test.describe('before the boot script has run', () => {
  test.beforeEach(async ({ page }) => {
    await page.route(/\/assets\/boot-/, (route) => route.abort());
  });

  test.afterEach(({ complaints }) => expectComplaint(complaints, /net::ERR_FAILED/));

  test('dialogs open and close all the same', async ({ page }) => {
    await page.goto('/');
    await expectDialogManners(page);
  });

  test('the contact dialog opens on its form, and posts it', async ({ page, site }) => {
    await page.goto('/');
    await banner(page).getByRole('button', { name: 'Contact' }).click();
    const contact = dialog(page, 'contact');
    await expect(contact.getByLabel('Name')).toBeFocused();
    await contact.getByLabel('Name').fill('Early Bird');
    await contact.getByLabel('Email').fill('early@bird.example');
    await contact.getByLabel('Message').fill('Sent before the script came.');
    await contact.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('heading', { name: words.contactPages.sentTitle })).toBeVisible();
    expect((await site.rows('contact_message')).map(({ name }) => name)).toContain('Early Bird');
  });
});
