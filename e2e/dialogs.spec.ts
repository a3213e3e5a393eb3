import type { Page, Route } from '@playwright/test';
import { config } from './config.ts';
import { expectNoHorizontalScroll, openBooted, restingScroll } from './landing.ts';
import { banner, dialog, dialogTitles, firstTime, narrow, strategyCalls, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const getStarted = (page: Page) => banner(page).getByRole('button', { name: 'Get Started' });

const review = (page: Page) => page.getByRole('button', { name: config.assessment.review.action });

test('each call-to-action opens its dialog', async ({ page }) => {
  await page.goto('/');
  const strategyCall = dialog(page, 'strategyCall');
  await test.step('the strategy call opens and returns the focus when it closes', async () => {
    for (const [name, landmark] of strategyCalls) {
      const button = page.getByRole(landmark).getByRole('button', { name, exact: true });
      await button.click();
      await expect(strategyCall).toBeVisible();
      await strategyCall.getByRole('button', { name: 'Close' }).click();
      await expect(strategyCall).toBeHidden();
      await expect(button).toBeFocused();
    }
  });

  await test.step('the inbox visibility review has its own button', async () => {
    await review(page).click();
    await expect(dialog(page, 'inboxReview')).toBeVisible();
    await expect(strategyCall).toBeHidden();
    await page.keyboard.press('Escape');
  });

  await test.step('a dialog without a calendar elsewhere shows the times of the site itself', async () => {
    for (const [name, button] of [
      ['strategyCall', getStarted(page)],
      ['inboxReview', review(page)],
    ] as const) {
      await button.click();
      const opened = dialog(page, name);
      const frame = opened.frameLocator('iframe');
      await expect(firstTime(frame)).toBeVisible();
      await expect(frame.getByRole('button', { name: config.bookingPages.book })).toBeVisible();
      await expect(frame.getByRole('link', { name: config.bookingPages.noTime })).toHaveAttribute(
        'href',
        `mailto:${config.brand.email}?subject=${encodeURIComponent(dialogTitles[name])}`,
      );
      // The frame closes its dialog.
      await firstTime(frame).press('Escape');
      await expect(opened).toBeHidden();
    }
  });
});

/** Expects that a dialog opens, closes and manages the focus, with or without the boot script. */
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

  // A click outside half a second after the first press; the second click of a double click does nothing.
  await getStarted(page).dblclick();
  await expect(strategyCall).toBeVisible();
  await expect(strategyCall.locator('[data-guard]')).toBeHidden();
  await page.mouse.click(20, 400);
  await expect(strategyCall).toBeHidden();
}

