/** Entry point of `npm run launch-check`. The exit code is 1 while there is anything to do. */
import { promises } from 'node:dns';
import { existsSync } from 'node:fs';
import { site } from '../../site.config.ts';
import { isFresh } from '../build/stamp.mjs';
import { readEnv } from '../env.ts';
import { sentenceFor } from '../health/storage-errors.ts';
import { networkFindings, offlineFindings } from './check.ts';
import { envFileFindings } from './env-file.ts';
import { countOf, type Finding } from './finding.ts';
import { reach } from './reach.ts';
import { reportOf } from './report.ts';
import { testSaleFindings } from './test-sales.ts';

/** Timeout for each address, in milliseconds. */
const timeout = 8000;

async function main(): Promise<number> {
  const subject = { site, env: readEnv(process.env) };
  const network = { fetch: globalThis.fetch, timeout };
  const findings = [
    ...offlineFindings(subject),
    ...envFileFindings('.env'),
    ...(await networkFindings(subject, {
      ...network,
      // example.com is reserved by IANA (RFC 2606) and always online.
      isOnline: async () =>
        !['unreachable', 'timeout'].includes((await reach('https://example.com', network)).state),
      resolver: new promises.Resolver({ timeout: timeout / 4, tries: 2 }),
    })),
    ...(await testSaleFindings(subject.env)),
    ...buildFindings(),
  ];
  console.log(reportOf(findings));
  return countOf(findings) > 0 ? 1 : 0;
}

/** The built pages and the Open Graph image show the site config as it was at build time. */
function buildFindings(): Finding[] {
  if (!existsSync('site.config.ts') || isFresh('dist')) return [];
  return [
    {
      topic: 'build',
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
