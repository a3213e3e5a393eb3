/** All checks of the launch check. */

import { promises } from 'node:dns';
import type { SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import { wordsOf } from '../contract/password-strength.ts';
import type { Env } from '../env.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import { callSecretFindings } from './calls.ts';
import { colourFindings } from './colours.ts';
import { callFindings, contentChecks } from './content.ts';
import { envFileFindings } from './env-file.ts';
import { fieldLines } from './field-lines.ts';
import type { Check, Finding } from './finding.ts';
import { isRequested, linkFindings, loopbackFindings, problemOf } from './links.ts';
import { mailFindings, type Resolver, senderOf } from './mail-domain.ts';
import { ownAddressFindings, ownAddressOf } from './own-address.ts';
import { type NetworkOptions, reach } from './reach.ts';
import { isUnchanged } from './samples.ts';
import { settingsChecks } from './settings.ts';
import { testSaleFindings } from './test-sales.ts';

interface Subject {
  site: SiteConfig;
  env: Env;
}

/**
 * The checks of the site config and the environment. `hasReportKey` is whether an API key of the database lets
 * another checkout report sales.
 */
export function offlineChecks({
  site,
  env,
  hasReportKey,
}: Subject & { hasReportKey?: boolean }): Check[] {
  return [
    ...settingsChecks(env, {
      publicWords: wordsOf(site.brand.name),
      email: withAsciiDomain(site.brand.email),
      hasCheckout: !isPlaceholder(site.links.checkout),
      hasReportKey,
    }),
    ...contentChecks(site).map((check) =>
      check.topic === 'links'
        ? { ...check, findings: [...check.findings, ...loopbackFindings(site)] }
        : check,
    ),
    {
      topic: 'words',
      done: 'Visitors can book calls with you.',
      findings: [
        ...callFindings(site, { readsCalendars: env.BUSY_CALENDARS !== undefined }),
        ...callSecretFindings(site.schedulers, env),
      ],
    },
    {
      topic: 'colours',
      done: 'Your colours have enough contrast.',
      findings: colourFindings(site.colours),
    },
  ];
}

/**
 * The checks that need the network: links, calendars, the domains of the email addresses and the site’s own address.
 * They request the addresses of the file and PUBLIC_URL, and skip placeholders and samples.
 */
export async function networkChecks(
  { site, env }: Subject,
  {
    isOnline,
    resolver,
    ...network
  }: NetworkOptions & { isOnline: () => Promise<boolean>; resolver: Resolver },
): Promise<Check[]> {
  const { links, schedulers, optInScript } = site;
  const email = withAsciiDomain(site.brand.email);
  const hasLinks = [links, schedulers, [optInScript]]
    .flatMap(Object.values<string>)
    .some(isRequested);
  const sender = senderOf(env, email);
  const hasDomain = [email, sender].some(
    (address) => address && !isUnchanged(address.replace(/.*@/, '')),
  );
  const ofLinks = { topic: 'links', done: 'Your links and calendars respond.' } as const;
  const ofAddress = { topic: 'domain', done: 'Your address responds with https.' } as const;
  const ofDomain = { topic: 'email', done: 'Email from your domain is set up.' } as const;
  const ownAddress = ownAddressOf(env);
  if (!hasLinks && !hasDomain && !ownAddress) return [];
  if (!(await isOnline())) {
    const where = 'Links, calendars, the domain of your email address and your own address';
    const text = 'could not be checked from here: no network.';
    const findings = [{ kind: 'unknown', where, text } as const];
    return [{ ...(ownAddress ? ofAddress : ofLinks), findings }];
  }
  const [linkResults, mailResults, addressResults] = await Promise.all([
    linkFindings(site, network),
    mailFindings({ email, sender }, resolver),
    ownAddress ? ownAddressFindings(ownAddress, network) : [],
  ]);
  return [
    ...(hasLinks ? [{ ...ofLinks, findings: linkResults }] : []),
    ...(hasDomain ? [{ ...ofDomain, findings: mailResults }] : []),
    ...(ownAddress ? [{ ...ofAddress, findings: addressResults }] : []),
  ];
}

/** Whether this machine is online: example.com is reserved by IANA (RFC 2606) and always responds. */
async function isOnline(network: NetworkOptions): Promise<boolean> {
  const { state } = await reach('https://example.com', network);
  return state !== 'unreachable' && state !== 'timeout' && state !== 'local';
}

export type LaunchCheck = ReturnType<typeof createLaunchCheck>;

/** Creates the launch check of a site config, an environment, and the machine that it runs on. */
export function createLaunchCheck({
  envFile,
  countTestSales,
  isDemo,
  hasReportKey,
  buildFindings,
  network,
  isFile,
  ...subject
}: Subject & {
  /** Whether the site config is that of `site.config.ts`, whose lines are named then. */
  isFile: boolean;
  envFile: string;
  countTestSales: () => Promise<number>;
  /** Whether the data are made up by the command `demo`. */
  isDemo: () => Promise<boolean>;
  /** As in `offlineChecks`. Never rejects. */
  hasReportKey: () => Promise<boolean>;
  buildFindings: () => Finding[];
  network: NetworkOptions;
}) {
  const withLines = (checks: Check[]): Check[] => (isFile ? checks.map(withLine) : checks);
  return {
    /** The checks that need no network. */
    local: async (): Promise<Check[]> => [
      ...withLines(offlineChecks({ ...subject, hasReportKey: await hasReportKey() })),
      {
        topic: 'settings',
        done: 'Other users of this machine can read no settings.',
        findings: envFileFindings(envFile),
      },
      {
        topic: 'settings',
        done: 'No test payments are counted.',
        findings: await testSaleFindings(countTestSales),
      },
      {
        topic: 'settings',
        done: 'No figures or messages are made up.',
        findings: (await isDemo()) ? [demoData] : [],
      },
      { topic: 'build', done: 'The build is up to date.', findings: buildFindings() },
    ],

    /** The other checks. */
    network: async (): Promise<Check[]> =>
      withLines(
        await networkChecks(subject, {
          ...network,
          // A site with demo data calls no other server.
          isOnline: async () => !(await isDemo()) && (await isOnline(network)),
          resolver: new promises.Resolver({ timeout: network.timeoutMs / 4, tries: 2 }),
        }),
      ),

    /** What is wrong with an `http:` or `https:` address, as a sentence; null when it responds. */
    address: async (address: string): Promise<string | null> => {
      if (await isDemo()) {
        return 'It was not tested: a site with made-up data calls no other server.';
      }
      const result = await reach(address, network);
      if (result.state === 'unreachable' && !(await isOnline(network))) {
        return 'It could not be tested from here: no network.';
      }
      const problem = problemOf(result);
      return problem === undefined ? null : `It ${problem}`;
    },
  };
}

const demoData: Finding = {
  kind: 'todo',
  where: 'The database',
  text: 'holds the demo’s made-up data. For your own site, start on another folder: set DATA_DIR, or DATABASE_URL.',
};

const withLine = (check: Check): Check => ({
  ...check,
  findings: check.findings.map((finding) => ({ ...finding, line: fieldLines[finding.where] })),
});
