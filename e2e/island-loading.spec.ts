/** When the code of an island is requested. */
import type { Page } from '@playwright/test';
import { fillIn, messageOf, recordMessages, send, successText } from './contact.ts';
import { openBooted } from './landing.ts';
import { banner, dialog, narrow, openContact, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

const contactScript = /\/assets\/contact-/;

/** Records the paths of the page's scripts from now on, except the boot script. */
function recordScripts(page: Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.js$/.test(pathname) && !pathname.includes('/boot-')) scripts.push(pathname);
  });
  return scripts;
}

test.describe('on a phone', () => {
  test.use({ viewport: narrow, hasTouch: true, isMobile: true });

  test('a visit without interaction requests no script beyond the boot script', async ({
    page,
  }) => {
    const scripts = recordScripts(page);
    await page.clock.install();
    await openBooted(page);
    await page.clock.runFor(30_000);
    await page.waitForLoadState('networkidle');
    expect(scripts).toEqual([]);
    await expect(page.locator('link[rel=prefetch]')).toHaveCount(0);
  });

  test('a tap on Contact requests the form’s island', async ({ page }) => {
    const scripts = recordScripts(page);
    await openBooted(page);
    await banner(page).getByRole('button', { name: 'Menu' }).tap();
    expect(scripts.filter((path) => contactScript.test(path))).toEqual([]);
    await banner(page).getByRole('button', { name: 'Contact' }).tap();
    await expect.poll(() => scripts.some((path) => contactScript.test(path))).toBe(true);
  });
});

test('the pointer or the focus on Contact requests the form’s island without opening it', async ({
  page,
}) => {
  for (const intend of ['hover', 'focus'] as const) {
    await openBooted(page);
    const requested = page.waitForRequest(contactScript);
    await banner(page).getByRole('button', { name: 'Contact' })[intend]();
    await requested;
    await expect(dialog(page, 'contact')).toBeHidden();
  }
});

test('a URL with #contact requests the form’s island', async ({ page }) => {
  const requested = page.waitForRequest(contactScript);
  await page.goto('/#contact');
  await requested;
  await expect(dialog(page, 'contact')).toBeVisible();
});

test('the served HTML and the boot script contain no prefetch', async ({ page }) => {
  const boot = page.waitForResponse(/\/assets\/boot-/);
  const html = await (await page.goto('/'))?.text();
  expect(html).toContain('data-island="contact"');
  expect(html).not.toContain('prefetch');
  expect(await (await boot).text()).not.toContain('prefetch');
});

test('an island whose files were lost is requested again at the next opening', async ({
  page,
  site,
  consoleErrors,
}) => {
  let isOffline = true;
  let pending = 0;
  const files = /\/assets\/(?!boot-|visit-).*\.js$/;
  page.on('request', (request) => {
    if (files.test(request.url())) pending += 1;
  });
  page.on('requestfailed', () => {
    pending -= 1;
  });
  await page.route(files, (route) => (isOffline ? route.abort() : route.continue()));
  const failed = page.waitForEvent('requestfailed', (request) => contactScript.test(request.url()));
  await openBooted(page);
  const contact = await openContact(page);
  await failed;
  await page.evaluate(async () => {
    // The opening requests the files in a task after the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    // When its response arrives, requests that were sent before have been recorded.
    await fetch('/robots.txt');
  });
  await expect.poll(() => pending).toBe(0);
  await page.keyboard.press('Escape');
  isOffline = false;
  const loaded = page.waitForResponse(contactScript);
  await openContact(page);
  expect((await loaded).status()).toBe(200);
  const messages = recordMessages(page);
  const message = messageOf('Second Try');
  await fillIn(contact, message);
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  expect(messages).toHaveLength(1);
  const stored = (await site.rows('contact_message')).filter(({ name }) => name === message.name);
  expect(stored).toHaveLength(1);
  await expectConsoleError(consoleErrors, /net::ERR_FAILED/);
});
