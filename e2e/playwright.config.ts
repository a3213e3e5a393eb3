import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './browser.ts';
import type { Engine } from './test-database.ts';

const { executablePath, args } = await findBrowser();

const { E2E_DATABASE = '' } = process.env;
if (!['', 'postgres'].includes(E2E_DATABASE)) {
  throw new Error(`E2E_DATABASE must be postgres or left out, not "${E2E_DATABASE}".`);
}

const engine: Engine = E2E_DATABASE ? 'PostgreSQL' : 'SQLite';

/** The tests on a site with addresses of its own, which one worker builds for all of them. */
const connected = ['booking', 'connected', 'money'].map((name) => `${name}.spec.ts`);

export default defineConfig<object, { engine: Engine }>({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // A machine of two cores runs two browsers well; more would only wait for each other.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  fullyParallel: true,
  // On a machine that does other work, too, every step takes longer: only what hangs shall fail.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // The second try only records what happened: a test that passes then fails the run all the same.
  retries: 1,
  failOnFlakyTests: true,
  reporter: 'list',
  projects: [
    { name: `connected, ${engine}`, testMatch: connected, workers: 1, use: { engine } },
    { name: engine, testIgnore: connected, use: { engine } },
    // On PostgreSQL each site is two servers behind one address: there runs what depends on that.
    ...(E2E_DATABASE
      ? []
      : [{ name: 'instances', grep: /@instances/, use: { engine: 'PostgreSQL' } } as const]),
  ],
  use: {
    // A browser that says it is driven by a program is not counted either.
    launchOptions: {
      executablePath,
      args: [...args, '--disable-blink-features=AutomationControlled'],
    },
    // A headless browser says so in its name, and would be taken for a bot.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    reducedMotion: 'reduce',
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
});
