/** For tests of the built product: builds it once, when it is missing or older than the sources. */
import { execFileSync } from 'node:child_process';

export function setup(): void {
  execFileSync(process.execPath, ['server/run.mjs', '--build-only'], { stdio: 'inherit' });
}
