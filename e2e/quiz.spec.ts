import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { delayRequests, fillIn, messageOf, send, successText } from './contact.ts';
import { openAndInteract, openBooted } from './landing.ts';
import {
  banner,
  dialog,
  leaveByTopEdge,
  mockOtherHosts,
  narrow,
  openContact,
  scrollToShare,
  wide,
} from './screens.ts';
import { expect, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce', hasSeenQuiz: false });

const quiz = (page: Page) => dialog(page, 'quiz');

/** Opens `/` and pauses its clock. */
async function openWithPausedClock(page: Page) {
  await page.clock.install();
  await openAndInteract(page);
  await page.clock.pauseAt(Date.now() + 60_000);
}

test('the quiz opens once when the mouse leaves by the top edge', async ({ page }) => {
  await openWithPausedClock(page);
  await test.step('leaving by another edge does not open the quiz', async () => {
    await page.mouse.move(300, 300);
    await page.mouse.move(-5, 300);
    await page.mouse.move(300, 300);
    await page.mouse.move(300, wide.height + 5);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('leaving by the top edge opens the quiz after a second', async () => {
    await leaveByTopEdge(page);
    await expect(quiz(page)).toBeHidden();
    await page.clock.runFor(1000);
    await expect(quiz(page)).toBeVisible();
    await expect(quiz(page)).toHaveAccessibleName(config.dialogs.quiz.title);
  });

  await test.step('Close hides the quiz, and no trigger opens it again', async () => {
    await quiz(page).getByRole('button', { name: 'Close' }).click();
    await expect(quiz(page)).toBeHidden();
    await leaveByTopEdge(page);
    await scrollToShare(page, 0.1);
    await scrollToShare(page, 0.9);
    await page.clock.runFor(10_000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('navigating to /admin and back does not open the quiz again', async () => {
    // React delays what replaces a fallback by a timer.
    await page.clock.resume();
    await page.goto('/admin');
    await page.getByRole('link', { name: 'Back to Sales Page' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(config.hero.title);
    await scrollToShare(page, 0.6);
    await leaveByTopEdge(page);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });
});

test('the quiz opens after a scroll past half of the page', async ({ page }) => {
  await openWithPausedClock(page);
  await test.step('a scroll to less than half of the page does not open the quiz', async () => {
    await scrollToShare(page, 0.49);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('the quiz waits until another dialog has closed, and opens with a draft in it', async () => {
    await scrollToShare(page, 0.51);
    const contact = await openContact(page);
    await fillIn(contact, messageOf('Busy Writer'));
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
    await contact.getByRole('button', { name: 'Cancel' }).click();
    await page.clock.runFor(900);
    await expect(quiz(page)).toBeHidden();
    await page.clock.runFor(100);
    await expect(quiz(page)).toBeVisible();
  });
});

test('the quiz opens when the mouse left before its code had loaded', async ({ page }) => {
  const release = await delayRequests(page, /\/assets\/visit-/);
  await openBooted(page);
  await leaveByTopEdge(page);
  release();
  await expect(quiz(page)).toBeVisible();
});

test('the quiz opens after a message was sent and its thank-you has gone', async ({ page }) => {
  await openWithPausedClock(page);
  const contact = await openContact(page);
  await leaveByTopEdge(page);
  // React and the form's island need timers.
  await page.clock.resume();
  await fillIn(contact, messageOf('Curious Sender'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await expect(quiz(page)).toBeHidden();
  await expect(page.getByRole('alert')).toBeHidden();
  await expect(quiz(page)).toBeVisible();
});

test('the quiz does not interrupt a jump to a section', async ({ page }) => {
  await openWithPausedClock(page);
  const top = (id: string) =>
    page.locator(`#${id}`).evaluate((el) => Math.round(el.getBoundingClientRect().top));
  await test.step('a menu entry or a hash below half of the page does not open the quiz', async () => {
    await banner(page).getByRole('button', { name: config.header.services }).click();
    await banner(page).getByRole('link', { name: config.services.infrastructure.name }).click();
    await page.clock.runFor(5000);
    await expect.poll(() => top('infrastructure')).toBe(80);
    await page.evaluate(() => {
      location.hash = 'assessment';
    });
    await page.clock.runFor(5000);
    await expect.poll(() => top('assessment')).toBe(80);
    await page.clock.runFor(5000);
    await expect(quiz(page)).toBeHidden();
  });

  await test.step('the visitor’s next scroll opens the quiz after a second', async () => {
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, 60);
    await expect.poll(() => top('assessment')).toBe(20);
    await page.clock.runFor(999);
    await expect(quiz(page)).toBeHidden();
    await page.clock.runFor(1);
    await expect(quiz(page)).toBeVisible();
  });
});

// Without a fake clock, which would hide the navigation type `reload` from the page.
test('the quiz opens again after a reload', async ({ page, context }) => {
  await mockOtherHosts(context);
  await page.setViewportSize(narrow);
  await page.goto('/');
  await scrollToShare(page, 0.6);
  await expect(quiz(page)).toBeVisible();
  await test.step('on a small screen the quiz is a sheet at the bottom that covers at most 40% of the page', async () => {
    await expect(async () => {
      const box = await quiz(page).boundingBox();
      expect(box?.height).toBeLessThanOrEqual(0.4 * narrow.height);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(narrow.height, 0);
    }).toPass();
  });

  await test.step('Esc hides the quiz until the page is reloaded', async () => {
    await page.keyboard.press('Escape');
    await expect(quiz(page)).toBeHidden();
    await scrollToShare(page, 0);
    await page.reload();
    await scrollToShare(page, 0.6);
    await expect(quiz(page)).toBeVisible();
  });

  await test.step('Take the Quiz opens the quiz in a new tab and closes the popup', async () => {
    const opened = context.waitForEvent('page');
    await quiz(page).getByRole('link', { name: 'Take the Quiz' }).click();
    const tab = await opened;
    await expect(tab).toHaveURL(config.links.quiz);
    expect(await tab.evaluate(() => opener)).toBeNull();
    await expect(quiz(page)).toBeHidden();
    await expect(page).toHaveURL('/');
  });
});

test('the quiz waits until an open menu closes', async ({ page }) => {
  await openWithPausedClock(page);
  const services = page.getByRole('banner').getByRole('button', { name: 'Services' });
  await services.click();
  await leaveByTopEdge(page);
  await page.clock.runFor(2000);
  await expect(quiz(page)).toBeHidden();
  await expect(services).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await page.clock.runFor(1000);
  await expect(quiz(page)).toBeVisible();
});
