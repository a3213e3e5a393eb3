/** What an island adds to a prerendered page in the browser. */
import { fillIn, messageOf, send, thanks } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ reducedMotion: 'reduce' });

test('late styles find the theme’s tokens, which the page holds only where it uses them', async ({
  page,
}) => {
  await openBooted(page);
  const spacing = () =>
    page.evaluate(() =>
      getComputedStyle(document.documentElement).getPropertyValue('--c-spacing-4'),
    );
  expect(await spacing()).toBe('');
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Tokens'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  expect(await spacing()).toBe('1rem');
});

test('a message sent before the form wakes arrives, though another hand changed the form', async ({
  page,
  complaints,
  site,
}) => {
  let arrive = () => {};
  const late = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/\/assets\/contact-/, async (route) => {
    await late;
    await route.continue();
  });
  await page.goto('/');
  const contact = await openContact(page);
  const message = messageOf('Translated');
  await fillIn(contact, message);
  await contact
    .locator('textarea')
    .evaluate((area) => area.after(document.createElement('a-password-manager')));
  await send(contact).click();
  await expect(contact.locator('[data-island]')).toHaveAttribute('aria-busy', 'true');
  expect(
    await send(contact).evaluate((button) => getComputedStyle(button, '::after').content),
  ).toBe('"Sending..."');
  arrive();
  await expect(page.getByRole('alert')).toHaveText(thanks);
  const kept = (await site.rows('contact_message')).filter(({ name }) => name === message.name);
  expect(kept).toMatchObject([{ message: message.message }]);
  await expectComplaint(complaints, /hydrat|#418/i);
});
