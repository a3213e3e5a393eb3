import { config } from './config.ts';
import { send, successText } from './contact.ts';
import { banner, dialog, footer, openContact, strategyCalls, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ javaScriptEnabled: false, viewport: wide, reducedMotion: 'reduce' });

const none = { question: '', answer: '' };

test('the landing page works without JavaScript', async ({ page }) => {
  await page.goto('/');
  await test.step('every call-to-action is a link', async () => {
    const main = page.getByRole('main');
    for (const [name, landmark] of strategyCalls) {
      if (landmark !== 'main') continue;
      await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute(
        'href',
        '/book/strategy-call',
      );
      await expect(main.getByRole('button', { name, exact: true })).toBeHidden();
    }
    for (const landmark of [banner(page), footer(page)]) {
      await expect(
        landmark.getByRole('link', { name: /^(Get Started|Book a free strategy call)$/ }),
      ).toHaveAttribute('href', '/book/strategy-call');
    }
    await expect(main.getByRole('link', { name: config.assessment.review.action })).toHaveAttribute(
      'href',
      '/book/inbox-review',
    );
    await expect(main.getByRole('link', { name: config.assessment.action })).toHaveAttribute(
      'href',
      config.links.quiz,
    );
  });

  await test.step('the FAQ answers open and close', async () => {
    const [first = none, second = none] = config.faq.items;
    await page.getByRole('heading', { name: first.question }).click();
    await expect(page.getByText(first.answer)).toBeVisible();
    await page.getByRole('heading', { name: second.question }).click();
    await expect(page.getByText(first.answer)).toBeHidden();
    await expect(page.getByText(second.answer)).toBeVisible();
  });

  await test.step('the menus link to the sections', async () => {
    await banner(page).getByRole('button', { name: 'Services' }).click();
    await banner(page).getByRole('link', { name: 'System Optimization' }).click();
    await expect(page).toHaveURL('/#management');
    await expect(page.getByRole('heading', { name: 'System Optimization' })).toBeInViewport();
  });

  await test.step('dialogs open and close', async () => {
    await openContact(page);
    await expect(dialog(page, 'contact').getByLabel('Name')).toBeFocused();
    await dialog(page, 'contact').getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog(page, 'contact')).toBeHidden();
  });
});

test('the contact form works without JavaScript', async ({ page, site, consoleErrors }) => {
  const stored = () => site.rows('contact_message');
  const expectSent = () =>
    expect(page.getByRole('heading', { name: config.contactPages.sentTitle })).toBeVisible();
  const goHome = async () => {
    await page.getByRole('link', { name: config.contactPages.home }).click();
    await expect(page).toHaveURL('/');
  };
  await page.goto('/');
  await test.step('a message is posted and stored', async () => {
    const contact = await openContact(page);
    await contact.getByLabel('Name').fill('No Script');
    await contact.getByLabel('Email').fill('no@script.example');
    await contact.getByLabel('Company').fill('Plain & Co');
    await contact.getByLabel('Message').fill('Two\nlines');
    await send(contact).click();
    await expectSent();
    await expect(page.getByText(successText)).toBeVisible();
    const row = (await stored()).find(({ name }) => name === 'No Script');
    expect(row).toMatchObject({ email: 'no@script.example', company: 'Plain & Co' });
    expect(String(row?.message).replace('\r\n', '\n')).toBe('Two\nlines');
    await goHome();
  });

  await test.step('the error page of a rejected form keeps the typed values', async () => {
    const contact = await openContact(page);
    // The browser accepts a name of only spaces; the server rejects it.
    await contact.getByLabel('Name').fill('  ');
    await contact.getByLabel('Email').fill('kept@typed.example');
    await contact.getByLabel('Company').fill('"Quotes" & <Tags>');
    await contact.getByLabel('Message').fill('I typed </textarea> all of this.');
    await send(contact).click();
    await expect(
      page.getByRole('heading', { name: config.contactPages.failedTitle }),
    ).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('Please fill in your name.');
    await expect(page.getByLabel('Email')).toHaveValue('kept@typed.example');
    await expect(page.getByLabel('Company')).toHaveValue('"Quotes" & <Tags>');
    await expect(page.getByLabel('Message')).toHaveValue('I typed </textarea> all of this.');
    await page.getByLabel('Name').fill('Second Try');
    await page.getByRole('button', { name: 'Send' }).click();
    await expectSent();
    expect((await stored()).map(({ email }) => email)).toContain('kept@typed.example');
    await expectConsoleError(consoleErrors, /status of 400/);
    await goHome();
  });

  await test.step('going back after a message that was too long restores the form', async () => {
    const tooLong = 'x'.repeat(1_100_000);
    const contact = await openContact(page);
    await contact.getByLabel('Name').fill('Long Text');
    await contact.getByLabel('Email').fill('long@text.example');
    await contact.getByLabel('Message').fill(tooLong);
    await send(contact).click();
    await expect(page.getByRole('alert')).toContainText('Go back in your browser');
    await page.goBack();
    const again = await openContact(page);
    await expect(again.getByLabel('Name')).toHaveValue('Long Text');
    expect((await again.getByLabel('Message').inputValue()).length).toBe(tooLong.length);
    await expectConsoleError(consoleErrors, /status of 413/);
  });
});
