/**
 * Whether a message looks like spam. Such a message is stored in a folder of its own, from which the
 * owner can take it back, and its sender gets the usual answer.
 */
import { isOwnLink, spamScore } from './spam-score.ts';
import type { ContactMessage, SpamSign } from './store.ts';

/** What is known of a message beside its text. */
export interface SpamContext {
  /** What the honeypot field held. */
  honeypot: string | undefined;
  /** Milliseconds between loading the page and sending, where the page tells. */
  took: number | undefined;
  /** The address block sent more messages within the hour than one person writes. */
  isBurst: boolean;
  /** It sent more than any office writes. */
  isFlood: boolean;
}

export interface Assessment {
  isSpam: boolean;
  /** What speaks against the message. A message in the inbox may have one such sign. */
  signs: SpamSign[];
}

/** The sum of weights that makes a message spam. */
const threshold = 4;

/** Less is no sign by itself: clients link to their tools and mention SEO, too. */
const leastSign = 2;

/** People take longer to read the form and fill in three fields, in ms. */
const fastest = 3000;

/** Weighs what speaks against a message. In doubt it is not spam: a lost lead costs more than spam. */
export function assess(
  message: Pick<ContactMessage, 'name' | 'email' | 'company' | 'message'>,
  { honeypot: trap, took, isBurst, isFlood }: SpamContext,
): Assessment {
  const words = wordsWeight(message);
  const weights: Record<SpamSign, number> = {
    trap: trap ? threshold : 0,
    links: linksWeight(message, words),
    words,
    sender: senderWeight(message),
    // Neither is enough alone: people use autofill, and an office shares one address.
    speed: took !== undefined && took >= 0 && took < fastest ? 2 : 0,
    rate: isFlood ? threshold : isBurst ? 2 : 0,
  };
  const sum = Object.values(weights).reduce((all, weight) => all + weight, 0);
  const isSpam = sum >= threshold;
  const least = isSpam ? 1 : leastSign;
  const found = Object.entries(weights).filter(([, weight]) => weight >= least);
  return { isSpam, signs: found.map(([sign]) => sign as SpamSign) };
}

/** Scores of `spamScore` from which the words alone make a message spam, or are a sign. */
const sureScore = 12;
const signScore = 5;

function wordsWeight(message: Parameters<typeof assess>[0]): number {
  const score = spamScore(message);
  return score >= sureScore ? threshold : score >= signScore ? 2 : 0;
}

/** A capital after a small character, twice in a word, as in `qwSDkfJ`. */
const randomName = /\p{Ll}\p{Lu}\S*\p{Ll}\p{Lu}/u;

const senderWeight = ({ name, email }: Parameters<typeof assess>[0]) =>
  /^no[-._]?reply/i.test(email) || randomName.test(name) ? 2 : 0;

const link = /(?:https?:\/\/|\bwww\.)[^\s<>"'\])]*/gi;

/** So few characters beside a link say nothing of what the sender wants. */
const shortText = 30;

/** Links to the sender's own domain weigh nothing alone, and a little beside words of a pitch. */
function linksWeight(
  { name, email, company, message }: Parameters<typeof assess>[0],
  words: number,
): number {
  const linksIn = (text: string) => text.match(link) ?? [];
  const foreignIn = (text: string) => linksIn(text).filter((one) => !isOwnLink(one, email)).length;
  if (linksIn(name).length > 0 || foreignIn(company ?? '') > 0) return threshold;
  if (/\[url\b|\[link\b/i.test(message)) return threshold;
  const foreign = foreignIn(message);
  if (foreign >= 10) return threshold;
  const besideLinks = message.replace(link, '').replace(/\s+/g, '').length;
  if (foreign > 0 && besideLinks === 0) return foreign >= 3 ? threshold : 3;
  if (foreign > 0 && /<a\s/i.test(message)) return 3;
  if (foreign >= 3 || (foreign > 0 && besideLinks < shortText)) return 2;
  return foreign > 0 || (words >= 2 && linksIn(message).length > 0) ? 1 : 0;
}
