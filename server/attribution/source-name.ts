/**
 * Traffic sources as short names: `newsletter`, `instagram`, `some-blog.com`. A path adds the medium and the
 * campaign of a visit: `newsletter/email/spring-sale`, `newsletter/email`, `newsletter//spring-sale`.
 *
 * Names are untrusted input, so they are normalized, truncated and limited to few characters.
 */
import {
  clickIds,
  emailName,
  hasEmailAddress,
  isEmptySource,
  type Referral,
  referralParameter,
} from '../contract/referral.ts';
import { memoize } from '../memoize.ts';

/** Maximum bytes of each name: a Stripe reference holds two sources in 200 base64url characters. */
const maxBytes = 40;

/** Canonical names of hosts, apps and common abbreviations. */
const names: ReadonlyMap<string, string> = new Map([
  ['mail.google.com', 'gmail'],
  ['com.google.android.gm', 'gmail'],
  ['com.google.android.googlequicksearchbox', 'google'],
  ['com.linkedin.android', 'linkedin'],
  ['outlook.live.com', 'outlook'],
  ['outlook.office.com', 'outlook'],
  ['mail.yahoo.com', 'yahoo-mail'],
  ['bing.com', 'bing'],
  ['duckduckgo.com', 'duckduckgo'],
  ['ecosia.org', 'ecosia'],
  ['search.brave.com', 'brave'],
  ['yahoo.com', 'yahoo'],
  ['search.yahoo.com', 'yahoo'],
  ['facebook.com', 'facebook'],
  ['fb', 'facebook'],
  ['fb.com', 'facebook'],
  ['instagram.com', 'instagram'],
  ['ig', 'instagram'],
  ['insta', 'instagram'],
  ['linkedin.com', 'linkedin'],
  ['lnkd.in', 'linkedin'],
  ['li', 'linkedin'],
  ['t.co', 'x'],
  ['x.com', 'x'],
  ['twitter.com', 'x'],
  ['twitter', 'x'],
  ['youtube.com', 'youtube'],
  ['youtu.be', 'youtube'],
  ['yt', 'youtube'],
  ['pinterest.com', 'pinterest'],
  ['reddit.com', 'reddit'],
  ['out.reddit.com', 'reddit'],
  ['tiktok.com', 'tiktok'],
  ['threads.net', 'threads'],
  ['threads.com', 'threads'],
  ['bsky.app', 'bluesky'],
  ['chatgpt.com', 'chatgpt'],
  ['perplexity.ai', 'perplexity'],
]);

/**
 * Returns the path of a referral's source, or null for a direct visit (see `referralParameter`). Memoized:
 * parsing URLs is slow, and the same referrals repeat.
 */
export const sourceOf = memoize(
  (referral: Referral, ownHosts: readonly string[]): string | null => {
    const [referrer, search] = (referralParameter(referral, ownHosts) ?? '').split('?');
    const query = new URLSearchParams(search);
    const [[parameter = '', value = ''] = []] = query;
    const name = referrer ? sourceNamed(referrer) : (clickIds.get(parameter) ?? sourceNamed(value));
    return pathOf(name, query.get('utm_medium'), query.get('utm_campaign'));
  },
  ({ search, referrer }, ownHosts) => [search, referrer, ...ownHosts].join('\n'),
);

/** Returns the text of a source as it is stored: unchanged, or `email` when it holds an address. */
export const sourceText = (text: string): string =>
  sourcePath(text) === emailName ? emailName : text;

/** Separates the names of a path. No name contains it. */
const separator = '/';

/** Returns the source of a path, without its campaign. */
export const sourceIn = (path: string): string => path.split(separator, 1)[0] ?? path;

/**
 * Returns the path under which `text` counts; null when it names no source. Text after a slash names medium
 * and campaign, but not that of a URL. With an email address in it the path is `email`.
 */
export function sourcePath(text: string | null | undefined): string | null {
  const plain = plainTextOf(text);
  if (hasEmailAddress(plain)) return emailName;
  const [source, medium, ...campaign] = isUrl(plain) ? [plain] : plain.split(separator);
  return pathOf(sourceNamed(source), medium, campaign.join(separator));
}

/** Adds what is known of the campaign to a source. */
function pathOf(
  name: string | null,
  medium: string | null | undefined,
  campaign: string | null | undefined,
): string | null {
  if (name === null) return null;
  const parts = [name, campaignPart(medium), campaignPart(campaign)].join(separator);
  return parts.replace(/\/+$/, '');
}

/** The canonical name of a medium or campaign; empty for none, and for one with an email address. */
function campaignPart(text: string | null | undefined): string {
  const plain = plainTextOf(text);
  const name = hasEmailAddress(plain) ? '' : truncated(wordOf(plain));
  return isEmptySource(name) ? '' : name;
}

/** Returns the canonical name under which `text` counts (`ig` is `instagram`); null when it names no source. */
export function sourceNamed(text: string | null | undefined): string | null {
  const plain = plainTextOf(text);
  if (hasEmailAddress(plain)) return emailName;
  const word = wordOf(plain.replace(/^[a-z-]+:\/\/([^/?#]*).*$/s, '$1'));
  const short = truncated(word.replace(/^((www|m|l|lm|mobile|old)\.)+(?=.+\..)/, ''));
  if (isEmptySource(short)) return null;
  return /^google(\.[a-z]{2,3}){1,2}$/.test(short) ? 'google' : (names.get(short) ?? short);
}

const plainTextOf = (text: string | null | undefined) =>
  (text ?? '').slice(0, 2000).normalize('NFKC').trim().toLowerCase();

const isUrl = (plain: string) => /^[a-z-]+:\/\//.test(plain);

/** The characters of plain text that names have. */
const wordOf = (plain: string) =>
  plain
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    // Removing characters can leave sequences that NFKC combines.
    .normalize('NFKC');

/** Truncates a name to `maxBytes` without splitting a character. */
function truncated(name: string): string {
  let [result, remaining] = ['', maxBytes];
  for (const character of name) {
    remaining -= Buffer.byteLength(character);
    if (remaining < 0) break;
    result += character;
  }
  return result;
}
