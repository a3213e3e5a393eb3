/** Checks the owner's links and calendars. */
import type { SiteConfig } from '../../site.defaults.ts';
import { isLoopback } from '../text/loopback.ts';
import type { Finding } from './finding.ts';
import { type NetworkOptions, type Reach, reach } from './reach.ts';
import { isUnchanged } from './samples.ts';

type Addresses = Pick<SiteConfig, 'links' | 'schedulers' | 'optInScript'>;

/** Findings on the addresses in the file, placeholders and samples excluded. */
export async function linkFindings(site: Addresses, network: NetworkOptions): Promise<Finding[]> {
  const findings = await Promise.all(
    addressesIn(site)
      .filter(([, address]) => isRequested(address))
      .map(([where, address]) => linkFinding(where, address, network)),
  );
  return findings.flat();
}

/** Whether to request an address: not where another check has a finding on it already. */
export const isRequested = (address: string) => !isUnchanged(address) && !isLoopback(address);

/** Findings on addresses of this computer, which no visitor can reach. */
export function loopbackFindings(site: Addresses): Finding[] {
  return addressesIn(site)
    .filter(([, address]) => isLoopback(address))
    .map(([where, address]) =>
      finding(where, 'todo', `leads to this computer, which no visitor can reach (${address})`),
    );
}

/** Every address of the file with the path of its field. */
function addressesIn({ links, schedulers, optInScript }: Addresses): FieldAddress[] {
  return [
    ...entriesOf('links', links),
    // A path is a file of this site, which the build has found.
    ...(optInScript.startsWith('/') ? [] : entriesOf('', { optInScript })),
    ...entriesOf('schedulers', schedulers),
  ];
}

type FieldAddress = readonly [where: string, address: string];

const entriesOf = (path: string, addresses: Record<string, string>) =>
  Object.entries(addresses).map(
    ([name, address]): FieldAddress => [path ? `${path}.${name}` : name, address],
  );

/** What the form calls an address, by its field. */
const names: Record<string, string> = {
  'links.instagram': 'The link to your Instagram profile',
  'links.linkedin': 'The link to your LinkedIn profile',
  'links.quiz': 'The link to your quiz',
  'links.checkout': 'The link to your checkout',
  'schedulers.strategyCall': 'Your calendar for strategy calls',
  'schedulers.inboxReview': 'Your calendar for inbox reviews',
  optInScript: 'The opt-in script',
};

const finding = (where: string, kind: Finding['kind'], text: string): Finding => ({
  ...{ kind, where, text },
  form: { path: where, sentence: `${names[where] ?? 'An address'} ${text}` },
});

async function linkFinding(
  where: string,
  address: string,
  network: NetworkOptions,
): Promise<Finding[]> {
  const result = await reach(address, network);
  const problem = problemOf(result);
  if (problem === undefined) return [];
  const kind = result.state === 'blocked' ? 'unknown' : 'todo';
  return [finding(where, kind, `${problem} (${address})`)];
}

/** What is wrong, as the rest of a sentence and what to do; undefined for an address that responds. */
export const problemOf = (result: Reach) => problems[result.state]?.(result);

const problems: Record<Reach['state'], ((result: Reach) => string) | undefined> = {
  ok: undefined,
  missing: ({ detail }) =>
    `leads to a page that does not exist (${detail}). Copy the address again.`,
  failing: ({ detail }) => `leads to a server error (${detail}). Open it, and check again later.`,
  blocked: ({ detail }) =>
    `refuses automatic checks (${detail}). Open it in your browser to check it.`,
  timeout: ({ detail }) =>
    `does not respond within ${Number(detail) / 1000} seconds. Open it to check it.`,
  local: () => 'leads into a local network, which no visitor can reach. Use a public address.',
  untrusted: ({ detail }) => certificateProblem(detail),
  insecure: ({ detail }) =>
    `has no working encryption (${detail}). Check the spelling, or ask its provider about https.`,
  unreachable: ({ detail }) => `cannot be reached (${detail}). Check the spelling.`,
};

function certificateProblem(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'has a certificate that has expired. Ask its provider to renew it.';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'has the certificate of another address. Check the spelling.';
    default:
      return `has a certificate that is not trusted (${code}). Open it in your browser to check it.`;
  }
}