test('a dialog takes and returns the focus, and closes on Esc, Close or a click outside', async ({
  page,
}) => {
  await page.goto('/');
  await expectToOpenAndClose(page);

  const strategyCall = dialog(page, 'strategyCall');
  await test.step('opening a dialog does not shift the page', async () => {
    const before = await getStarted(page).boundingBox();
    await getStarted(page).click();
    await expect(strategyCall).toBeVisible();
    expect(await getStarted(page).boundingBox()).toEqual(before);
  });

  await test.step('Tab does not reach elements behind an open dialog', async () => {
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

test('a double click on a button opens its dialog and leaves it open', async ({ page }) => {
  await openBooted(page);
  const buttons = page.locator('[command=show-modal]:visible');
  const count = await buttons.count();
  expect(count).toBeGreaterThan(10);
  for (let i = 0; i < count; i++) {
    await buttons.nth(i).dblclick({ delay: 10 });
    await expect(page.locator('dialog[open]')).toHaveCount(1);
    // Not by Escape: the second click may have moved the focus into the frame, which is still loading.
    await page.locator('dialog[open]').evaluate((opened: HTMLDialogElement) => opened.close());
  }
});

test('the frames of the site’s own times have the specified sizes, and their page scrolls', async ({
  page,
}) => {
  await page.goto('/');
  const frameOf = (name: 'strategyCall' | 'inboxReview') => dialog(page, name).locator('iframe');
  const size = async (name: 'strategyCall' | 'inboxReview') => {
    await (name === 'strategyCall' ? getStarted(page) : review(page)).click();
    await expect(firstTime(frameOf(name).contentFrame())).toBeVisible();
    const { width = 0, height = 0 } = (await frameOf(name).boundingBox()) ?? {};
    return [Math.round(width), Math.round(height)];
  };
  const close = () => page.keyboard.press('Escape');
  expect(await size('strategyCall')).toEqual([750, 560]);
  const scrollable = await frameOf('strategyCall')
    .contentFrame()
    .locator('html')
    .evaluate((html) => html.scrollHeight - html.clientHeight);
  expect(scrollable).toBeGreaterThan(0);
  await close();
  expect(await size('inboxReview')).toEqual([750, 560]);
  await close();

  await test.step('narrower only where the window is', async () => {
    await page.setViewportSize(narrow);
    const [width = 0, height] = await size('inboxReview');
    expect(height).toBe(560);
    expect(width).toBeGreaterThan(narrow.width - 70);
    expect(width).toBeLessThan(narrow.width);
    await close();
  });

  await test.step('a tablet has room for the whole width', async () => {
    await page.setViewportSize({ width: 800, height: 900 });
    expect(await size('inboxReview')).toEqual([750, 560]);
    await close();
  });

  await test.step('at 400% zoom nothing covers the times', async () => {
    await page.setViewportSize({ width: 320, height: 256 });
    await getStarted(page).click();
    const frame = frameOf('strategyCall').contentFrame();
    // The label covers the radio button.
    const time = frame.locator('[open] label').first();
    await time.scrollIntoViewIfNeeded();
    await expect(time).toBeInViewport({ ratio: 1 });
    await time.click();
    await expect(frame.locator('[name=start]:checked')).toHaveCount(1);
    const book = frame.getByRole('button', { name: config.bookingPages.book });
    await book.scrollIntoViewIfNeeded();
    await expect(book).toBeInViewport({ ratio: 1 });
  });
});

test('the header stays at the top of a low window, and takes at most a quarter of it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/');
  await page.mouse.wheel(0, 900);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(800);
  const { y, height } = (await banner(page).boundingBox()) ?? {};
  expect(y).toBe(0);
  expect(height).toBeLessThanOrEqual(64);
  await expectNoHorizontalScroll(page);

  await test.step('the quiz shows its link there', async () => {
    await page.locator('#quiz').evaluate((quiz: HTMLDialogElement) => quiz.showModal());
    await expect(dialog(page, 'quiz').getByRole('link')).toBeInViewport({ ratio: 1 });
  });
});

test('a booking dialog without a network says so, and loads when it is back', async ({
  page,
  consoleErrors,
}) => {
  const offline = (route: Route) => route.abort('internetdisconnected');
  // Nothing but the boot script has loaded.
  await openBooted(page);
  await page.route('**', offline);
  await getStarted(page).click();
  const strategyCall = dialog(page, 'strategyCall');
  await expect(strategyCall.getByRole('alert')).toContainText(config.offline.calendar);
  await expect(strategyCall.getByRole('link', { name: config.brand.email })).toBeVisible();
  await expect(strategyCall.locator('iframe')).toBeHidden();
  await page.unroute('**', offline);
  const frame = strategyCall.frameLocator('iframe');
  await expect(firstTime(frame)).toBeVisible();
  await expect(strategyCall.getByRole('alert')).toBeHidden();
  await expectConsoleError(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
});

test('a booking without a network is not sent, and keeps what was typed', async ({
  page,
  context,
  consoleErrors,
}) => {
  await openBooted(page);
  await getStarted(page).click();
  const frame = dialog(page, 'strategyCall').frameLocator('iframe');
  await expect(firstTime(frame)).toBeVisible();
  await frame.locator('details').nth(1).locator('summary').click();
  await frame.locator('[open] label').first().click();
  await frame.getByLabel(config.contactPages.name).fill('Tom Okafor');
  await frame.getByLabel(config.contactPages.email).fill('tom@brightcourse.example');
  await context.setOffline(true);
  const book = frame.getByRole('button', { name: config.bookingPages.book });
  for (const control of [
    book,
    book,
    frame.getByRole('link', { name: config.bookingPages.later }),
  ]) {
    await control.click();
    await expect(frame.getByRole('alert')).toContainText(config.offline.form);
    await expect(frame.getByLabel(config.contactPages.name)).toHaveValue('Tom Okafor');
  }
  await context.setOffline(false);
  await book.click();
  await expect(frame.getByRole('heading', { name: config.bookingPages.booked })).toBeVisible();
  await expectConsoleError(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
});

test('dialogs work before the boot script has run', async ({ page, site, consoleErrors }) => {
  await page.route(/\/assets\/boot-/, (route) => route.abort());
  await page.goto('/');
  await expectToOpenAndClose(page);

  await test.step('the contact dialog opens and its form is posted', async () => {
    await banner(page).getByRole('button', { name: 'Contact' }).click();
    const contact = dialog(page, 'contact');
    await expect(contact.getByLabel('Name')).toBeFocused();
    await contact.getByLabel('Name').fill('Early Bird');
    await contact.getByLabel('Email').fill('early@bird.example');
    await contact.getByLabel('Message').fill('Sent before the script loaded.');
    await contact.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('heading', { name: config.contactPages.sentTitle })).toBeVisible();
    expect((await site.rows('contact_message')).map(({ name }) => name)).toContain('Early Bird');
  });
  await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
});

test('the Close button stays in its corner when its label is changed', async ({ page }) => {
  await page.goto('/');
  await getStarted(page).click();
  const close = dialog(page, 'strategyCall').locator('> button').first();
  const before = await close.boundingBox();
  await close.evaluate((button) => button.setAttribute('aria-label', 'Schließen'));
  expect(await close.boundingBox()).toEqual(before);
});

for (const [name, viewport] of Object.entries({ phone: narrow, laptop: wide })) {
  test(`the page does not scroll behind a modal dialog on a ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.goto('/');
    const heading = page.getByRole('heading', { level: 1 });
    const before = await heading.boundingBox();
    await getStarted(page).click();
    await expect(dialog(page, 'strategyCall')).toBeVisible();
    await page.mouse.move(5, viewport.height - 5);
    await page.evaluate(() => {
      addEventListener('wheel', () => Reflect.set(window, 'wheeled', true), { passive: true });
    });
    await page.mouse.wheel(0, 600);
    await page.waitForFunction(() => Reflect.get(window, 'wheeled'));
    // The scroll would start in one of the next frames.
    expect(await restingScroll(page)).toBe(0);
    expect(await heading.boundingBox()).toEqual(before);
    await page.keyboard.press('Escape');
    await page.mouse.wheel(0, 600);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
  });
}
