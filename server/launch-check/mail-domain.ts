/** Whether the domain of the owner's e-mail lets answers arrive: MX, SPF, DMARC and DKIM. */
import type { promises } from 'node:dns';
import { isPlaceholder } from '../contract/placeholder.ts';
import { codeOf } from '../error-code.ts';
import type { Finding } from './finding.ts';

export type Resolver = Pick<promises.Resolver, 'resolveMx' | 'resolveTxt'>;

/** Names under which providers commonly publish a key. Others cannot be guessed. */
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

const provider = 'Your e-mail provider tells you the line to add where your domain is managed.';

/** Findings about the domain of `email`; none while it is a placeholder. */
export async function mailFindings(email: string, resolver: Resolver): Promise<Finding[]> {
  const domain = email.slice(email.indexOf('@') + 1);
  if (isPlaceholder(domain)) return [];
  const say = (kind: Finding['kind'], text: string): Finding => ({
    topic: 'email',
    kind,
    where: domain,
    text,
  });
  try {
    if (!(await hasMail(domain, resolver))) {
      return [
        say('todo', 'receives no e-mail: it has no MX record. Check how brand.email is written.'),
      ];
    }
    const [spf, dmarc, dkim] = await Promise.all([
      hasRecord(domain, /^v=spf1\b/i, resolver),
      hasRecord(`_dmarc.${domain}`, /^v=DMARC1\b/i, resolver),
      hasKey(domain, resolver),
    ]);
    const lacks = (record: string) =>
      say('todo', `has no ${record} record, so your answers may be taken for spam. ${provider}`);
    return [
      ...(spf ? [] : [lacks('SPF')]),
      ...(dmarc ? [] : [lacks('DMARC')]),
      ...(dkim
        ? []
        : [
            say(
              'advice',
              'may have no DKIM key: none was found under the usual names. Ask your e-mail provider.',
            ),
          ]),
    ];
  } catch (error) {
    return [
      say('unknown', `could not be looked up (${codeOf(error) ?? 'no answer'}). Try again later.`),
    ];
  }
}

const hasMail = async (domain: string, resolver: Resolver) =>
  (await orNone(resolver.resolveMx(domain))).some(({ exchange }) => exchange !== '');

async function hasRecord(name: string, start: RegExp, resolver: Resolver): Promise<boolean> {
  const records = await orNone(resolver.resolveTxt(name));
  return records.some((chunks) => start.test(chunks.join('')));
}

async function hasKey(domain: string, resolver: Resolver): Promise<boolean> {
  const found = await Promise.all(
    selectors.map((name) => hasRecord(`${name}._domainkey.${domain}`, /\bp=[\w+/]/, resolver)),
  );
  return found.includes(true);
}

/** The records, or none when DNS answers that there are none. Throws when it does not answer. */
async function orNone<T>(answer: Promise<T[]>): Promise<T[]> {
  try {
    return await answer;
  } catch (error) {
    if (codeOf(error) === 'ENOTFOUND' || codeOf(error) === 'ENODATA') return [];
    throw error;
  }
}
