import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { banner, dialog, dialogTitles, narrow, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

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

const review = (page: Page) => page.getByRole('button', { name: words.assessment.review.action });

test('each call-to-action opens its dialog', async ({ page }) => {
  await page.goto('/');
  const strategyCall = dialog(page, 'strategyCall');
  await test.step('the strategy call opens, and gives the focus back', async () => {
    for (const [name, place] of strategyCalls) {
      const button = page.getByRole(place).getByRole('button', { name, exact: true });
      await button.click();
      await expect(strategyCall).toBeVisible();
      await strategyCall.getByRole('button', { name: 'Close' }).click();
      await expect(strategyCall).toBeHidden();
      await expect(button).toBeFocused();
    }
  });

  await test.step('the inbox visibility review has a control of its own', async () => {
    await review(page).click();
    await expect(dialog(page, 'inboxReview')).toBeVisible();
    await expect(strategyCall).toBeHidden();
    await page.keyboard.press('Escape');
  });

  await test.step('while its calendar is a placeholder, a dialog says so and offers email', async () => {
    for (const [name, button] of [
      ['strategyCall', getStarted(page)],
      ['inboxReview', review(page)],
    ] as const) {
      await button.click();
      const opened = dialog(page, name);
      await expect(opened.getByText(words.dialogs.notConnected)).toBeVisible();
      await expect(opened.getByRole('link', { name: words.brand.email })).toHaveAttribute(
        'href',
        `mailto:${words.brand.email}?subject=${encodeURIComponent(dialogTitles[name])}`,
      );
      await expect(opened.locator('iframe')).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(opened).toBeHidden();
    }
  });
});

/** Expects what holds for every dialog, before and after the boot script has run. */
async function expectToOpenAndClose(page: Page) {
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
  await expectToOpenAndClose(page);

  const strategyCall = dialog(page, 'strategyCall');
  await test.step('opening a dialog does not move the page', async () => {
    const before = await getStarted(page).boundingBox();
    await getStarted(page).click();
    await expect(strategyCall).toBeVisible();
    expect(await getStarted(page).boundingBox()).toEqual(before);
  });

  await test.step('Tab does not reach what is behind an open dialog', async () => {
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab');
      const isBehind = await page.evaluate(() => {
        const { activeElement, body } = document;
        return activeElement !== body && !activeElement?.closest('dialog');
      });
      expect(isBehind).toBe(false);
    }
  });

  await test.step('a dialog fits a small screen', async () => {
    await page.setViewportSize(narrow);
    const box = await strategyCall.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(narrow.width);
  });
});

test('dialogs work before the boot script has run', async ({ page, site, complaints }) => {
  await page.route(/\/assets\/boot-/, (route) => route.abort());
  await page.goto('/');
  await expectToOpenAndClose(page);

  await test.step('the contact dialog opens on its form, and posts it', async () => {
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
  await expectComplaint(complaints, /net::ERR_FAILED/);
});
