/**
 * Who sent the visitor, first and last, within thirty days: kept in their own browser and told to
 * nobody until they go to the checkout. Nothing is kept of a visitor who asks for privacy, nor on a
 * site that leads to no checkout.
 */
import { referralParameter } from '../../server/contract/referral.ts';

const key = 'touches';
const validity = 30 * 24 * 60 * 60_000;

interface Touch {
  /** What told of it: `?utm_source=newsletter`, or the page before. The server makes a name of it. */
  from: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface Touches {
  first?: Touch;
  last?: Touch;
}

/** Remembers this visit, if somebody sent the visitor, and tells the links to the checkout. */
export function recordTouches(now = Date.now()): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[data-own]');
  const [link] = links;
  if (!link) return;
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) {
    store(undefined);
    tellLinks(links, { private: '1' });
    return;
  }
  const touches = known(now);
  const own = [location.hostname.replace(/^www\./, ''), ...(link.dataset.own ?? '').split(' ')];
  const from = referralParameter({ search: location.search, referrer: document.referrer }, own);
  if (from) {
    touches.last = { from, at: now };
    touches.first ??= touches.last;
    store(touches);
  }
  tellLinks(links, {
    ...(touches.first && { first: touches.first.from }),
    ...(touches.last && { last: touches.last.from }),
  });
}

function tellLinks(links: NodeListOf<HTMLAnchorElement>, words: Record<string, string>): void {
  for (const link of links) {
    const { cta = '' } = link.dataset;
    link.href = `${link.pathname}?${new URLSearchParams({ control: cta, ...words })}`;
  }
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

function store(touches: Touches | undefined): void {
  try {
    if (touches) localStorage.setItem(key, JSON.stringify(touches));
    else localStorage.removeItem(key);
  } catch {
    // Then this visit is known for as long as its page is open.
  }
}
