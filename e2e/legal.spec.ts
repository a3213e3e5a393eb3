import { config } from './config.ts';
import { fillIn, messageOf, send, successText } from './contact.ts';
import { expectNoHorizontalScroll, openBooted } from './landing.ts';
import { footer, narrow, openContact } from './screens.ts';
import { expect, test, testOnEmptySite } from './site.ts';

test('the footer leads to the imprint and the privacy page, also on a phone', async ({ page }) => {
  await page.setViewportSize(narrow);
  for (const name of [config.legal.imprint, config.legal.privacy]) {
    await page.goto('/');
    await expect(footer(page)).toContainText('© 2024');
    const link = footer(page).getByRole('link', { name });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(config.legal.name);
    await expectNoHorizontalScroll(page);
  }
});

testOnEmptySite.describe('with retention periods in the environment', () => {
  testOnEmptySite.use({
    siteEnv: { KEEP_MESSAGES_DAYS: '60', KEEP_ACTIVITY_DAYS: '400', KEEP_BOOKINGS_DAYS: '730' },
  });

  testOnEmptySite('the privacy page names them', async ({ page }) => {
    await page.goto('/privacy');
    for (const period of ['60 days. Spam: 30 days.', '400 days. The totals stay.', '2 years.']) {
      await expect(page.getByRole('main')).toContainText(period);
    }
  });
});

test('a visitor who reads and writes gets no cookie, as the privacy page says', async ({
  page,
  context,
}) => {
  await openBooted(page);
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Private Writer'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await page.goto('/privacy');
  await expect(page.getByText('No cookies.')).toBeVisible();
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});

test('the imprint and the privacy page are in the sitemap with their URLs', async ({
  page,
  request,
  site,
}) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  for (const path of ['/imprint', '/privacy']) {
    expect(sitemap).toContain(`<loc>${site.origin}${path}</loc>`);
    const response = await page.goto(path);
    expect(response?.headers()['x-robots-tag']).toBeUndefined();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
      'href',
      `${site.origin}${path}`,
    );
  }
});
