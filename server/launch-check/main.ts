/** Entry point of `npm run launch-check`. The exit code is 1 while there is anything to do. */
import { existsSync } from 'node:fs';
import { site } from '../../site.config.ts';
import { isFresh } from '../build/stamp.mjs';
import { readEnv } from '../env.ts';
import { sentenceFor } from '../health/storage-errors.ts';
import { createLaunchCheck } from './check.ts';
import { countOf, type Finding } from './finding.ts';
import { reportOf } from './report.ts';
import { countTestSales, environment, hasReportKey, isDemo, shownConfig } from './stored-sales.ts';

async function main(): Promise<number> {
  const env = await environment(readEnv(process.env));
  const shown = await shownConfig(env, site);
  const { local, network } = createLaunchCheck({
    site: shown,
    isFile: shown === site,
    env,
    buildFindings,
    envFile: '.env',
    countTestSales: () => countTestSales(env),
    isDemo: () => isDemo(env),
    hasReportKey: () => hasReportKey(env),
    network: { timeoutMs: 8000 },
  });
  const checks = [...(await local()), ...(await network())];
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
