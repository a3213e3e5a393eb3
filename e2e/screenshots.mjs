/** Builds the site and runs `screenshots.ts` through Vite, since Node.js 20 does not run TypeScript. */
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

execFileSync(process.execPath, ['server/run.mjs', '--build-only'], { stdio: 'inherit' });
await runnerImport('./e2e/screenshots.ts');
