import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { subsetFonts } from './server/build/subset-fonts.ts';
import { Sequencer } from './server/testing/sequencer.ts';

// Node 25 and newer have a localStorage of their own, which Vitest would not replace by the one of happy-dom.
const noWebStorage = '--no-experimental-webstorage';

/** Tests that take most of a minute, or need a program that npm ci does not install. */
const long = process.env.TEST_LONG ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  plugins: [react(), subsetFonts()],
  test: {
    // The first import of Chakra takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    // Starting a process and importing everything for each file would take most of the time.
    isolate: false,
    // One for each core: each worker imports everything again, and the browser tests use the time in which it waits.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', '*.test.ts'],
          exclude: [...configDefaults.exclude, ...long],
          globalSetup: ['server/testing/postgres/shared.ts'],
          setupFiles: ['server/testing/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          environment: 'happy-dom',
          execArgv: process.allowedNodeEnvironmentFlags.has(noWebStorage) ? [noWebStorage] : [],
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/testing/setup.ts'],
        },
      },
    ],
  },
});
