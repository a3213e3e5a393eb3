/**
 * First-touch and last-touch attribution with a lookback window of thirty days. The touches stay in
 * the visitor's browser until they go to the checkout. Nothing is stored if Global Privacy Control is
 * on, or on a site without a checkout.
 */
import { referralParameter } from '../../server/contract/referral.ts';

const storageKey = 'touches';
const lookbackMs = 30 * 24 * 60 * 60_000;

interface Touch {
  /** The referral parameter, such as `?utm_source=newsletter`, or the referrer. The server normalizes it. */
  from: string;
  /** Milliseconds since 1970. */
  at: number;
}

interface Touches {
  first?: Touch;
  last?: Touch;
}

/** Stores this visit's referral, if any, and adds the first and last touch to the checkout links. */
export function recordAttribution(now = Date.now()): void {
  const links = document.querySelectorAll<HTMLAnchorElement>('a[data-own]');
  const [link] = links;
  if (!link) return;
  if ((navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl) {
    write(undefined);
    setParameters(links, { private: '1' });
    return;
  }
  const touches = read(now);
  const ownHosts = [
    location.hostname.replace(/^www\./, ''),
    ...(link.dataset.own ?? '').split(' '),
  ];
  const from = referralParameter(
    { search: location.search, referrer: document.referrer },
    ownHosts,
  );
  if (from) {
    touches.last = { from, at: now };
    touches.first ??= touches.last;
    write(touches);
  }
  setParameters(links, {
    ...(touches.first && { first: touches.first.from }),
    ...(touches.last && { last: touches.last.from }),
  });
}

function setParameters(
  links: NodeListOf<HTMLAnchorElement>,
  parameters: Record<string, string>,
): void {
  for (const link of links) {
    const { cta = '' } = link.dataset;
    link.href = `${link.pathname}?${new URLSearchParams({ button: cta, ...parameters })}`;
  }
}

/** The stored touches within the lookback window. */
function read(now: number): Touches {
  try {
    const { first, last } = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Touches;
    const isFresh = (touch: Touch | undefined) =>
      typeof touch?.from === 'string' && touch.at > now - lookbackMs && touch.at <= now;
    return { ...(isFresh(first) && { first }), ...(isFresh(last) && { last }) };
  } catch {
    // Storage is blocked, or holds something else.
    return {};
  }
}

function write(touches: Touches | undefined): void {
  try {
    if (touches) localStorage.setItem(storageKey, JSON.stringify(touches));
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage is blocked or full: this visit counts only while its page is open.
  }
}
