/**
 * Extracts the part of a visit that says where the visitor came from. The browser stores only this
 * part; `server/attribution` derives the source name from it.
 */

/** Where a visit came from, as the browser reports it. */
export interface Referral {
  /** The query string of the page: `?utm_source=newsletter`. */
  search: string;
  /** `document.referrer`: URL of the previous page, or ''. */
  referrer: string;
}

/** Query parameters that name a source, in order of precedence. */
const sourceParameters = ['utm_source', 'source', 'ref'];

/** Click identifiers that ad platforms add to links, with the platform's source name. */
export const clickIds: ReadonlyMap<string, string> = new Map([
  ['gclid', 'google'],
  ['gbraid', 'google'],
  ['wbraid', 'google'],
  ['fbclid', 'facebook'],
  ['igshid', 'instagram'],
  ['li_fat_id', 'linkedin'],
  ['msclkid', 'bing'],
  ['ttclid', 'tiktok'],
  ['twclid', 'x'],
]);

/**
 * Hosts of payment and booking providers, never counted as a source. A visitor who comes from there
 * is returning from a checkout or a booking of this site.
 */
const ignoredReferrers = [
  'stripe.com',
  'stripe.network',
  'paypal.com',
  'calendly.com',
  'cal.com',
  'tidycal.com',
];

/** Maximum characters of a parameter's value, and of a query string or URL that is parsed. */
const maxValueLength = 80;
const maxUrlLength = 2000;

/**
 * Returns the part that names the source: `?utm_source=newsletter`, `https://some-blog.com` or
 * `?gclid=1`, in this order of precedence. Returns undefined for a direct visit, and for one from an
 * ignored host: `ownHosts` (without `www.`), payment and booking providers.
 */
export function referralParameter({ search, referrer }: Referral, ownHosts: readonly string[]) {
  if (search.length + referrer.length === 0) return undefined;
  const query = new URLSearchParams(search.slice(0, maxUrlLength));
  for (const parameter of sourceParameters) {
    const value = query.get(parameter);
    if (value && !isEmptySource(value)) {
      return `?${new URLSearchParams({ [parameter]: truncate(value) })}`;
    }
  }
  const origin = referrerOrigin(referrer, ownHosts);
  if (origin) return origin;
  for (const parameter of clickIds.keys()) {
    if (query.has(parameter)) return `?${parameter}=1`;
  }
  return undefined;
}

const truncate = (value: string) => [...value].slice(0, maxValueLength).join('');

/** The referring site or Android app without its path, unless it is ignored. */
function referrerOrigin(url: string, ownHosts: readonly string[]): string | undefined {
  if (url.length > maxUrlLength || !URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  if (!/^(https?|android-app):$/.test(protocol) || hostname === '') return undefined;
  const host = hostname.toLowerCase().replace(/^www\./, '');
  return isIgnoredReferrer(host, ownHosts) ? undefined : `${protocol}//${host}`;
}

/** Whether `host` is an ignored referrer or one of `ownHosts`, or a subdomain of one. */
export const isIgnoredReferrer = (host: string, ownHosts: readonly string[]): boolean =>
  [...ignoredReferrers, ...ownHosts].some(
    (domain) => host === domain || host.endsWith(`.${domain}`),
  );

/** Values that analytics tools write when there is no source. */
const emptyValues = new Set(['direct', 'none', 'null', 'undefined', 'not-set', 'notset']);

/** Whether a value names no source: it has no letter or digit, or is a placeholder such as `(none)`. */
export function isEmptySource(value: string): boolean {
  const word = value.toLowerCase().replace(/[^\p{L}\p{M}\p{N}-]/gu, '');
  return !/[\p{L}\p{N}]/u.test(word) || emptyValues.has(word);
}
