/** The development server on a copy of the project. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, expect as baseExpect } from '@playwright/test';
import { startDevelopmentServer } from '../server/testing/development-server.ts';
import { banner, openContact } from './screens.ts';

/** A development server transforms each module of a page while the page loads. */
const expect = baseExpect.configure({ timeout: 60_000 });

interface DevSite {
  origin: string;
  folder: string;
  /** What the terminal shows so far. */
  output(): string;
}

const test = base.extend<{ dev: DevSite; loads: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures here
  dev: async ({}, use) => {
    const { origin, folder, child, stop } = await startDevelopmentServer();
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
    try {
      await expect.poll(() => output).toContain(`${origin}/`);
      await use({ origin, folder, output: () => output });
    } finally {
      await stop();
    }
  },
  /** The addresses of the documents that the page loaded. */
  loads: async ({ page }, use) => {
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    await use(loads);
  },
});

/** Saves a new page `<name>/pages/home.html`, which Vite reports. */
function savePage({ folder }: DevSite, name: string) {
  mkdirSync(join(folder, name, 'pages'), { recursive: true });
  writeFileSync(join(folder, name, 'pages/home.html'), '<p>page</p>');
}

test('development server ignores a build beside it', async ({ page, dev, loads }) => {
  await page.goto(dev.origin);
  savePage(dev, 'dist.next');
  // Vite reports changes in their order, so it has handled the build when it reports the next page.
  savePage(dev, 'first');
  await expect.poll(dev.output).toContain('page reload first/pages/home.html');
  rmSync(join(dev.folder, 'dist.next'), { recursive: true });
  savePage(dev, 'second');
  await expect.poll(dev.output).toContain('page reload second/pages/home.html');
  expect(dev.output().match(/page reload dist.*/)).toBeNull();
  expect(loads).toHaveLength(1);
});

test('page stays open below the mistake while site.config.ts is half saved', async ({
  page,
  dev,
  loads,
}) => {
  const config = join(dev.folder, 'site.config.ts');
  const text = readFileSync(config, 'utf8');
  await page.goto(dev.origin);
  const heading = page.getByRole('heading', { level: 1 });
  const title = (await heading.textContent()) ?? '';
  const overlay = page.locator('vite-error-overlay');
  const mistake = 'site.config.ts, line 1: the line "export const site = {" is missing.';

  writeFileSync(config, '');
  await expect(overlay).toContainText(mistake);
  expect(dev.output()).toContain(mistake);
  await expect(heading).toHaveText(title);
  expect(loads).toHaveLength(1);

  writeFileSync(config, text.replace("contact: 'Contact'", "contact: 'Write to me'"));
  await expect(banner(page).getByRole('button', { name: 'Write to me' })).toBeVisible();
  await expect(overlay).toHaveCount(0);
});

for (const [what, file] of [
  ['page', 'src/landing/pains.tsx'],
  ['server', 'server/contact/router.ts'],
] as const) {
  test(`error of a ${what} module is shown, and the page is back once it is fixed`, async ({
    page,
    dev,
  }) => {
    await page.goto(dev.origin);
    const heading = page.getByRole('heading', { level: 1 });
    const title = (await heading.textContent()) ?? '';
    const overlay = page.locator('vite-error-overlay');
    const path = join(dev.folder, file);
    const text = readFileSync(path, 'utf8');

    writeFileSync(path, `${text}}`);
    await expect(async () => {
      await page.goto(dev.origin);
      await expect(overlay).toContainText(file, { timeout: 1000 });
    }).toPass({ timeout: 60_000 });

    writeFileSync(path, text);
    await expect(heading).toHaveText(title);
    await expect(overlay).toHaveCount(0);
  });
}

test('component of an opened island is replaced without a reload and keeps the typed text', async ({
  page,
  dev,
  loads,
}) => {
  await page.goto(dev.origin);
  const contact = await openContact(page);
  // Hydrated: React has marked its elements.
  const isHydrated = () =>
    contact
      .locator('form')
      .evaluate((form) => Object.keys(form).some((key) => key.startsWith('__reactFiber')));
  await expect.poll(isHydrated).toBe(true);
  const email = contact.locator('[name=email]');
  await email.fill('ada@studio.example');
  const before = loads.length;

  const file = join(dev.folder, 'src/contact/form.tsx');
  writeFileSync(file, readFileSync(file, 'utf8').replace('{copy.cancel}', 'Never mind'));
  await expect(contact.getByRole('button', { name: 'Never mind' })).toBeVisible();
  await expect(email).toHaveValue('ada@studio.example');
  expect(loads).toHaveLength(before);
});

test('development server uses a changed .env', async ({ dev }) => {
  const privacy = () => fetch(`${dev.origin}/privacy`).then((page) => page.text(), String);
  for (const days of [411, 412]) {
    writeFileSync(join(dev.folder, '.env'), `KEEP_MESSAGES_DAYS=${days}\n`);
    await expect.poll(privacy).toContain(`${days} days`);
  }
});
