import type { Page } from '@playwright/test';
import { site as words } from '../site.config.ts';
import { expectNoSidewaysScroll } from './landing.ts';
import { dialog, footer, narrow, standInForOtherHosts, wide } from './screens.ts';
import { expect, expectComplaint, test } from './site.ts';

test.use({ viewport: wide });

test('the twelve sections stand in the order of the specification', async ({ page }) => {
  await page.goto('/');
  const main = page.getByRole('main');
  const starts = [
    main.getByRole('heading', { level: 1, name: words.hero.title }),
    main.getByText(words.tagline, { exact: true }),
    main.getByRole('heading', { name: words.pains.title }),
    main.getByRole('heading', { name: words.freedom.title }),
    main.getByRole('heading', { name: words.costs.title }),
    main.getByRole('heading', { name: words.testimonials.title }),
    main.getByRole('heading', { name: words.services.title }),
    main.getByRole('heading', { name: words.about.title }),
    main.getByRole('heading', { name: 'How it works' }),
    main.getByRole('heading', { name: words.faq.title }),
    main.getByRole('heading', { name: 'Email Marketing Health Checker' }),
    footer(page).getByText(words.footer.title),
  ];
  const tops: number[] = [];
  for (const start of starts) tops.push((await start.boundingBox())?.y ?? Number.NaN);
  expect(tops).toHaveLength(12);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
});

test('the four ids of the services and the one of the bio name their sections', async ({
  page,
}) => {
  await page.goto('/');
  for (const [id, name] of [
    ['services', words.services.title],
    ['management', 'System Optimization'],
    ['consulting', 'Digital Experience Builds'],
    ['infrastructure', 'Infrastructure Streamlining'],
    ['about', words.about.title],
  ] as const) {
    await expect(page.locator(`#${id}`).getByRole('heading', { name })).toBeVisible();
  }
});

test('each service has four points and a call-to-action', async ({ page }) => {
  await page.goto('/');
  for (const id of ['management', 'consulting', 'infrastructure'] as const) {
    const service = page.locator(`#${id}`);
    await expect(service.getByRole('listitem')).toHaveCount(4);
    await expect(service.getByRole('button', { name: words.services[id].action })).toBeVisible();
  }
});

test('four pains, a business and a personal list of costs, three testimonials', async ({
  page,
}) => {
  await page.goto('/');
  for (const { title, text } of words.pains.cards) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
  }
  expect(words.pains.cards).toHaveLength(4);
  expect(words.costs.lists).toHaveLength(2);
  for (const { title, rows } of words.costs.lists) {
    await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    for (const { what } of rows) await expect(page.getByText(what, { exact: true })).toBeVisible();
  }
  const quotes = page.getByRole('figure');
  await expect(quotes).toHaveCount(3);
  for (const [index, { quote, name, role }] of words.testimonials.quotes.entries()) {
    const figure = quotes.nth(index);
    await expect(figure).toContainText(quote);
    await expect(figure).toContainText(name);
    await expect(figure).toContainText(role);
    await expect(figure.locator('img, svg')).toHaveCount(1);
  }
});

test('the copy makes its three claims', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByText('7+ years', { exact: true })).toBeVisible();
  await expect(page.getByText('30%', { exact: true })).toBeVisible();
  await expect(page.getByText('of SaaS budgets are wasted on unused tools')).toBeVisible();
  await expect(page.getByText('2-minute assessment')).toBeVisible();
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

test('the four steps stand side by side on a large screen', async ({ page }) => {
  await page.goto('/');
  const boxes = await stepBoxes(page);
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  const lefts = boxes.map(({ x }) => x);
  expect(new Set(lefts).size).toBe(4);
  expect(lefts).toEqual([...lefts].sort((a, b) => a - b));
});

test('the four steps are stacked on a small screen', async ({ page }) => {
  await page.setViewportSize(narrow);
  await page.goto('/');
  const boxes = await stepBoxes(page);
  expect(new Set(boxes.map(({ x }) => x)).size).toBe(1);
  const tops = boxes.map(({ y }) => y);
  expect(new Set(tops).size).toBe(4);
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
});

