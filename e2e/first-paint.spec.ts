/** Nothing of ours competes with the first paint; and what waits for it comes in every browser. */
import { openBooted } from './landing.ts';
import { dialog } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test('the boot script is fetched after the page is painted', async ({ page }) => {
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

test('it is fetched at once where buttons cannot open dialogs by themselves', async ({ page }) => {
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

test('it is asked for again where the first request was lost', async ({ page, complaints }) => {
  await page.addInitScript(() => {
    delete (HTMLButtonElement.prototype as Partial<HTMLButtonElement>).commandForElement;
    addEventListener('command', (event) => event.preventDefault(), true);
  });
  await page.route(/\/assets\/boot-/, (route) => route.abort(), { times: 1 });
  // Who waits only once the page has loaded may miss it.
  const second = page.waitForResponse(/\/assets\/boot-/);
  const first = page.waitForRequest(/\/assets\/boot-/);
  await page.goto('/');
  // Some browsers remember for good that an address failed.
  expect((await second).url()).not.toBe((await first).url());
  await expect(async () => {
    await page.getByRole('button', { name: 'Contact' }).first().click();
    await expect(dialog(page, 'contact')).toBeVisible({ timeout: 500 });
  }).toPass();
  await expectComplaint(complaints, /ERR_FAILED/);
});

test('it comes to a browser that does not tell of its paints', async ({ page }) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {};
  });
  await page.goto('/');
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByType('resource').map((e) => e.name)))
    .toContainEqual(expect.stringContaining('/assets/boot-'));
});
