/** Everything there is still to do before going live. */
import type { site } from '../../site.config.ts';
import { isPlaceholder } from '../contract/placeholder.ts';
import type { Env } from '../env.ts';
import { contentFindings } from './content.ts';
import { colourFindings } from './contrast.ts';
import type { Finding } from './finding.ts';
import { linkFindings, localFindings } from './links.ts';
import { mailFindings, type Resolver } from './mail-domain.ts';
import type { Outside } from './reach.ts';
import { settingsFindings } from './settings.ts';

interface Subject {
  site: typeof site;
  env: Env;
}

/** What shows without asking anybody else. */
export function ownFindings({ site, env }: Subject): Finding[] {
  return [
    ...contentFindings(site),
    ...localFindings(site),
    ...colourFindings(site.colours),
    ...settingsFindings(env, {
      known: [site.brand.name, ...site.brand.name.split(/\s+/)],
      isSold: !isPlaceholder(site.links.checkout),
    }),
  ];
}

/** What shows only by asking: links, calendars, the domain of the e-mail address. */
export async function outsideFindings(
  { site, env }: Subject,
  {
    isOnline,
    resolver,
    ...outside
  }: Outside & { isOnline: () => Promise<boolean>; resolver: Resolver },
): Promise<Finding[]> {
  const { links, schedulers, optInScript, brand } = site;
  const addresses = [links, schedulers, [optInScript, brand.email.replace(/.*@/, '')]];
  if (addresses.flatMap(Object.values<string>).every(isPlaceholder)) return [];
  if (!(await isOnline())) {
    return [
      {
        topic: 'links',
        kind: 'unknown',
        where: 'Links, calendars and the domain of your e-mail',
        text: 'could not be checked from here: no network.',
      },
    ];
  }
  const findings = await Promise.all([
    linkFindings(site, env.PUBLIC_URL, outside),
    mailFindings(site.brand.email, resolver),
  ]);
  return findings.flat();
}
