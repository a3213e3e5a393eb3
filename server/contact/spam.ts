/**
 * Spam filter. Spam is stored in its own folder, from which the owner can move it back; the sender
 * gets the usual response.
 */
import { isOwnLink, spamScore } from './spam-score.ts';
import type { ContactMessage, SpamSign } from './store.ts';

/** Signals about a message beside its text. */
export interface SpamContext {
  /** Content of the honeypot field. */
  honeypot: string | undefined;
  /** Milliseconds between loading the page and sending; undefined when not reported. */
  elapsedMs: number | undefined;
  /** The address block sent more messages within the hour than one person writes. */
  isBurst: boolean;
  /** The address block sent more messages within the hour than an office writes. */
  isFlood: boolean;
}

export interface Assessment {
  isSpam: boolean;
  /** The signs of spam. A message in the inbox may have one. */
  signs: SpamSign[];
}

/** The sum of weights that makes a message spam. */
const threshold = 4;

/** Smallest weight that is reported for a genuine message: clients also send links and mention SEO. */
const minSignWeight = 2;

/** Shortest time in ms in which a person can read the form and fill in three fields. */
const minElapsedMs = 3000;

/** Assesses a message. In doubt it is genuine, since a lost lead costs more than spam in the inbox. */
export function assess(
  message: Pick<ContactMessage, 'name' | 'email' | 'company' | 'message'>,
  { honeypot, elapsedMs, isBurst, isFlood }: SpamContext,
): Assessment {
  const words = wordsWeight(message);
  const weights: Record<SpamSign, number> = {
    trap: honeypot ? threshold : 0,
    links: linksWeight(message, words),
    words,
    sender: senderWeight(message),
    // Neither suffices alone: people use autofill, and an office shares one address.
    speed: elapsedMs !== undefined && elapsedMs >= 0 && elapsedMs < minElapsedMs ? 2 : 0,
    rate: isFlood ? threshold : isBurst ? 2 : 0,
  };
  const sum = Object.values(weights).reduce((all, weight) => all + weight, 0);
  const isSpam = sum >= threshold;
  const minWeight = isSpam ? 1 : minSignWeight;
  const signs = Object.entries(weights).filter(([, weight]) => weight >= minWeight);
  return { isSpam, signs: signs.map(([sign]) => sign as SpamSign) };
}

/** Thresholds of `spamScore`: the words alone make a message spam, or are a sign. */
const spamThreshold = 12;
const signScore = 5;

function wordsWeight(message: Parameters<typeof assess>[0]): number {
  const score = spamScore(message);
  return score >= spamThreshold ? threshold : score >= signScore ? 2 : 0;
}

/** A word with an uppercase letter after a lowercase one, twice, as in `qwSDkfJ`. */
const randomName = /\p{Ll}\p{Lu}\S*\p{Ll}\p{Lu}/u;

const senderWeight = ({ name, email }: Parameters<typeof assess>[0]) =>
  /^no[-._]?reply/i.test(email) || randomName.test(name) ? 2 : 0;

const link = /(?:https?:\/\/|\bwww\.)[^\s<>"'\])]*/gi;

/** Fewer characters beside a link do not explain what the sender wants. */
const shortText = 30;

/** Links to the sender's own domain have no weight alone, and a small one in a sales pitch. */
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
