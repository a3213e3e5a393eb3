/** All findings of the launch check. */
import type { site } from '../../site.config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import type { Env } from '../env.ts';
import { contentFindings } from './content.ts';
import { colourFindings } from './contrast.ts';
import type { Finding } from './finding.ts';
import { linkFindings, loopbackFindings } from './links.ts';
import { mailFindings, type Resolver } from './mail-domain.ts';
import type { NetworkOptions } from './reach.ts';
import { isUnchanged } from './samples.ts';
import { settingsFindings } from './settings.ts';

interface Subject {
  site: typeof site;
  env: Env;
}

/** Findings that need no network. */
export function offlineFindings({ site, env }: Subject): Finding[] {
  return [
    ...contentFindings(site, { readsCalendars: env.BUSY_CALENDARS !== undefined }),
    ...loopbackFindings(site),
    ...colourFindings(site.colours),
    ...settingsFindings(env, {
      publicWords: [site.brand.name, ...site.brand.name.split(/\s+/)],
      hasCheckout: !isPlaceholder(site.links.checkout),
    }),
  ];
}

/** Findings that need the network: links, calendars and the domain of the email address. */
export async function networkFindings(
  { site, env }: Subject,
  {
    isOnline,
    resolver,
    ...network
  }: NetworkOptions & { isOnline: () => Promise<boolean>; resolver: Resolver },
): Promise<Finding[]> {
  const { links, schedulers, optInScript, brand } = site;
  const addresses = [links, schedulers, [optInScript, brand.email.replace(/.*@/, '')]];
  if (addresses.flatMap(Object.values<string>).every(isUnchanged)) return [];
  if (!(await isOnline())) {
    return [
      {
        topic: 'links',
        kind: 'unknown',
        where: 'Links, calendars and the domain of your email address',
        text: 'could not be checked from here: no network.',
      },
    ];
  }
  const findings = await Promise.all([
    linkFindings(site, env.PUBLIC_URL, network),
    mailFindings(site.brand.email, resolver),
  ]);
  return findings.flat();
}
