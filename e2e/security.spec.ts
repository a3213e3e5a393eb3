import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { fillIn, messageOf, send, successText } from './contact.ts';
import { banner, dialog, openContact, openDashboard, scrollToShare, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, hasSeenQuiz: false });

/** Records console messages and violations of the content security policy. */
async function recordConsole(page: Page) {
  const messages: string[] = [];
  page.on('console', (message) => {
    // Chromium's verbose hints, which its console hides by default.
    if (message.type() === ('verbose' as string)) return;
    messages.push(`${message.type()}: ${message.text()}`);
  });
  await page.exposeFunction('violated', (text: string) => messages.push(text));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Reflect.get(window, 'violated')(`violation: ${violatedDirective} ${blockedURI}`),
    );
  });
  return messages;
}

test('no screen violates its content security policy or writes to the console', async ({
  page,
  site,
}) => {
  const messages = await recordConsole(page);
  await page.goto('/');
  await scrollToShare(page, 0.6);
  await expect(dialog(page, 'quiz')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: config.assessment.review.action }).click();
  await expect(dialog(page, 'inboxReview')).toBeVisible();
  await page.keyboard.press('Escape');
  await banner(page).getByRole('button', { name: 'Get Started' }).click();
  await expect(dialog(page, 'strategyCall')).toBeVisible();
  await page.keyboard.press('Escape');
  const contact = await openContact(page);
  await fillIn(contact, messageOf('Policy'));
  await send(contact).click();
  await expect(page.getByRole('alert')).toHaveText(successText);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin Access' })).toBeVisible();
  await openDashboard(page, site);
  await page.getByRole('button', { name: 'About Page Views' }).focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  await page.getByText('Last 7 days', { exact: true }).click();
  await expect(page.getByText('Data from last 7 days')).toBeVisible();
  expect(messages).toEqual([]);

  await test.step('the session cookie is HttpOnly and SameSite', async () => {
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name }) => name).sort()).toEqual(['device', 'session', 'session.sig']);
    for (const cookie of cookies) {
      const sameSite = cookie.name === 'device' ? 'Strict' : 'Lax';
      expect(cookie).toMatchObject({ httpOnly: true, sameSite, path: '/' });
    }
  });
});

test('the content security policy blocks an inline script', async ({ page, consoleErrors }) => {
  const messages = await recordConsole(page);
  await page.goto('/');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "taken over"';
    document.body.append(script);
  });
  await expect
    .poll(() => messages.some((text) => text.startsWith('violation: script-src')))
    .toBe(true);
  await expect(page).toHaveTitle(config.seo.title);
  await expectConsoleError(consoleErrors, /Content Security Policy/);
});

test('every kind of response has the security headers', async ({ request }) => {
  for (const path of ['/', '/nowhere', '/admin', '/analytics', '/api/analytics/dashboard']) {
    await test.step(path, async () => {
      const response = await request.get(path);
      const headers = response.headers();
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe-(inline|eval)|\*/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers['x-powered-by']).toBeUndefined();
      if (policy.includes('script-src')) {
        expect(policy).toContain("base-uri 'none'");
        expect(policy).toContain("form-action 'self'");
      }
    });
  }
});

test('prerendered pages have no inline styles or handlers, and one inline script', async ({
  request,
}) => {
  for (const path of ['/', '/nowhere', '/admin']) {
    const html = await (await request.get(path)).text();
    expect(html).not.toMatch(/<[^>]+\sstyle=/);
    expect(html).not.toMatch(/<[^>]+\son\w+=/);
    const inline = html.match(/<script(?![^>]*\s(src|type)=)/g) ?? [];
    expect(inline).toHaveLength(path === '/admin' ? 0 : 1);
    expect(html).not.toContain('{{');
  }
});

test('the client bundle contains no server code and no zod', () => {
  const files = readdirSync('dist/client', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) {
    const code = readFileSync(`dist/client/${file}`, 'utf8');
    for (const trace of [
      'ZodError',
      'invalid_type',
      'DatabaseSync',
      'scrypt',
      'INSERT INTO',
      'contact_message',
      'METRICS_KEY',
      'isbot',
      '"node:',
    ]) {
      expect(code, `${file} contains ${trace}`).not.toContain(trace);
    }
  }
});
