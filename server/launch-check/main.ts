/** `npm run launch-check`: names what is still to do before going live. Exit code 1 while something is. */
import { promises } from 'node:dns';
import { existsSync } from 'node:fs';
import { site } from '../../site.config.ts';
import { sentenceFor } from '../app/startup-errors.ts';
import { isFresh } from '../build/stamp.mjs';
import { readEnv } from '../env.ts';
import { outsideFindings, ownFindings } from './check.ts';
import { envFileFindings } from './env-file.ts';
import { countOf, type Finding } from './finding.ts';
import { reach } from './reach.ts';
import { reportOf } from './report.ts';

/** Milliseconds that each address may take to answer. */
const timeout = 8000;

async function main(): Promise<number> {
  const subject = { site, env: readEnv(process.env) };
  const outside = { fetch: globalThis.fetch, timeout };
  const findings = [
    ...ownFindings(subject),
    ...envFileFindings('.env'),
    ...(await outsideFindings(subject, {
      ...outside,
      // Reserved for examples, and there for as long as there is a web.
      isOnline: async () =>
        !['unreachable', 'late'].includes((await reach('https://example.com', outside)).state),
      resolver: new promises.Resolver({ timeout: timeout / 4, tries: 2 }),
    })),
    ...buildFindings(),
  ];
  console.log(reportOf(findings));
  return countOf(findings) > 0 ? 1 : 0;
}

/** Its pages and its Open Graph picture say what the sources said when it was made. */
function buildFindings(): Finding[] {
  if (!existsSync('site.config.ts') || isFresh('dist')) return [];
  return [
    {
      topic: 'build',
      kind: 'todo',
      where: 'The build',
      text: 'is older than your changes, and so is the picture that shared links show. Run: npm run build',
    },
  ];
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(sentenceFor(error) ?? error);
  process.exitCode = 1;
}
