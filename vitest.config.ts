import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { subsetFonts } from './server/build/subset-fonts.ts';

export default defineConfig({
  plugins: [react(), subsetFonts()],
  test: {
    globalSetup: ['server/test-build.ts'],
    // The first import of Chakra takes seconds on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          environment: 'node',
          include: ['server/**/*.test.ts', '*.test.ts'],
          globalSetup: ['server/database/test-shared-postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          environment: 'happy-dom',
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['src/test-setup.ts'],
        },
      },
    ],
  },
});
