import type { Page } from '@playwright/test';
import { config } from './config.ts';
import { hostileText, test, withoutOptIn } from './connected-site.ts';
import { bytesOf, visitWithoutInteraction } from './network-bytes.ts';
import { optInScripts, optInText } from './opt-in-provider.ts';
import { banner, dialog, dialogTitles, narrow, scrollToShare, wide } from './screens.ts';
import { expect, expectConsoleError } from './site.ts';

test.use({ viewport: wide });

const openers = {
  strategyCall: (page: Page) => banner(page).getByRole('button', { name: 'Get Started' }),
  inboxReview: (page: Page) => page.getByRole('button', { name: config.assessment.review.action }),
};

const calendars = [
  ['strategyCall', '/strategy-call'],
  ['inboxReview', '/inbox-review'],
] as const;

test('the dialogs show the calendars', async ({ page, context, connected: { thirdParty } }) => {
  thirdParty.requested.length = 0;
  const requestsFor = (path: string) =>
    thirdParty.requested.filter((requested) => requested === path);
  await page.goto('/', { waitUntil: 'networkidle' });

  for (const [name, path] of calendars) {
    const opened = dialog(page, name);
    await test.step(`the calendar of ${name} is requested when its dialog opens and removed when it closes`, async () => {
      expect(requestsFor(path)).toEqual([]);
      for (let visit = 1; visit <= 2; visit++) {
        await openers[name](page).click();
        await expect(
          opened.frameLocator('iframe').getByRole('heading', { name: `Welcome to ${path}` }),
        ).toBeVisible();
        await expect(opened.locator('iframe')).toHaveAttribute('title', dialogTitles[name]);
        await page.keyboard.press('Escape');
        await expect(opened).toBeHidden();
        await expect(page.locator('iframe')).toHaveCount(0);
        expect(requestsFor(path)).toHaveLength(visit);
      }
    });

    await test.step(`the dialog of ${name} has links to the calendar and to email`, async () => {
      await openers[name](page).click();
      await expect(opened.getByRole('link', { name: config.dialogs.orEmail })).toHaveAttribute(
        'href',
        new RegExp(`^mailto:${config.brand.email}`),
      );
      const tab = context.waitForEvent('page');
      await opened.getByRole('link', { name: config.dialogs.newTab }).click();
      await expect(await tab).toHaveURL(thirdParty.origin + path);
      await (await tab).close();
      await page.keyboard.press('Escape');
      await expect(opened).toBeHidden();
    });
  }

  await test.step('the frame of the strategy call is 560 px high, that of the review 750 by 560 px', async () => {
    const size = async (name: keyof typeof openers) => {
      await openers[name](page).click();
      const box = await dialog(page, name).locator('iframe').boundingBox();
      await page.keyboard.press('Escape');
      await expect(dialog(page, name)).toBeHidden();
      return { width: Math.round(box?.width ?? 0), height: Math.round(box?.height ?? 0) };
    };
    expect((await size('strategyCall')).height).toBe(560);
    expect(await size('inboxReview')).toEqual({ width: 750, height: 560 });
  });

  await test.step('on a small screen a frame is narrower than its dialog', async () => {
    await page.setViewportSize(narrow);
    await openers.inboxReview(page).click();
    const opened = dialog(page, 'inboxReview');
    const frame = await opened.locator('iframe').boundingBox();
    const outer = await opened.boundingBox();
    expect(frame?.width).toBeLessThan(outer?.width ?? 0);
    expect(outer?.width).toBeLessThanOrEqual(narrow.width);
  });
});

