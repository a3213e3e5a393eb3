/** Hydration of islands in a prerendered page. */
import { fillIn, messageOf, send, successText } from './contact.ts';
import { openBooted } from './landing.ts';
import { openContact } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ reducedMotion: 'reduce' });

test('a message that was submitted before hydration is sent although an extension changed the form', async ({
  page,
  consoleErrors,
  site,
}) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/contact-/, async (route) => {
    await released;
    await route.continue();
  });
  await openBooted(page);
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
  release();
  await expect(page.getByRole('alert')).toHaveText(successText);
  const stored = (await site.rows('contact_message')).filter(({ name }) => name === message.name);
  expect(stored).toMatchObject([{ message: message.message }]);
  await expectConsoleError(consoleErrors, /hydrat|#418/i);
});
