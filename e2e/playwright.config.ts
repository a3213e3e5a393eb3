import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './browser.ts';
import type { Engine } from './test-database.ts';

const { executablePath, args } = await findBrowser();

const { E2E_DATABASE = '' } = process.env;
if (!['', 'postgres'].includes(E2E_DATABASE)) {
  throw new Error(`E2E_DATABASE is "${E2E_DATABASE}". Set it to "postgres", or unset it.`);
}

const engine: Engine = E2E_DATABASE ? 'PostgreSQL' : 'SQLite';

/** Tests on the connected site, which one worker builds for all of them. */
const connected = ['booking', 'connected', 'money'].map((name) => `${name}.spec.ts`);

/** Firefox and WebKit, the development server, hostile texts in every field, and translated owner screens. */
const long = process.env.TEST_LONG
  ? []
  : ['engines', 'engines-editor', 'dev', 'hostile-fields', 'translation-admin'].map(
      (name) => `${name}.spec.ts`,
    );

export default defineConfig<object, { engine: Engine }>({
  testDir: '.',
  outputDir: '../test-results',
  globalSetup: './global-setup.ts',
  // One worker for every two cores, but at least two; more would compete for the CPU.
  workers: Math.max(2, Math.floor(availableParallelism() / 2)),
  fullyParallel: true,
  // Generous timeouts for busy machines: only a step that hangs should fail.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // Further orders of what other tests do once; with TEST_LONG they run, too.
  ...(!process.env.TEST_LONG && { grepInvert: /@long/ }),
  // The retry only records a trace: a flaky test fails the run.
  retries: 1,
  failOnFlakyTests: true,
  reporter: 'list',
  projects: [
    { name: `connected, ${engine}`, testMatch: connected, workers: 1, use: { engine } },
    // On PostgreSQL each site has two instances: the tests that depend on that run there, too.
    ...(E2E_DATABASE
      ? []
      : [
          {
            name: 'instances',
            grep: /@instances/,
            workers: 1,
            use: { engine: 'PostgreSQL' },
          } as const,
        ]),
    { name: engine, testIgnore: [...connected, ...long], use: { engine } },
  ],
  use: {
    // Visits with `navigator.webdriver` are not counted.
    launchOptions: {
      executablePath,
      // A page lives for seconds: compiling its hot code costs more time than it saves.
      args: [
        ...args,
        '--disable-blink-features=AutomationControlled',
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
    // The default user agent of a headless browser is detected as a bot.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
    reducedMotion: 'reduce',
    // No screenshots: they are taken after every test, also those that pass. The trace has its own.
    trace: 'on-first-retry',
  },
});
