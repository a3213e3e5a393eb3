/** Checks the sender of emails, and the DNS records of its domain and of the owner's: MX, SPF, DMARC and DKIM. */
import type { promises } from 'node:dns';
import { isPlaceholder } from '../../site.placeholder.ts';
import { loginOf, senderAddress } from '../email/smtp.ts';
import type { Env } from '../env.ts';
import { codeOf } from '../errors.ts';
import { emailAddress } from '../text/email-address.ts';
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
  'resend',
  'brevo1',
  'brevo2',
  'mailo',
];

/** The mail servers of free providers, by the domain of their addresses. Only these may send for it. */
const freeProviders: readonly [domain: RegExp, host: RegExp][] = [
  [/^(gmail|googlemail)\.com$/, /(^|\.)(gmail|google|googlemail)\.com$/],
  [/^(outlook|hotmail|live|msn)\.[a-z.]+$/, /(^|\.)(outlook|office365|hotmail|live)\.com$/],
  [/^(yahoo|ymail|rocketmail)\.[a-z.]+$/, /(^|\.)yahoo\.[a-z.]+$/],
  [/^(icloud|me|mac)\.com$/, /(^|\.)(me|icloud)\.com$/],
  [/^aol\.com$/, /(^|\.)aol\.com$/],
  [/^gmx\.[a-z.]+$/, /(^|\.)gmx\.[a-z.]+$/],
  [/^web\.de$/, /(^|\.)web\.de$/],
  [/^(proton\.me|protonmail\.com|pm\.me)$/, /(^|\.)(proton\.me|protonmail\.ch)$/],
];

/** A login of Brevo looks like an address, but nothing may be sent from it. */
const isAddress = (login: string) => emailAddress.test(login) && !/@smtp-brevo\./.test(login);

type Settings = Pick<Env, 'SMTP_URL' | 'EMAIL_FROM' | 'CONTACT_TO'>;

/** The address that emails are sent from; undefined without a mail server. `email` is `brand.email`. */
export const senderOf = ({ SMTP_URL, EMAIL_FROM, CONTACT_TO }: Settings, email: string) =>
  SMTP_URL && senderAddress({ url: SMTP_URL, from: EMAIL_FROM, to: CONTACT_TO ?? [email] });

/** A finding when the provider must be expected to refuse the sender. It never names the login, which can be a key. */
export function senderFindings(env: Settings, email: string): Finding[] {
  const { SMTP_URL, EMAIL_FROM } = env;
  const sender = senderOf(env, email);
  if (SMTP_URL === undefined || sender === undefined) return [];
  const { hostname } = new URL(SMTP_URL);
  const domain = domainOf(sender);
  const finding = (text: string): Finding[] => [{ kind: 'todo', where: 'EMAIL_FROM', text }];
  const [, ownHost] = freeProviders.find(([free]) => free.test(domain)) ?? [];
  if (ownHost && !ownHost.test(hostname)) {
    return finding(
      `must be an address of your own domain: emails are sent from ${sender} through ${hostname}, but only ${domain} itself may send for it, so they are refused or taken for spam.`,
    );
  }
  const login = loginOf(SMTP_URL);
  if (EMAIL_FROM !== undefined || login === '' || isAddress(login)) return [];
  if (`.${hostname}`.endsWith(`.${domain}`)) return [];
  return finding(
    `is not set, and the user in SMTP_URL is no address to send from. Emails are sent from ${sender}, which ${hostname} may refuse. Set it to an address that your provider lets you send from: EMAIL_FROM=hello@my-domain.com`,
  );
}

const providerHint =
  'Your email provider tells you the record to add where your domain is managed.';

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);

/**
 * Findings on the domain of `email`, the owner's mailbox, and on that of the site's `sender`; none while they are
 * placeholders. Those of the sender leave out free providers, which `senderFindings` names.
 */
export async function mailFindings(
  { email, sender }: { email: string; sender?: string | undefined },
  resolver: Resolver,
): Promise<Finding[]> {
  const domain = domainOf(email);
  const own = isPlaceholder(domain) ? [] : await findingsAt(domain, ownFindings, resolver);
  const other = sender === undefined ? domain : domainOf(sender);
  const isChecked = other === domain || isPlaceholder(other);
  if (isChecked || freeProviders.some(([free]) => free.test(other))) return own;
  return [...own, ...(await findingsAt(other, senderRecords, resolver))];
}

type Unplaced = Omit<Finding, 'where'>;

async function findingsAt(
  where: string,
  check: (domain: string, resolver: Resolver) => Promise<Unplaced[]>,
  resolver: Resolver,
): Promise<Finding[]> {
  const found = await check(where, resolver).catch((error: unknown): Unplaced[] => [
    {
      kind: 'unknown',
      text: `could not be looked up (${codeOf(error) ?? 'no response'}). Try again later.`,
    },
  ]);
  return found.map((finding) => ({ ...finding, where }));
}

const todo = (text: string): Unplaced => ({ kind: 'todo', text });

async function ownFindings(domain: string, resolver: Resolver): Promise<Unplaced[]> {
  if (!(await hasMail(domain, resolver))) {
    const problem = 'receives no email: it has no MX record. Check the spelling of';
    const sentence = `${domain} ${problem} your email address.`;
    return [{ ...todo(`${problem} brand.email.`), form: { path: 'brand.email', sentence } }];
  }
  const { spf, dmarc, dkim } = await recordsOf(domain, resolver);
  return [
    ...(spf ? [] : [lacks('SPF', 'your replies')]),
    ...(dmarc ? [] : [lacks('DMARC', 'your replies')]),
    ...(dkim ? [] : [noKey]),
  ];
}

/** Bulk providers put SPF on a domain of their own: there DKIM authenticates the sender's domain. */
async function senderRecords(domain: string, resolver: Resolver): Promise<Unplaced[]> {
  const { spf, dmarc, dkim } = await recordsOf(domain, resolver);
  const emails = 'the emails of your site';
  return [
    ...(spf || dkim ? [] : [lacks('SPF', emails)]),
    ...(dmarc ? [] : [lacks('DMARC', emails)]),
    ...(dkim ? [] : [noKey]),
  ];
}

const lacks = (record: string, emails: string) =>
  todo(`has no ${record} record, so ${emails} may be taken for spam. ${providerHint}`);

const noKey: Unplaced = {
  kind: 'advice',
  text: 'may have no DKIM key: none was found under the usual selectors. Ask your email provider.',
};

async function recordsOf(domain: string, resolver: Resolver) {
  const [spf, dmarc, dkim] = await Promise.all([
    hasRecord(domain, /^v=spf1\b/i, resolver),
    hasPolicy(domain, resolver),
    hasKey(domain, resolver),
  ]);
  return { spf, dmarc, dkim };
}

/** Whether a DMARC policy applies to the domain: its own, or that of a domain above it (RFC 7489, section 6.6.3). */
async function hasPolicy(domain: string, resolver: Resolver): Promise<boolean> {
  const labels = domain.split('.');
  const domains = labels.slice(0, -1).map((_, n) => labels.slice(n).join('.'));
  const found = await Promise.all(
    domains.map((name) => hasRecord(`_dmarc.${name}`, /^v=DMARC1\b/i, resolver)),
  );
  return found.includes(true);
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
