/** Checks the owner's links and calendars. */
import type { site } from '../../site.config.ts';
import { type FrameVerdict, probeFrame } from '../booking/frames/frame-probe.ts';
import { isLoopback } from '../text/loopback.ts';
import type { Finding } from './finding.ts';
import { type NetworkOptions, type Reach, reach } from './reach.ts';
import { isUnchanged } from './samples.ts';

type Addresses = Pick<typeof site, 'links' | 'schedulers' | 'optInScript'>;

/**
 * Findings on the addresses in the file, placeholders and samples excluded. `origin` is the site's own
 * (PUBLIC_URL), which a calendar may allow as a frame ancestor.
 */
export async function linkFindings(
  site: Addresses,
  origin: string | undefined,
  network: NetworkOptions,
): Promise<Finding[]> {
  const { links, calendars } = addressesIn(site);
  const findings = await Promise.all([
    ...links.filter(isReal).map(([where, address]) => linkFinding(where, address, network)),
    ...calendars
      .filter(isReal)
      .map(([where, address]) => calendarFinding(where, address, origin, network)),
  ]);
  return findings.flat();
}

/** Findings on addresses of this computer, which no visitor can reach. */
export function loopbackFindings(site: Addresses): Finding[] {
  const { links, calendars } = addressesIn(site);
  return [...links, ...calendars]
    .filter(([, address]) => isLoopback(address))
    .map(([where, address]) =>
      finding(where, 'todo', `leads to this computer, which no visitor can reach (${address})`),
    );
}

/** Every address of the file with the path of its field. */
function addressesIn({ links, schedulers, optInScript }: Addresses) {
  return {
    links: [
      ...entriesOf('links', links),
      // A path is a file of this site, which the build has found.
      ...(optInScript.startsWith('/') ? [] : entriesOf('', { optInScript })),
    ],
    calendars: entriesOf('schedulers', schedulers),
  };
}

type FieldAddress = readonly [where: string, address: string];

const entriesOf = (path: string, addresses: Record<string, string>) =>
  Object.entries(addresses).map(
    ([name, address]): FieldAddress => [path ? `${path}.${name}` : name, address],
  );

const isReal = ([, address]: FieldAddress) => !isUnchanged(address);

const finding = (where: string, kind: Finding['kind'], text: string): Finding => ({
  kind,
  where,
  text,
});

async function linkFinding(
  where: string,
  address: string,
  network: NetworkOptions,
): Promise<Finding[]> {
  const result = await reach(address, network);
  const problem = problems[result.state]?.(result);
  if (!problem) return [];
  const kind = result.state === 'blocked' ? 'unknown' : 'todo';
  return [finding(where, kind, `${problem} (${address})`)];
}

async function calendarFinding(
  where: string,
  address: string,
  origin: string | undefined,
  network: NetworkOptions,
): Promise<Finding[]> {
  const broken = await linkFinding(where, address, network);
  if (broken.length > 0) return broken;
  const problem = frameProblems[await probeFrame(address, { origin, ...network })];
  return problem ? [finding(where, problem.kind, `${problem.text} (${address})`)] : [];
}

const problems: Record<Reach['state'], ((result: Reach) => string) | undefined> = {
  ok: undefined,
  missing: ({ detail }) =>
    `leads to a page that does not exist (${detail}). Copy the address again.`,
  failing: ({ detail }) => `leads to a server error (${detail}). Open it, and check again later.`,
  blocked: ({ detail }) =>
    `refuses automatic checks (${detail}). Open it in your browser to check it.`,
  timeout: ({ detail }) =>
    `does not respond within ${Number(detail) / 1000} seconds. Open it to check it.`,
  unreachable: ({ detail }) => `cannot be reached (${detail}). Check the spelling.`,
};

const frameProblems: Record<FrameVerdict, { kind: Finding['kind']; text: string } | undefined> = {
  ok: undefined,
  refuses: {
    kind: 'todo',
    text: 'does not allow embedding in your page, so visitors get a link instead. Allow embedding at your calendar’s provider, or use its address for embedding.',
  },
  moved: {
    kind: 'todo',
    text: 'redirects to another address, which browsers do not show inside your page. Paste the address it redirects to.',
  },
  broken: { kind: 'todo', text: 'leads to a page with an error. Open it, and check again later.' },
  unknown: {
    kind: 'unknown',
    text: 'may not allow embedding in your page: this could not be checked. Try it on your site.',
  },
};
