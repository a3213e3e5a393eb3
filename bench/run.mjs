/** Builds the site and runs `bench/main.ts` through Vite, since Node.js 20 does not run TypeScript. */
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

execFileSync(process.execPath, ['server/run.mjs', '--build-only'], { stdio: 'inherit' });
// The module runs the parts while it is imported: afterwards, Vite refuses dynamic imports.
await runnerImport('./bench/main.ts');
