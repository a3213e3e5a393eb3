/** Entry point of `npm run launch-check`. The exit code is 1 while there is anything to do. */
import { promises } from 'node:dns';
import { existsSync } from 'node:fs';
import { site } from '../../site.config.ts';
import { isFresh } from '../build/stamp.mjs';
import { readEnv } from '../env.ts';
import { sentenceFor } from '../health/storage-errors.ts';
import { isOnline, machineChecks, networkChecks, offlineChecks } from './check.ts';
import { countOf, type Finding } from './finding.ts';
import { reportOf } from './report.ts';
import { countTestSales } from './stored-sales.ts';

/** Timeout for each address, in milliseconds. */
const timeout = 8000;

async function main(): Promise<number> {
  const subject = { site, env: readEnv(process.env) };
  const network = { fetch: globalThis.fetch, timeout };
  const checks = [
    ...offlineChecks(subject),
    ...(await networkChecks(subject, {
      ...network,
      isOnline: () => isOnline(network),
      resolver: new promises.Resolver({ timeout: timeout / 4, tries: 2 }),
    })),
    ...(await machineChecks({
      envFile: '.env',
      countTestSales: () => countTestSales(subject.env),
      buildFindings: buildFindings(),
    })),
  ];
  console.log(reportOf(checks));
  return countOf(checks) > 0 ? 1 : 0;
}

/** The built pages and the Open Graph image show the site config as it was at build time. */
function buildFindings(): Finding[] {
  if (!existsSync('site.config.ts') || isFresh('dist')) return [];
  return [
    {
      kind: 'todo',
      where: 'The build',
      text: 'is older than your changes, and so is the image of shared links. Run: npm run build',
    },
  ];
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(sentenceFor(error) ?? error);
  process.exitCode = 1;
}
