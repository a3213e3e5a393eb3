/**
 * Where the visitor came from, first and last, within thirty days: kept in their own browser and told
 * to nobody until they go to the checkout. Nothing is kept of a visitor who asked for privacy.
 */
import { isPassage } from '../../server/contract/passages.ts';

const key = 'touches';
const validity = 30 * 24 * 60 * 60_000;

/** The query a visit began with, or the address of the page before; the server makes a name of it. */
interface Touch {
  from: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface Touches {
  first?: Touch;
  last?: Touch;
}

/** Remembers this visit, if somebody sent the visitor, and tells the links to the checkout. */
export function rememberTouches(now = Date.now()): void {
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) return;
  const touches = known(now);
  const from = touchOf(location.search, document.referrer);
  if (from) {
    touches.last = { from, at: now };
    touches.first ??= touches.last;
    keep(touches);
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/api/checkout"]')) {
    const address = new URL(link.href);
    for (const [name, touch] of Object.entries(touches)) address.searchParams.set(name, touch.from);
    link.href = address.pathname + address.search;
  }
}

/** Words of an address that say who sent the visitor. */
const telling =
  /[?&](utm_source|source|ref|gclid|gbraid|wbraid|fbclid|igshid|li_fat_id|msclkid|ttclid|twclid)=[^&]/;

/** No more of an address than names its source. */
const longest = 300;

function touchOf(search: string, referrer: string): string | undefined {
  if (telling.test(search)) return search.slice(0, longest);
  if (!URL.canParse(referrer)) return undefined;
  const { protocol, hostname } = new URL(referrer);
  if (!hostname || isPassage(hostname, [location.hostname])) return undefined;
  return `${protocol}//${hostname}`;
}

function known(now: number): Touches {
  try {
    const { first, last } = JSON.parse(localStorage.getItem(key) ?? '{}') as Touches;
    const isFresh = (touch: Touch | undefined) =>
      typeof touch?.from === 'string' && touch.at > now - validity && touch.at <= now;
    return { ...(isFresh(first) && { first }), ...(isFresh(last) && { last }) };
  } catch {
    // Storage can be off, and hold anything.
    return {};
  }
}

function keep(touches: Touches): void {
  try {
    localStorage.setItem(key, JSON.stringify(touches));
  } catch {
    // Then this visit is known for as long as its page is open.
  }
}
