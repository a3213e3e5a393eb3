/**
 * Where a visitor came from, as one short name: `newsletter`, `instagram`, `some-blog.com`.
 *
 * Names come from the open internet, so they are cut, cleaned and told apart by few signs.
 */
import { isPassage } from '../contract/passages.ts';

/** How somebody arrived, as their browser tells it. Nothing of it is kept but the name made of it. */
export interface Arrival {
  /** The query of the page's address: `?utm_source=newsletter`. */
  search: string;
  /** Address of the page before, or ''. */
  referrer: string;
}

/** Most bytes a name has: two of them go along to the payment provider, who takes 200 letters. */
const longest = 40;

/** The rest of an address longer than this says nothing more. */
const longestAddress = 2000;

/** The words of an address that name a source, the most telling first. */
const parameters = ['utm_source', 'source', 'ref'];

/** What advertisers' own words in an address say, where nothing else says more. */
const clickIds: Record<string, string> = {
  gclid: 'google',
  gbraid: 'google',
  wbraid: 'google',
  fbclid: 'facebook',
  igshid: 'instagram',
  li_fat_id: 'linkedin',
  msclkid: 'bing',
  ttclid: 'tiktok',
  twclid: 'x',
};

/** One name for what has several: hosts, apps and the short forms that people write. */
const names: Record<string, string> = {
  'mail.google.com': 'gmail',
  'com.google.android.gm': 'gmail',
  'com.google.android.googlequicksearchbox': 'google',
  'com.linkedin.android': 'linkedin',
  'outlook.live.com': 'outlook',
  'outlook.office.com': 'outlook',
  'mail.yahoo.com': 'yahoo-mail',
  'bing.com': 'bing',
  'duckduckgo.com': 'duckduckgo',
  'ecosia.org': 'ecosia',
  'search.brave.com': 'brave',
  'yahoo.com': 'yahoo',
  'search.yahoo.com': 'yahoo',
  'facebook.com': 'facebook',
  fb: 'facebook',
  'fb.com': 'facebook',
  'instagram.com': 'instagram',
  ig: 'instagram',
  insta: 'instagram',
  'linkedin.com': 'linkedin',
  'lnkd.in': 'linkedin',
  li: 'linkedin',
  't.co': 'x',
  'x.com': 'x',
  'twitter.com': 'x',
  twitter: 'x',
  'youtube.com': 'youtube',
  'youtu.be': 'youtube',
  yt: 'youtube',
  'pinterest.com': 'pinterest',
  'reddit.com': 'reddit',
  'out.reddit.com': 'reddit',
  'tiktok.com': 'tiktok',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'bsky.app': 'bluesky',
  'chatgpt.com': 'chatgpt',
  'perplexity.ai': 'perplexity',
};

/**
 * The name of the source, or null when nobody sent the visitor: they typed the address, or came from
 * one of `own` hosts, a payment provider or a calendar.
 */
export function sourceOf({ search, referrer }: Arrival, own: readonly string[]): string | null {
  const query = new URLSearchParams(search.slice(0, longestAddress));
  for (const parameter of parameters) {
    const name = sourceNamed(query.get(parameter));
    if (name !== null) return name;
  }
  const host = hostOf(referrer);
  if (host !== undefined && !isPassage(host, own)) return sourceNamed(host);
  for (const [parameter, name] of Object.entries(clickIds)) {
    if (query.has(parameter)) return name;
  }
  return null;
}

/** The name that `text` is counted under: `Instagram ` and `ig` are one. Null when it names none. */
export function sourceNamed(text: string | null | undefined): string | null {
  if (!text) return null;
  // An address names a person, and persons are no sources.
  if (text.includes('@')) return 'email';
  const name = text
    .slice(0, longestAddress)
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}._-]/gu, '');
  const short = cut(name);
  return nobody.has(short) ? null : (names[short] ?? short);
}

/** As much of a name as there is room for, in whole letters. */
function cut(name: string): string {
  let [kept, room] = ['', longest];
  for (const letter of name) {
    room -= Buffer.byteLength(letter);
    if (room < 0) break;
    kept += letter;
  }
  return kept;
}

const nobody = new Set(['', 'direct', 'none', 'null', 'undefined', 'not-set']);

/** The host, or the app, that an address names, without what stands before it for phones. */
function hostOf(address: string): string | undefined {
  if (address === '' || address.length > longestAddress || !URL.canParse(address)) return undefined;
  const { protocol, hostname } = new URL(address);
  if (!/^(https?|android-app):$/.test(protocol)) return undefined;
  const host = hostname.toLowerCase().replace(/^(www|m|l|lm|mobile|old)\.(?=.+\..+)/, '');
  return /^google(\.[a-z]{2,3}){1,2}$/.test(host) ? 'google' : host || undefined;
}