test('a text of the config adds no script, and none is allowed by its text', async ({
  page,
  request,
}) => {
  const response = await request.get('/');
  const html = await response.text();
  expect(html.match(/<script>/g)).toHaveLength(1);
  const policy = response.headers()['content-security-policy'] ?? '';
  // Of the import map and of the page's own script.
  expect(policy.match(/'sha256-/g)).toHaveLength(2);
  await page.goto('/');
  const button = page.locator('[data-sending]').first();
  await expect(button).toHaveAttribute('data-sending', hostileText);
});

test('the content security policy allows exactly the owner’s hosts', async ({
  page,
  request,
  consoleErrors,
  connected: { thirdParty },
}) => {
  const policy = (await request.get('/')).headers()['content-security-policy'] ?? '';
  const sources = (directive: string) =>
    new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1]?.split(' ');
  expect(sources('frame-src')).toEqual([thirdParty.origin, thirdParty.optInHost]);
  expect(sources('script-src')).toEqual([
    "'self'",
    expect.stringMatching(/^'sha256-/),
    expect.stringMatching(/^'sha256-/),
    thirdParty.origin,
    thirdParty.optInHost,
  ]);
  // Directives for the opt-in script and the resources that it uses, and for the calendars' frames.
  for (const origin of [thirdParty.origin, thirdParty.optInHost]) {
    expect(policy.split(origin)).toHaveLength(8);
  }

  const blocked = page.waitForEvent('console', (message) => message.type() === 'error');
  await page.goto('/');
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = 'http://127.0.0.2:9/';
    document.body.append(frame);
  });
  expect((await blocked).text()).toContain('frame-src');
  await expectConsoleError(consoleErrors, /frame-src/);
});

test('the opt-in script is only on the landing page', async ({
  page,
  connected: { thirdParty },
}) => {
  await test.step('the page with calendars stays within its budget', async () => {
    await withoutOptIn(page);
    const bytes = bytesOf(await visitWithoutInteraction(page, '/'), 'Document', 'Stylesheet');
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThanOrEqual(14_000);
    await page.unroute('**/opt-in.js');
    await page.reload();
  });

  const script = page.locator(`head script[src="${thirdParty.origin}/opt-in.js"]`);
  await test.step('the opt-in script is added once the page has loaded and removed on pagehide', async () => {
    await expect(script).toHaveCount(1);
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'optedIn'))).toBe(1);
    await expect(script).toHaveAttribute('data-uid', 'a1b2c3');
    await expect(page.getByText(optInText)).toBeVisible();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
    await expect(script).toHaveCount(0);
  });

  await test.step('a page from the back/forward cache has the script again and still one form', async () => {
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await expect(script).toHaveCount(1);
    await expect(page.getByText(optInText)).toHaveCount(1);
  });

  await test.step('the opt-in script is on no other screen', async () => {
    thirdParty.requested.length = 0;
    await page.goto('/admin', { waitUntil: 'networkidle' });
    await expect(page.locator('script[src*="opt-in"]')).toHaveCount(0);
    expect(thirdParty.requested).toEqual([]);
  });
});

for (const name of ['kit', 'activeCampaign', 'mailerLite', 'hubSpot', 'mailchimp'] as const) {
  test(`the form of a script like that of ${name} is shown with its styles`, async ({
    page,
    connected: { thirdParty },
  }) => {
    await page.route('**/opt-in.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: optInScripts(thirdParty.optInHost)[name],
      }),
    );
    await page.goto('/');
    const assessment = page.locator('#assessment');
    const shown = { hubSpot: assessment.frameLocator('iframe'), mailchimp: page }[name as string];
    const form = (shown ?? assessment).getByText(optInText);
    await expect(form).toBeVisible();
    await expect(form).toHaveCSS('color', 'rgb(1, 2, 3)');
    await expect(form).toHaveCSS('outline-color', 'rgb(4, 5, 6)');
  });
}

test('an opt-in script without a form leaves no gap', async ({ page }) => {
  await withoutOptIn(page);
  await page.goto('/');
  const place = page.locator('._form_1');
  await expect(place).toHaveCSS('height', '0px');
  await expect(place).toHaveCSS('margin-top', '0px');
});

test.describe('a visitor who has not seen the quiz', () => {
  test.use({ hasSeenQuiz: false });

  test('the quiz opens in a new tab and its popup closes', async ({
    page,
    context,
    connected: { thirdParty },
  }) => {
    await page.goto('/');
    await scrollToShare(page, 0.6);
    const tab = context.waitForEvent('page');
    await dialog(page, 'quiz').getByRole('link', { name: 'Take the Quiz' }).click();
    await expect(await tab).toHaveURL(`${thirdParty.origin}/quiz`);
    await expect(dialog(page, 'quiz')).toBeHidden();
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('calls-to-action are links to the calendar without JavaScript', async ({
    page,
    connected: { thirdParty },
  }) => {
    await page.goto('/');
    await expect(banner(page).getByRole('link', { name: 'Get Started' })).toHaveAttribute(
      'href',
      `${thirdParty.origin}/strategy-call`,
    );
    await expect(page.getByRole('link', { name: config.assessment.review.action })).toHaveAttribute(
      'href',
      `${thirdParty.origin}/inbox-review`,
    );
    await page.getByRole('main').getByRole('link', { name: config.hero.action }).click();
    await expect(page.getByRole('heading', { name: 'Welcome to /strategy-call' })).toBeVisible();
  });
});
