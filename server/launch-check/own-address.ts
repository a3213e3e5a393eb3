/** Checks whether the site responds at its own address. */
import type { Env } from '../env.ts';
import type { Finding } from './finding.ts';
import { problemOf } from './links.ts';
import { type NetworkOptions, type Reach, reach } from './reach.ts';
import { isUnreachable } from './settings.ts';

/** The address of the site, with https; undefined where another check has a finding on it. */
export const ownAddressOf = ({ PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): string | undefined =>
  PUBLIC_URL?.startsWith('https:') && !isUnreachable(PUBLIC_URL) ? PUBLIC_URL : undefined;

/** From behind some routers and firewalls, a server cannot reach its own public address. */
const unknown: ReadonlySet<Reach['state']> = new Set([
  ...(['local', 'timeout', 'unreachable', 'blocked'] as const),
]);

/** What keeps visitors from the site at its address. */
export async function ownAddressFindings(
  address: string,
  network: NetworkOptions,
): Promise<Finding[]> {
  const result = await reach(new URL('/healthz', address).href, network);
  const { state } = result;
  // Parked domains and hosts of single-page apps respond to every path.
  const isOther = async () =>
    (await reach(new URL('/api/none', address).href, network)).state === 'ok';
  const isMissing = state === 'missing' || (state === 'ok' && (await isOther()));
  if (state === 'ok' && !isMissing) return [];
  const where = 'PUBLIC_URL';
  if (unknown.has(state)) {
    const text = `is ${address}, which this server cannot reach itself. Open it on another device to check it.`;
    return [{ kind: 'unknown', where, text }];
  }
  const problem = isMissing ? otherSite : problemOf(result);
  return [{ kind: 'todo', where, text: `is ${address}. This address ${problem}` }];
}

const otherSite =
  'leads to another site. Let its DNS record lead to this server; a change takes up to a day.';
