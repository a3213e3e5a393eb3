import { expectAccessibleOnAllScreens } from './axe.ts';
import { signIn, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide });

const elevenMinutes = 11 * 60_000;

test('a sensitive act asks for the password ten minutes after the last time, and goes on by itself', async ({
  page,
  site,
  consoleErrors,
}) => {
  await signIn(page, site);
  await site.ageSessions(elevenMinutes);
  await page.goto('/analytics/settings/webhooks');
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  const password = dialog.getByLabel('Password', { exact: true });

  await test.step('a key is created once the password is right', async () => {
    const keys = page.getByRole('region', { name: 'API keys', exact: true });
    await keys.getByText('Create an API key').click();
    await keys.getByLabel('Name of the program').fill('Spreadsheet');
    await keys.getByLabel('Read bookings').check();
    await keys.getByRole('button', { name: 'Create key' }).click();
    await expect(password).toBeFocused();
    await expectAccessibleOnAllScreens(page, 'the question for the password');
    await password.fill('wrong');
    await password.press('Enter');
    await expect(dialog.getByRole('alert')).toHaveText('Invalid password');
    await expectAccessibleOnAllScreens(page, 'the question after a wrong password');
    await password.fill(site.password);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await expect(keys.getByLabel('Your new API key')).toHaveValue(/^shingle_/);
    await expect(dialog).toBeHidden();
    await expectConsoleError(consoleErrors, /status of 40[13]/);
    // Other tests use the site, too.
    const key = keys.getByRole('listitem').filter({ hasText: 'Spreadsheet' });
    await key.getByRole('button', { name: 'Revoke' }).click();
    await key.getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(keys.getByText('Spreadsheet was revoked.')).toBeVisible();
  });

  await page.goto('/analytics/settings/backups');
  const link = page.getByRole('link', { name: 'Download a backup' });

  await test.step('a closed question downloads nothing, and gives the focus back', async () => {
    await site.ageSessions(elevenMinutes);
    await link.click();
    await expect(dialog).toContainText('This download asks for your password again.');
    await expect(password).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
  });

  for (const answer of ['after the password', 'without a question while it is confirmed']) {
    await test.step(`a backup is downloaded ${answer}`, async () => {
      const started = page.waitForEvent('download');
      await link.click();
      if (answer === 'after the password') {
        await password.fill(site.password);
        await password.press('Enter');
      }
      expect((await started).suggestedFilename()).toMatch(/^backup-.*\.db$/);
      await expect(dialog).toBeHidden();
      await expect(link).toBeFocused();
      await expect(page.getByText('The backup is being made.')).toBeVisible();
    });
  }
  await expectConsoleError(consoleErrors, /status of 403/);
});
