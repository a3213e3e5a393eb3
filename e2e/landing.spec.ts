import type { Page } from '@playwright/test';
import { site as config } from '../site.config.ts';
import { expectNoHorizontalScroll } from './landing.ts';
import { dialog, footer, mockOtherHosts, narrow, wide } from './screens.ts';
import { expect, expectConsoleError, test } from './site.ts';

test.use({ viewport: wide, reducedMotion: 'reduce' });

test('the landing page has the sections and copy of the specification', async ({ page }) => {
  await page.goto('/');
  const main = page.getByRole('main');
  await test.step('the sections are in order', async () => {
    const headings = [
      main.getByRole('heading', { level: 1, name: config.hero.title }),
      main.getByText(config.tagline, { exact: true }),
      main.getByRole('heading', { name: config.pains.title }),
      main.getByRole('heading', { name: config.freedom.title }),
      main.getByRole('heading', { name: config.costs.title }),
      main.getByRole('heading', { name: config.testimonials.title }),
      main.getByRole('heading', { name: config.services.title }),
      main.getByRole('heading', { name: config.about.title }),
      main.getByRole('heading', { name: 'How it works' }),
      main.getByRole('heading', { name: config.faq.title }),
      main.getByRole('heading', { name: 'Email Marketing Health Checker' }),
      footer(page).getByText(config.footer.title),
    ];
    const tops: number[] = [];
    for (const heading of headings) tops.push((await heading.boundingBox())?.y ?? Number.NaN);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });

  await test.step('five ids refer to their sections', async () => {
    for (const [id, name] of [
      ['services', config.services.title],
      ['management', 'System Optimization'],
      ['consulting', 'Digital Experience Builds'],
      ['infrastructure', 'Infrastructure Streamlining'],
      ['about', config.about.title],
    ] as const) {
      await expect(page.locator(`#${id}`).getByRole('heading', { name })).toBeVisible();
    }
  });

  await test.step('each service has four points and a call-to-action', async () => {
    for (const id of ['management', 'consulting', 'infrastructure'] as const) {
      const service = page.locator(`#${id}`);
      await expect(service.getByRole('listitem')).toHaveCount(4);
      await expect(service.getByRole('button', { name: config.services[id].action })).toBeVisible();
    }
  });

  await test.step('the first paragraph pitches audits, client journeys and business infrastructure', async () => {
    const lead = page.getByRole('main').getByText(config.hero.lead);
    await expect(lead).toContainText('audit your systems and automations');
    await expect(lead).toContainText('client journey');
    await expect(lead).toContainText('business infrastructure');
  });

  await test.step('the copy has its three claims', async () => {
    await expect(page.getByText('7+ years', { exact: true })).toBeVisible();
    await expect(page.getByText('30%', { exact: true })).toBeVisible();
    await expect(page.getByText('of SaaS budgets are wasted on unused tools')).toBeVisible();
    await expect(page.getByText('2-minute assessment')).toBeVisible();
  });

  await expectCards(page);

  await test.step('photos are loaded near the window, and stay painted from then on', async () => {
    const photos = page.locator('figure img, #about img');
    const wanted = [...config.testimonials.quotes, config.about].filter(({ photo }) => photo);
    await expect(photos).toHaveCount(wanted.length);
    for (const photo of await photos.all()) {
      await photo.scrollIntoViewIfNeeded();
      await expect
        .poll(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth))
        .toBeGreaterThan(0);
      await expect(photo.locator('..')).toHaveCSS('content-visibility', 'visible');
    }
  });
});

const expectCards = (page: Page) =>
  test.step('four pains, two cost lists and three testimonials are visible', async () => {
    for (const { title, text } of config.pains.cards) {
      await expect(page.getByRole('heading', { name: title })).toBeVisible();
      await expect(page.getByText(text)).toBeVisible();
    }
    expect(config.pains.cards).toHaveLength(4);
    expect(config.costs.lists).toHaveLength(2);
    for (const { title, rows } of config.costs.lists) {
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
      for (const { what } of rows) {
        await expect(page.getByText(what, { exact: true })).toBeVisible();
      }
    }
    const quotes = page.getByRole('figure');
    await expect(quotes).toHaveCount(3);
    for (const [index, { quote, name, role }] of config.testimonials.quotes.entries()) {
      const figure = quotes.nth(index);
      await expect(figure).toContainText(quote);
      await expect(figure).toContainText(name);
      await expect(figure).toContainText(role);
      await expect(figure.locator('img, svg')).toHaveCount(1);
    }
  });

const steps = [
  ["Let's Talk Strategy", /free, zero-pressure call/],
  ['Share Your World', /short form before the call/],
  ['Get the Game Plan', /services, pricing and deliverables/],
  ['Breathe Easier', /You say yes and the fixing starts/],
] as const;

async function stepBoxes(page: Page) {
  const boxes = [];
  for (const [title, text] of steps) {
    const step = page.getByRole('listitem').filter({ hasText: title });
    await expect(step).toContainText(text);
    const box = await step.getByRole('heading', { name: title }).boundingBox();
    boxes.push({ x: Math.round(box?.x ?? Number.NaN), y: Math.round(box?.y ?? Number.NaN) });
  }
  return boxes;
}

