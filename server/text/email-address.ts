import { domainToASCII } from 'node:url';

/**
 * Matches what browsers accept in `<input type=email>`, so that the server accepts every address the
 * form accepts. Source: HTML standard, "valid e-mail address".
 */
export const emailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** A domain with a character outside ASCII, and nothing that ends the host of a URL. */
const international = /^(?=.*\P{ASCII})[a-zA-Z\d.\-\P{ASCII}]+$/u;

/** The longest domain, in characters (RFC 1035). The time to encode one grows with the square of its length. */
const maxDomainLength = 253;

/** Encodes an international domain, as mail servers need it. Firefox, unlike Chromium, sends it as typed. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const isEncoded = domain.length > maxDomainLength || !international.test(domain);
  return isEncoded ? address : address.slice(0, at) + domainToASCII(domain);
}
