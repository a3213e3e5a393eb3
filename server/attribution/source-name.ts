/**
 * Traffic sources as short names: `newsletter`, `instagram`, `some-blog.com`.
 *
 * Names are untrusted input, so they are normalized, truncated and limited to few characters.
 */
import { clickIds, isEmptySource, type Referral, referralParameter } from '../contract/referral.ts';
import { memoize } from '../memoize.ts';

/** Maximum bytes of a name: a Stripe reference holds two names in 200 base64url characters. */
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
 * Returns the source of a referral, or null for a direct visit (see `referralParameter`). Memoized:
 * parsing URLs is slow, and the same referrals repeat.
 */
export const sourceOf = memoize(
  (referral: Referral, ownHosts: readonly string[]): string | null => {
    const part = referralParameter(referral, ownHosts);
    if (part === undefined) return null;
    if (!part.startsWith('?')) return sourceNamed(part);
    const [[parameter = '', value = ''] = []] = new URLSearchParams(part);
    return clickIds.get(parameter) ?? sourceNamed(value);
  },
  ({ search, referrer }, ownHosts) => [search, referrer, ...ownHosts].join('\n'),
);

/** The name that replaces every source with an email address in it, since an address names a person. */
export const emailName = 'email';

/** Returns the text of a source as it is stored: unchanged, or `email` when it holds an address. */
export const sourceText = (text: string): string =>
  sourceNamed(text) === emailName ? emailName : text;

/** Returns the canonical name under which `text` counts (`ig` is `instagram`); null when it names no source. */
export function sourceNamed(text: string | null | undefined): string | null {
  if (!text) return null;
  const plain = text.slice(0, 2000).normalize('NFKC').trim().toLowerCase();
  if (/@|%(25)*40/.test(plain)) return emailName;
  const word = plain
    .replace(/^[a-z-]+:\/\/([^/?#]*).*$/s, '$1')
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    // Removing characters can leave sequences that NFKC combines.
    .normalize('NFKC');
  const short = truncated(word.replace(/^((www|m|l|lm|mobile|old)\.)+(?=.+\..)/, ''));
  if (isEmptySource(short)) return null;
  return /^google(\.[a-z]{2,3}){1,2}$/.test(short) ? 'google' : (names.get(short) ?? short);
}

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
