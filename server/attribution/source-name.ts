/**
 * Where a visitor came from, as one short name: `newsletter`, `instagram`, `some-blog.com`.
 *
 * Names come from the open internet, so they are cut, cleaned and told apart by few signs.
 */
import { clickIds, isEmptySource, type Referral, referralParameter } from '../contract/referral.ts';
import { memoize } from '../memoize.ts';

/** Most bytes a name has: two of them go along to the payment provider, who takes 200 letters. */
const longest = 40;

/** One name for what has several: hosts, apps and the short forms that people write. */
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
 * The name of the source of an arrival, or null when nobody sent the visitor (see `tellingPart`).
 * Links and pages that send visitors send many, and reading an address is dear.
 */
export const sourceOf = memoize(
  (arrival: Referral, own: readonly string[]): string | null => {
    const part = referralParameter(arrival, own);
    if (part === undefined) return null;
    if (!part.startsWith('?')) return sourceNamed(part);
    const [[parameter = '', word = ''] = []] = new URLSearchParams(part);
    return clickIds.get(parameter) ?? sourceNamed(word);
  },
  ({ search, referrer }, own) => [search, referrer, ...own].join('\n'),
);

/** The name that replaces every source with an email address in it, since an address names a person. */
export const emailName = 'email';

/** Returns the text of a source as it is stored: unchanged, or `email` when it holds an address. */
export const sourceText = (text: string): string =>
  sourceNamed(text) === emailName ? emailName : text;

/** The name that `text` is counted under: `Instagram ` and `ig` are one. Null when it names none. */
export function sourceNamed(text: string | null | undefined): string | null {
  if (!text) return null;
  const plain = text.slice(0, 2000).normalize('NFKC').trim().toLowerCase();
  if (/@|%(25)*40/.test(plain)) return emailName;
  const word = plain
    .replace(/^[a-z-]+:\/\/([^/?#]*).*$/s, '$1')
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{M}\p{N}._-]/gu, '')
    // What was apart can be one letter now.
    .normalize('NFKC');
  const short = shortened(word.replace(/^((www|m|l|lm|mobile|old)\.)+(?=.+\..)/, ''));
  if (isEmptySource(short)) return null;
  return /^google(\.[a-z]{2,3}){1,2}$/.test(short) ? 'google' : (names.get(short) ?? short);
}

/** As much of a name as there is room for, in whole letters. */
function shortened(name: string): string {
  let [kept, room] = ['', longest];
  for (const letter of name) {
    room -= Buffer.byteLength(letter);
    if (room < 0) break;
    kept += letter;
  }
  return kept;
}
