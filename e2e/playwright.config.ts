import { defineConfig } from '@playwright/test';
import { findBrowser } from './browser.ts';

const { executablePath, args } = await findBrowser();

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results',
  // A machine of two cores runs two browsers well; more would only wait for each other.
  workers: 2,
  fullyParallel: true,
  timeout: 30_000,
  forbidOnly: true,
  reporter: 'list',
  use: {
    // A browser that says it is driven by a program is not counted either.
    launchOptions: {
      executablePath,
      args: [...args, '--disable-blink-features=AutomationControlled'],
    },
    // A headless browser says so in its name, and would be taken for a bot.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
