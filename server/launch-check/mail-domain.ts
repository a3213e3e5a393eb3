/** Checks the DNS records for email of the owner's domain: MX, SPF, DMARC and DKIM. */
import type { promises } from 'node:dns';
import { isPlaceholder } from '../../site.placeholder.ts';
import { codeOf } from '../errors.ts';
import type { Finding } from './finding.ts';

export type Resolver = Pick<promises.Resolver, 'resolveMx' | 'resolveTxt'>;

/** DKIM selectors of common providers. DNS cannot list the selectors of a domain. */
const selectors = [
  'google',
  'selector1',
  'selector2',
  'default',
  'k1',
  'k2',
  'k3',
  's1',
  's2',
  'dkim',
  'mail',
  'fm1',
  'fm2',
  'fm3',
  'protonmail',
  'zoho',
  'zmail',
  'pm',
  'mandrill',
  'sig1',
  'everlytickey1',
];

const providerHint =
  'Your email provider tells you the record to add where your domain is managed.';

/** Findings on the domain of `email`; none while it is a placeholder. */
export async function mailFindings(email: string, resolver: Resolver): Promise<Finding[]> {
  const domain = email.slice(email.indexOf('@') + 1);
  if (isPlaceholder(domain)) return [];
  const finding = (kind: Finding['kind'], text: string): Finding => ({
    kind,
    where: domain,
    text,
  });
  try {
    if (!(await hasMail(domain, resolver))) {
      return [
        finding(
          'todo',
          'receives no email: it has no MX record. Check the spelling of brand.email.',
        ),
      ];
    }
    const [spf, dmarc, dkim] = await Promise.all([
      hasRecord(domain, /^v=spf1\b/i, resolver),
      hasRecord(`_dmarc.${domain}`, /^v=DMARC1\b/i, resolver),
      hasKey(domain, resolver),
    ]);
    const lacks = (record: string) =>
      finding(
        'todo',
        `has no ${record} record, so your replies may be taken for spam. ${providerHint}`,
      );
    return [
      ...(spf ? [] : [lacks('SPF')]),
      ...(dmarc ? [] : [lacks('DMARC')]),
      ...(dkim
        ? []
        : [
            finding(
              'advice',
              'may have no DKIM key: none was found under the usual selectors. Ask your email provider.',
            ),
          ]),
    ];
  } catch (error) {
    return [
      finding(
        'unknown',
        `could not be looked up (${codeOf(error) ?? 'no response'}). Try again later.`,
      ),
    ];
  }
}

const hasMail = async (domain: string, resolver: Resolver) =>
  (await orEmpty(resolver.resolveMx(domain))).some(({ exchange }) => exchange !== '');

async function hasRecord(name: string, start: RegExp, resolver: Resolver): Promise<boolean> {
  const records = await orEmpty(resolver.resolveTxt(name));
  return records.some((chunks) => start.test(chunks.join('')));
}

async function hasKey(domain: string, resolver: Resolver): Promise<boolean> {
  const found = await Promise.all(
    selectors.map((name) => hasRecord(`${name}._domainkey.${domain}`, /\bp=[\w+/]/, resolver)),
  );
  return found.includes(true);
}

/** The records; empty when the name or the records do not exist. Rejects without a response. */
async function orEmpty<T>(records: Promise<T[]>): Promise<T[]> {
  try {
    return await records;
  } catch (error) {
    if (codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'ENODATA') return [];
    throw error;
  }
}
