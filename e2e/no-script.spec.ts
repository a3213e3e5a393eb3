import { site as words } from '../site.config.ts';
import { send, thanks } from './contact.ts';
import { banner, dialog, footer, openContact, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ javaScriptEnabled: false, viewport: wide, reducedMotion: 'reduce' });

const none = { question: '', answer: '' };

test('the landing page works without JavaScript', async ({ page }) => {
  await page.goto('/');
  await test.step('every call-to-action is a real link', async () => {
    const mail = new RegExp(`^mailto:${words.brand.email}`);
    const actions = [
      words.hero.action,
      words.pains.action,
      words.freedom.action,
      words.costs.action,
      words.services.management.action,
      words.services.consulting.action,
      words.services.infrastructure.action,
      words.about.action,
      words.steps.action,
      words.assessment.review.action,
    ];
    const main = page.getByRole('main');
    for (const name of actions) {
      await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('href', mail);
      await expect(main.getByRole('button', { name, exact: true })).toBeHidden();
    }
    for (const place of [banner(page), footer(page)]) {
      await expect(
        place.getByRole('link', { name: /^(Get Started|Book a free strategy call)$/ }),
      ).toHaveAttribute('href', mail);
    }
    await expect(main.getByRole('link', { name: words.assessment.action })).toHaveAttribute(
      'href',
      words.links.quiz,
    );
  });

  await test.step('the answers of the FAQ open and close', async () => {
    const [first = none, second = none] = words.faq.items;
    await page.getByRole('heading', { name: first.question }).click();
    await expect(page.getByText(first.answer)).toBeVisible();
    await page.getByRole('heading', { name: second.question }).click();
    await expect(page.getByText(first.answer)).toBeHidden();
    await expect(page.getByText(second.answer)).toBeVisible();
  });

  await test.step('the menus lead to the sections', async () => {
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

test('the contact form works without JavaScript', async ({ page, site, complaints }) => {
  const stored = () => site.rows('contact_message');
  const isSent = () =>
    expect(page.getByRole('heading', { name: words.contactPages.sentTitle })).toBeVisible();
  const goHome = async () => {
    await page.getByRole('link', { name: words.contactPages.home }).click();
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
    await isSent();
    await expect(page.getByText(thanks)).toBeVisible();
    const row = (await stored()).find(({ name }) => name === 'No Script');
    expect(row).toMatchObject({ email: 'no@script.example', company: 'Plain & Co' });
    expect(String(row?.message).replace('\r\n', '\n')).toBe('Two\nlines');
    await goHome();
  });

  await test.step('the page that answers a rejected form keeps what was typed', async () => {
    const contact = await openContact(page);
    // The browser takes a blank for a name; the server does not.
    await contact.getByLabel('Name').fill('  ');
    await contact.getByLabel('Email').fill('kept@typed.example');
    await contact.getByLabel('Company').fill('"Quotes" & <Tags>');
    await contact.getByLabel('Message').fill('I typed </textarea> all of this.');
    await send(contact).click();
    await expect(page.getByRole('heading', { name: words.contactPages.failedTitle })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveText('Please fill in your name.');
    await expect(page.getByLabel('Email')).toHaveValue('kept@typed.example');
    await expect(page.getByLabel('Company')).toHaveValue('"Quotes" & <Tags>');
    await expect(page.getByLabel('Message')).toHaveValue('I typed </textarea> all of this.');
    await page.getByLabel('Name').fill('Second Try');
    await page.getByRole('button', { name: 'Send' }).click();
    await isSent();
    expect((await stored()).map(({ email }) => email)).toContain('kept@typed.example');
    await expectComplaint(complaints, /status of 400/);
    await goHome();
  });

  await test.step('going back finds the text again when the message was too long', async () => {
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
    await expectComplaint(complaints, /status of 413/);
  });
});
