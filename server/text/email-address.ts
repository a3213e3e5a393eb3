import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * Matches what browsers accept in `<input type=email>`, so that the server accepts every address the
 * form accepts. Source: HTML standard, "valid e-mail address".
 */
export const emailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Matches what a person may be stored by: other checkouts report any text with an @ in it. */
export const personAddress = /[^@\s]@[^@\s]/;

/** A domain with a character outside ASCII, and nothing that ends the host of a URL. */
const international = /^(?=.*\P{ASCII})[a-zA-Z\d.\-\P{ASCII}]+$/u;

/** The longest domain, in characters (RFC 1035). The time to encode one grows with the square of its length. */
const maxDomainLength = 253;

/** Encodes an international domain, with or without an address, as mail servers need it. Firefox sends it as typed. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (domain.length > maxDomainLength || !international.test(domain)) return address;
  // What is no domain stays as it is.
  return address.slice(0, at) + (domainToASCII(domain) || domain);
}

/**
 * Returns an address as it is stored: of `Name <address>` and `mailto:address` the address, with its domain in ASCII.
 * Letters outside ASCII have one form, since databases compare them byte by byte.
 */
export function storedAddress(text: string): string {
  const address =
    /<([^<>\s@]+@[^<>\s@]+)>\s*$/.exec(text)?.[1] ?? text.replace(/^\s*mailto:(?=.*@)/i, '');
  if (!address.includes('@')) return address;
  const encoded = withAsciiDomain(address);
  return /\P{ASCII}/u.test(encoded) ? encoded.normalize('NFC').toLowerCase() : encoded;
}

/**
 * Returns the forms in which the stores may hold an address: as given, as `storedAddress` returns it, and with its
 * domain as it is written, as earlier versions stored it.
 */
export function addressForms(address: string): string[] {
  const stored = storedAddress(address);
  const domainAt = stored.lastIndexOf('@') + 1;
  const written = stored.slice(0, domainAt) + domainToUnicode(stored.slice(domainAt));
  return [...new Set([address, stored, written])];
}

/** Returns a check whether a text contains exactly this address, in any case. */
export function addressSearch(address: string): (text: string) => boolean {
  const escaped = address.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(
    `(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped}(?![a-z0-9-]|\\.[a-z0-9])`,
    'iu',
  );
  return (text) => pattern.test(text);
}

/** Frequent misspellings of the largest mail hosts. Nobody reads email there. */
const misspelled: Record<string, string> = {
  'gmail.com':
    'gmai gmal gmial gamil gnail gmil gmali gmall gmaill gmaik gmeil gmail.co gmail.cm gmail.om',
  'hotmail.com': 'hotmial hotmal hotmai hotmil hotnail hotmaill homail hotmail.co hotmail.cm',
  'outlook.com': 'outlok outloo outlock outloook oulook outlook.co outlook.cm',
  'yahoo.com': 'yaho yahooo yhoo yahho yahoo.co yahoo.cm',
  'icloud.com': 'iclod icoud iclou icloud.co icloud.cm',
};

const hostOf = new Map(
  Object.entries(misspelled).flatMap(([host, names]) =>
    names.split(' ').map((name) => [name.includes('.') ? name : `${name}.com`, host] as const),
  ),
);

/** `.com`, mistyped. None of these is a top-level domain. */
const mistypedCom = /\.(?:con|cmo|ocm|cim|comm|coom|vom|xom|cpm|c0m|conm)$/;

/**
 * Returns what is wrong with the domain of an address that must receive email: it has no top-level domain, or it is a
 * frequent misspelling. `suggestion` is the address that was probably meant. Undefined when nothing is.
 */
export function domainFault(address: string): { domain: string; suggestion?: string } | undefined {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at).toLowerCase();
  const spelled = domain.includes('.') ? domain.replace(mistypedCom, '.com') : `${domain}.com`;
  const host = hostOf.get(spelled) ?? spelled;
  if (host === domain && /\.(?:[a-z]{2,}|xn--[a-z\d-]+)$/.test(domain)) return undefined;
  const isNear = host !== domain && (domain.includes('.') || host in misspelled);
  return { domain, ...(isNear && { suggestion: address.slice(0, at) + host }) };
}
