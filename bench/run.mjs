/** Runs `bench/main.ts` through Vite, since Node 20 does not read TypeScript. */
import { execFileSync } from 'node:child_process';
import { runnerImport } from 'vite';

execFileSync(process.execPath, ['server/run.mjs', '--build-only'], { stdio: 'inherit' });
const { module } = await runnerImport('./bench/main.ts');
await module.main(process.argv.slice(2));
