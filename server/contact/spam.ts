/**
 * Whether a message looks like spam. It is never dropped and its sender never told: it is put into a
 * folder of its own, from which the owner can take it back.
 */
import type { ContactMessage, Suspicion } from './store.ts';

/** What is known of a message beside its words. */
export interface Circumstances {
  /** What stood in the field that nobody sees. */
  trap: string | undefined;
  /** Milliseconds from the page's coming to the sending, where the page tells. */
  took: number | undefined;
  /** More came from the same address within the hour than one person writes. */
  isBurst: boolean;
  /** More came than any office writes, or than the whole site gets in a day. */
  isFlood: boolean;
}

/** At this weight it is taken for spam: a sure sign, or two weak ones. */
const threshold = 4;

/** Nobody reads the form and fills in three fields in less, in ms. */
const fastest = 3000;

/** What speaks against a message, when that is enough to take it for spam; else nothing. */
export function suspicionsOf(
  { name, company, message }: Pick<ContactMessage, 'name' | 'company' | 'message'>,
  { trap, took, isBurst, isFlood }: Circumstances,
): Suspicion[] {
  const links = linksIn(message);
  const weights: Record<Suspicion, number> = {
    trap: trap ? threshold : 0,
    // A name with an address in it is an advertisement. People write of their sites, but not of ten.
    links: linksIn(`${name} ${company ?? ''}`) > 0 || links >= 10 ? threshold : links >= 3 ? 2 : 0,
    // A clock that is wrong says nothing, and so do both signs below by themselves: people are quick
    // with an autofill, and an office shares one address.
    speed: took !== undefined && took >= 0 && took < fastest ? 2 : 0,
    rate: isFlood ? threshold : isBurst ? 3 : 0,
  };
  const found = Object.entries(weights).filter(([, weight]) => weight > 0);
  const sum = found.reduce((all, [, weight]) => all + weight, 0);
  return sum < threshold ? [] : found.map(([suspicion]) => suspicion as Suspicion);
}

const linksIn = (text: string) => text.match(/https?:\/\/|\bwww\.|\[url/gi)?.length ?? 0;
