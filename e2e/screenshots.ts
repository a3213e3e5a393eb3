/** Takes the pictures of the README, light and dark, on a site with demo data. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { startServer } from '../server/testing/process/server-process.ts';
import { site as config } from '../site.config.ts';
import { findBrowser } from './browser.ts';

const folder = 'docs/pictures';
const password = 'correct horse battery staple';

/** Opens the screen of each picture and resolves when it is complete. */
const pictures: Record<string, (page: Page) => Promise<void>> = {
  async hero(page) {
    await page.goto('/', { waitUntil: 'networkidle' });
  },
  async booking(page) {
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.getByRole('banner').getByRole('button', { name: config.header.start }).click();
    const frame = page.getByRole('dialog').frameLocator('iframe');
    await frame.getByRole('radio').first().waitFor();
  },
  async dashboard(page) {
    await page.request.post('/api/admin/login', { data: { password } });
    await page.goto('/analytics', { waitUntil: 'networkidle' });
  },
  async editor(page) {
    await page.request.post('/api/admin/login', { data: { password } });
    await page.goto('/analytics/site?field=hero.title', { waitUntil: 'networkidle' });
    await page
      .getByRole('textbox', { name: /^Headline/ })
      .fill('Your business, without the knots.');
    await page.getByRole('button', { name: 'Publish 1 change', disabled: false }).waitFor();
    await page.waitForLoadState('networkidle');
  },
};

await mkdir(folder, { recursive: true });
const DATA_DIR = await mkdtemp(join(tmpdir(), 'shingle-screenshots-'));
execFileSync(process.execPath, ['dist/server/admin.js', 'demo'], {
  env: { PATH: process.env.PATH, DATA_DIR },
});
const { origin, child, ended } = await startServer({ DATA_DIR, ADMIN_PASSWORD: password });
const { executablePath, args } = await findBrowser();
const browser = await chromium.launch({ executablePath, args });
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [name, open] of Object.entries(pictures)) {
      const page = await browser.newPage({
        baseURL: origin,
        colorScheme,
        reducedMotion: 'reduce',
        viewport: { width: 1280, height: 800 },
      });
      await open(page);
      const file = join(folder, `${name}-${colorScheme}.webp`);
      const { size } = await sharp(await page.screenshot())
        .webp({ quality: 82 })
        .toFile(file);
      console.log(`${file}: ${Math.round(size / 1000)} kB`);
      await page.close();
    }
  }
} finally {
  await browser.close();
  child.kill('SIGTERM');
  await ended;
  await rm(DATA_DIR, { recursive: true });
}
