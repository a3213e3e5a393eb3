/** Whether the owner's links and calendars lead where they should. */
import type { site } from '../../site.config.ts';
import { type FrameVerdict, probeFrame } from '../booking/frame-probe.ts';
import { isPlaceholder } from '../contract/placeholder.ts';
import type { Finding } from './finding.ts';
import { isLoopback } from './loopback.ts';
import { type Outside, type Reach, reach } from './reach.ts';

type Addresses = Pick<typeof site, 'links' | 'schedulers' | 'optInScript'>;

/**
 * Findings about the addresses in the file that are no placeholders. `origin` is the site's own
 * (PUBLIC_URL), which calendars may ask for.
 */
export async function linkFindings(
  site: Addresses,
  origin: string | undefined,
  outside: Outside,
): Promise<Finding[]> {
  const { plain, calendars } = namedIn(site);
  const findings = await Promise.all([
    ...plain.filter(isReal).map(([where, address]) => linkFinding(where, address, outside)),
    ...calendars
      .filter(isReal)
      .map(([where, address]) => calendarFinding(where, address, origin, outside)),
  ]);
  return findings.flat();
}

/** Addresses that only this computer reaches: good for trying out, and for nobody else. */
export function localFindings(site: Addresses): Finding[] {
  const { plain, calendars } = namedIn(site);
  return [...plain, ...calendars]
    .filter(([, address]) => isLoopback(address))
    .map(([where, address]) =>
      finding(where, 'todo', `leads to this computer, where no visitor gets (${address})`),
    );
}

/** Every address of the file with the name of its field. */
function namedIn({ links, schedulers, optInScript }: Addresses) {
  return {
    plain: [...Object.entries(links).map(named('links')), ['optInScript', optInScript] as Named],
    calendars: Object.entries(schedulers).map(named('schedulers')),
  };
}

type Named = readonly [where: string, address: string];

const named =
  (part: string) =>
  ([name, address]: [string, string]): Named => [`${part}.${name}`, address];

const isReal = ([, address]: Named) => !isPlaceholder(address);

const finding = (where: string, kind: Finding['kind'], text: string): Finding => ({
  topic: 'links',
  kind,
  where,
  text,
});

async function linkFinding(where: string, address: string, outside: Outside): Promise<Finding[]> {
  const found = await reach(address, outside);
  const fault = faults[found.state]?.(found);
  if (!fault) return [];
  return [finding(where, found.state === 'barred' ? 'unknown' : 'todo', `${fault} (${address})`)];
}

async function calendarFinding(
  where: string,
  address: string,
  origin: string | undefined,
  outside: Outside,
): Promise<Finding[]> {
  const broken = await linkFinding(where, address, outside);
  if (broken.length > 0) return broken;
  const refusal = refusals[await probeFrame(address, { origin, ...outside })];
  return refusal ? [finding(where, refusal.kind, `${refusal.text} (${address})`)] : [];
}

const faults: Record<Reach['state'], ((found: Reach) => string) | undefined> = {
  there: undefined,
  gone: ({ detail }) => `leads to a page that does not exist (${detail}). Copy the address anew.`,
  failing: ({ detail }) => `leads to a site with a fault (${detail}). Look at it, and check again.`,
  barred: ({ detail }) =>
    `does not answer programs (${detail}). Open it in your browser to see that it is right.`,
  late: ({ detail }) => `does not answer within ${Number(detail) / 1000} seconds. Look at it.`,
  unreachable: ({ detail }) => `cannot be reached (${detail}). Check how it is written.`,
};

const refusals: Record<FrameVerdict, { kind: Finding['kind']; text: string } | undefined> = {
  ok: undefined,
  refuses: {
    kind: 'todo',
    text: 'may not be shown inside your page, so visitors get a link instead. Allow embedding at your calendar’s provider, or use the address it gives for that.',
  },
  moved: {
    kind: 'todo',
    text: 'leads on to another address, which browsers do not show inside your page. Paste the address you end up at.',
  },
  broken: { kind: 'todo', text: 'leads to a page with a fault. Look at it, and check again.' },
  unknown: {
    kind: 'unknown',
    text: 'may or may not be shown inside your page: it does not say. Try it on your site.',
  },
};