test('the free assessment promises three things, and its picture opens the quiz in a new tab', async ({
  page,
  context,
}) => {
  await standInForOtherHosts(context);
  await page.goto('/');
  const assessment = page.locator('#assessment');
  for (const promise of ['Personalized results', 'Instant analysis', 'An action plan']) {
    await expect(assessment.getByText(promise, { exact: true })).toBeVisible();
  }
  const picture = assessment.getByRole('link', { name: words.assessment.action });
  await expect(picture.locator('svg').first()).toBeVisible();
  const opened = context.waitForEvent('page');
  await picture.locator('svg').first().click();
  expect((await opened).url()).toBe(words.links.quiz);
  await expect(page).toHaveURL('/');
});

test('the page is titled, sticky at its head, and says © 2024 at its foot', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle(words.seo.title);
  await expect(footer(page).getByText('© 2024')).toBeVisible();
  await page.evaluate(() => scrollTo({ top: 2000, behavior: 'instant' }));
  await expect
    .poll(async () => (await page.getByRole('banner').boundingBox())?.y)
    .toBeGreaterThanOrEqual(0);
  await expect(page.getByRole('banner')).toBeInViewport();
});

test('the footer holds brand, tagline and its three lists', async ({ page, context }) => {
  await standInForOtherHosts(context);
  await page.goto('/');
  const foot = footer(page);
  await expect(foot.getByRole('link', { name: words.brand.name })).toHaveAttribute('href', '/');
  await expect(
    foot.getByText('Strategic operations partner for scaling digital businesses.'),
  ).toBeVisible();
  for (const [list, entries] of [
    [
      'Services',
      ['System Optimization', 'Digital Experience Builds', 'Infrastructure Streamlining'],
    ],
    ['Company', ['About']],
    ['Connect', ['Instagram', 'LinkedIn', words.footer.email]],
  ] as const) {
    const block = foot
      .locator('div')
      .filter({ has: page.getByRole('heading', { name: list, exact: true }) })
      .last();
    await expect(block.getByRole('listitem')).toHaveText(
      entries.map((entry) => new RegExp(`^${entry}`)),
    );
  }
});

test('Instagram and LinkedIn open in a new tab', async ({ page, context }) => {
  await standInForOtherHosts(context);
  await page.goto('/');
  for (const [name, address] of [
    ['Instagram', words.links.instagram],
    ['LinkedIn', words.links.linkedin],
  ] as const) {
    const opened = context.waitForEvent('page');
    await footer(page).getByRole('link', { name }).click();
    const tab = await opened;
    expect(tab.url()).toBe(address);
    expect(await tab.evaluate(() => opener)).toBeNull();
    await tab.close();
  }
  await expect(page).toHaveURL('/');
});

test('the email button of the footer opens the contact dialog', async ({ page }) => {
  await page.goto('/');
  await footer(page).getByRole('button', { name: words.footer.email }).click();
  await expect(dialog(page, 'contact')).toBeVisible();
});

test('an unknown address is answered by the 404 page', async ({ page, complaints }) => {
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page).toHaveTitle(/^404 Page Not Found/);
  await expect(page.getByRole('heading', { level: 1, name: '404 Page Not Found' })).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await page.getByRole('link', { name: words.notFound.home }).click();
  await expect(page).toHaveURL('/');
  // The browser itself reports a document of status 404.
  await expectComplaint(complaints, /status of 404/);
});

for (const width of [320, 360]) {
  test(`nothing scrolls sideways at ${width} px`, async ({ page, complaints }) => {
    await page.setViewportSize({ width, height: 640 });
    for (const path of ['/', '/no/such/page', '/admin']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    await expectComplaint(complaints, /status of 404/);
  });
}

test('the page stands at 200 % text', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expectNoSidewaysScroll(page);
  const lefts = await page
    .getByRole('banner')
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right));
  for (const right of lefts) expect(right).toBeLessThanOrEqual(wide.width);
});
