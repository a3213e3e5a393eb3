/**
 * What of an arrival tells who sent the visitor. The browser remembers this and nothing else; the
 * server makes a name of it (`server/attribution`).
 */

/** How somebody arrived, as their browser tells it. */
export interface Referral {
  /** The query of the page's address: `?utm_source=newsletter`. */
  search: string;
  /** Address of the page before, or ''. */
  referrer: string;
}

/** The words of an address that name a source, the most telling first. */
const parameters = ['utm_source', 'source', 'ref'];

/** The words that advertisers put into an address by themselves, and who that is. */
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
 * Hosts of those who take payments and bookings. Whoever comes back from there was here before: they
 * are the end of a way, never its beginning.
 */
const passages = [
  'stripe.com',
  'stripe.network',
  'paypal.com',
  'calendly.com',
  'cal.com',
  'tidycal.com',
];

/** No more of a word than names somebody, and no more of an address than is read. */
const longestWord = 80;
const longestAddress = 2000;

/**
 * The one part that says who sent the visitor: `?utm_source=newsletter`, `https://some-blog.com`, or
 * `?gclid=1`, in this order. Undefined when nobody did: they typed the address, or came from one of
 * `own` hosts (without `www.`), a payment provider or a calendar.
 */
export function referralParameter({ search, referrer }: Referral, own: readonly string[]) {
  if (search.length + referrer.length === 0) return undefined;
  const query = new URLSearchParams(search.slice(0, longestAddress));
  for (const parameter of parameters) {
    const word = query.get(parameter);
    if (word && !isNobody(word)) {
      return `?${new URLSearchParams({ [parameter]: cut(word) })}`;
    }
  }
  const host = hostOf(referrer, own);
  if (host) return host;
  for (const parameter of clickIds.keys()) {
    if (query.has(parameter)) return `?${parameter}=1`;
  }
  return undefined;
}

const cut = (word: string) => [...word].slice(0, longestWord).join('');

/** The host, or the app, that an address names, as an address. */
function hostOf(address: string, own: readonly string[]): string | undefined {
  if (address.length > longestAddress || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  if (!/^(https?|android-app):$/.test(protocol) || hostname === '') return undefined;
  const host = hostname.toLowerCase().replace(/^www\./, '');
  return isIgnoredReferrer(host, own) ? undefined : `${protocol}//${host}`;
}

/** Whether `host` is one of them or of `own`, or belongs to one. */
export const isIgnoredReferrer = (host: string, own: readonly string[]): boolean =>
  [...passages, ...own].some((end) => host === end || host.endsWith(`.${end}`));

const nobody = new Set(['direct', 'none', 'null', 'undefined', 'not-set', 'notset']);

/** Whether a word names nobody: it has no letter, or is one that tools write for none. */
export function isNobody(word: string): boolean {
  const letters = word.toLowerCase().replace(/[^\p{L}\p{M}\p{N}-]/gu, '');
  return !/[\p{L}\p{N}]/u.test(letters) || nobody.has(letters);
}