test('the header, the four steps and the footer fit a wide screen', async ({ page }) => {
  await page.goto('/');
  await test.step('the four steps are side by side on a large screen', async () => {
    const boxes = await stepBoxes(page);
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
    const lefts = boxes.map(({ x }) => x);
    expect(new Set(lefts).size).toBe(4);
    expect(lefts).toEqual([...lefts].sort((a, b) => a - b));
  });

  await test.step('the page has its title, a sticky header and © 2024', async () => {
    await expect(page).toHaveTitle(config.seo.title);
    await expect(footer(page).getByText('© 2024')).toBeVisible();
    await page.evaluate(() => scrollTo({ top: 2000, behavior: 'instant' }));
    await expect
      .poll(async () => (await page.getByRole('banner').boundingBox())?.y)
      .toBeGreaterThanOrEqual(0);
    await expect(page.getByRole('banner')).toBeInViewport();
  });

  await test.step('the footer has the brand, the tagline and three lists', async () => {
    const pageFooter = footer(page);
    await expect(pageFooter.getByRole('link', { name: config.brand.name })).toHaveAttribute(
      'href',
      '/',
    );
    await expect(
      pageFooter.getByText('Strategic operations partner for scaling digital businesses.'),
    ).toBeVisible();
    for (const [list, entries] of [
      [
        'Services',
        ['System Optimization', 'Digital Experience Builds', 'Infrastructure Streamlining'],
      ],
      ['Company', ['About']],
      ['Connect', ['Instagram', 'LinkedIn', config.footer.email]],
    ] as const) {
      const block = pageFooter
        .locator('div')
        .filter({ has: page.getByRole('heading', { name: list, exact: true }) })
        .last();
      await expect(block.getByRole('listitem')).toHaveText(
        entries.map((entry) => new RegExp(`^${entry}`)),
      );
    }
  });

  await test.step('the email button of the footer opens the contact dialog', async () => {
    await footer(page).getByRole('button', { name: config.footer.email }).click();
    await expect(dialog(page, 'contact')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('nothing is cut off at 200% text size', async () => {
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await expectNoHorizontalScroll(page);
    const rights = await page
      .getByRole('banner')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right));
    for (const right of rights) expect(right).toBeLessThanOrEqual(wide.width);
  });
});

test('links to other sites open in a new tab', async ({ page, context }) => {
  await mockOtherHosts(context);
  await page.goto('/');
  await test.step('the free assessment has three promises, and its picture opens the quiz', async () => {
    const assessment = page.locator('#assessment');
    for (const promise of ['Personalized results', 'Instant analysis', 'An action plan']) {
      await expect(assessment.getByText(promise, { exact: true })).toBeVisible();
    }
    const link = assessment.getByRole('link', { name: config.assessment.action });
    const picture = link.getByRole('img', { name: 'Email Marketing Health Checker' });
    const opened = context.waitForEvent('page');
    await picture.click();
    const tab = await opened;
    await expect(tab).toHaveURL(config.links.quiz);
    await tab.close();
    await expect(page).toHaveURL('/');
  });

  await test.step('Instagram and LinkedIn open in a new tab', async () => {
    for (const [name, url] of [
      ['Instagram', config.links.instagram],
      ['LinkedIn', config.links.linkedin],
    ] as const) {
      const opened = context.waitForEvent('page');
      await footer(page).getByRole('link', { name }).click();
      const tab = await opened;
      await expect(tab).toHaveURL(url);
      expect(await tab.evaluate(() => opener)).toBeNull();
      await tab.close();
    }
    await expect(page).toHaveURL('/');
  });
});

/** Expects that the page does not scroll horizontally at 360 and 320 px. */
async function expectToFitNarrowScreens(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const width of [360, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await expectNoHorizontalScroll(page);
  }
}

test('public pages fit a narrow screen', async ({ page }) => {
  await page.setViewportSize(narrow);
  await page.goto('/');
  await test.step('the four steps are stacked on a small screen', async () => {
    const boxes = await stepBoxes(page);
    expect(new Set(boxes.map(({ x }) => x)).size).toBe(1);
    const tops = boxes.map(({ y }) => y);
    expect(new Set(tops).size).toBe(4);
    expect(tops).toEqual([...tops].sort((a, b) => a - b));
  });
  await test.step('the landing page does not scroll horizontally at 360 and 320 px', async () => {
    await expectToFitNarrowScreens(page);
  });
  await test.step('the login page does not scroll horizontally at 360 and 320 px', async () => {
    await page.goto('/admin');
    await expectToFitNarrowScreens(page);
  });
});

test('an unknown path returns the 404 page', async ({ page, consoleErrors }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page).toHaveTitle(/^404 Page Not Found/);
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await expectToFitNarrowScreens(page);
  await page.getByRole('link', { name: config.notFound.home }).click();
  await expect(page).toHaveURL('/');
  // The browser logs the 404 status of the document.
  await expectConsoleError(consoleErrors, /status of 404/);
});

test('the lines of the drawings appear gradually with motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  for (const drawing of ['[data-layer="4"]', '#how-it-works svg']) {
    const [start, quarter] = await page.locator(drawing).first().evaluate(clipsOf);
    expect(start).toMatch(/^inset\(/);
    expect(quarter).toMatch(/^inset\(/);
    expect(quarter).not.toBe(start);
  }
});

/** The clip of an animated element at the start of its animation and after a quarter. */
function clipsOf(element: Element): string[] {
  const effect = element.getAnimations()[0]?.effect as KeyframeEffect;
  const copy = element.animate(effect.getKeyframes(), { duration: 1000, easing: 'linear' });
  copy.pause();
  return [0, 250].map((time) => {
    copy.currentTime = time;
    return getComputedStyle(element).clipPath;
  });
}
