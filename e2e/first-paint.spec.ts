/** The boot script does not compete with the first paint, and is loaded in every browser. */
import { openBooted } from './landing.ts';
import { dialog } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test('the boot script is fetched after the first paint', async ({ page }) => {
  await page.goto('/');
  const boot = await page.waitForFunction(() =>
    performance.getEntriesByType('resource').find(({ name }) => name.includes('/assets/boot-')),
  );
  const { startTime } = await boot.evaluate((entry) => entry?.toJSON());
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-paint')[0]?.startTime,
  );
  expect(painted).toBeGreaterThan(0);
  expect(startTime).toBeGreaterThanOrEqual(painted ?? Number.NaN);
});

test('the boot script is fetched at once in browsers without invoker commands', async ({
  page,
}) => {
  await page.addInitScript(() => {
    delete (HTMLButtonElement.prototype as Partial<HTMLButtonElement>).commandForElement;
    addEventListener('command', (event) => event.preventDefault(), true);
    PerformanceObserver.prototype.observe = () => {};
    Object.assign(window, { setTimeout: () => 0 });
  });
  await openBooted(page);
  await page.getByRole('button', { name: 'Contact' }).first().click();
  await expect(dialog(page, 'contact')).toBeVisible();
});

test('the boot script is requested again when the first request failed', async ({
  page,
  consoleErrors,
}) => {
  await page.addInitScript(() => {
    delete (HTMLButtonElement.prototype as Partial<HTMLButtonElement>).commandForElement;
    addEventListener('command', (event) => event.preventDefault(), true);
  });
  await page.route(/\/assets\/boot-/, (route) => route.abort(), { times: 1 });
  // Wait from before the navigation, or the request may be missed.
  const second = page.waitForResponse(/\/assets\/boot-/);
  const first = page.waitForRequest(/\/assets\/boot-/);
  await page.goto('/');
  // Some browsers cache a failed import of a URL.
  expect((await second).url()).not.toBe((await first).url());
  await expect(async () => {
    await page.getByRole('button', { name: 'Contact' }).first().click();
    await expect(dialog(page, 'contact')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectConsoleError(consoleErrors, /ERR_FAILED/);
});

test('the boot script is fetched in browsers without paint timing', async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto('/');
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').map((e) => e.name)))
    .toContainEqual(expect.stringContaining('/assets/boot-'));
});
