/** What an island adds to a prerendered page in the browser. */
import { fillIn, messageOf, send, thanks } from './contact.ts';
import { openContact } from './screens.ts';
import { expect, test } from './site.ts';

test('late styles find the theme’s tokens, which the page holds only where it uses them', async ({
  page,
}) => {
  await page.goto('/');
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
