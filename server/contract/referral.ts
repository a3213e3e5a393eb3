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

/** Query parameters that name the campaign of a source. */
const campaignParameters = ['utm_medium', 'utm_campaign'];

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
 * `?gclid=1`, in this order of precedence, and the parameters of its campaign:
 * `?utm_source=newsletter&utm_medium=email`, `https://some-blog.com?utm_campaign=spring`. Returns undefined
 * for a direct visit, and for one from an ignored host: `ownHosts` (without `www.`), payment and booking
 * providers.
 */
export function referralParameter({ search, referrer }: Referral, ownHosts: readonly string[]) {
  if (search.length + referrer.length === 0) return undefined;
  const query = new URLSearchParams(search.slice(0, maxUrlLength));
  const valuesOf = (parameters: readonly string[]) =>
    parameters.flatMap((parameter) => {
      const value = query.get(parameter);
      return value && !isEmptySource(value) ? [[parameter, truncate(value)]] : [];
    });
  const [named] = valuesOf(sourceParameters);
  const origin = named ? undefined : referrerOrigin(referrer, ownHosts);
  const clickId = [...clickIds.keys()].find((parameter) => query.has(parameter));
  if (!named && !origin && !clickId) return undefined;
  const campaign = valuesOf(campaignParameters);
  if (origin) return campaign.length > 0 ? `${origin}?${new URLSearchParams(campaign)}` : origin;
  return `?${new URLSearchParams([named ?? [clickId ?? '', '1'], ...campaign])}`;
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

/** The name that replaces every source with an email address in it, since an address names a person. */
export const emailName = 'email';

/** Whether a text contains an email address, also one that is URL-encoded or has a full-width `@`. */
export const hasEmailAddress = (text: string): boolean => /@|%(25)*40/.test(text.normalize('NFKC'));
