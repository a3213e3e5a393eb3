/**
 * A message from the contact form: its id, its idempotency key, its quotas, its spam score, and whether
 * the owner gets an email about it now. Spam is stored in its own folder, from which the owner can move it
 * back; the visitor gets the usual response.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FormFields, fieldNames, optionalTexts } from '../contract/contact-fields.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { Quota, RateLimiter } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import { dayMs, hourMs } from '../time/units.ts';
import { ApiError } from '../trpc/errors.ts';
import type { WebhookEvent } from '../webhooks/event.ts';
import { emailOf } from './email.ts';
import { type ContactMessage, floodAfter, rowOverhead, type SpamSign } from './message.ts';
import type { SpamQuota } from './spam-quota.ts';
import { domainOf, isOwnLink, plainFields, spamScore } from './spam-score.ts';
import type { ContactStore } from './store.ts';

/** What the procedures of this feature use. */
export interface ContactServices {
  contact: ContactStore;
  spamQuota: SpamQuota;
  /** Limits contact messages and their bytes. */
  messageLimiter: RateLimiter;
  /** Delivers emails to the owner; undefined without a mail server. */
  outboxWorker: Pick<OutboxWorker, 'wake'> | undefined;
  /** Delivers events to the owner's receiver; undefined without one: no event is queued. */
  webhooks: Pick<OutboxWorker, 'wake'> | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}

/** What a request says about its sender. */
export interface Sender {
  addressBlock: string;
  /** Made by the page for each form, and sent again with each retry. */
  idempotencyKey: string | undefined;
}

/**
 * Stores a message, with its email if there is one. Resolves once both are on disk, also for a retry of a
 * stored message. Throws a 429 when the sender's network or the spam folder is over its quota.
 */
export async function submit(
  services: ContactServices,
  sender: Sender,
  { honeypot, ...fields }: FormFields & { honeypot: unknown },
): Promise<void> {
  const receivedAt = services.now();
  const message = { id: messageId(receivedAt), receivedAt, ...fields };
  const release = await consumeBytes(
    services.messageLimiter,
    sender.addressBlock,
    bytesOf(message),
  );
  try {
    const assessment = assess(message, await spamContext(services, sender, { message, honeypot }));
    const isNew = await storeMessage(services, sender, { message, assessment });
    if (!isNew) await release();
  } catch (error) {
    // Not awaited: when the database hangs, the visitor would wait for a second timeout.
    release().catch(() => {});
    throw error;
  }
}

/** Returns false when the same submission was stored before. */
async function storeMessage(
  { contact, spamQuota, messageLimiter, outboxWorker, webhooks }: ContactServices,
  { addressBlock, idempotencyKey }: Sender,
  { message, assessment }: { message: ContactMessage; assessment: Assessment },
): Promise<boolean> {
  const { isSpam, signs } = assessment;
  if (isSpam && !(await spamQuota.consume(bytesOf(message)))) {
    throw new ApiError('FORM_UNAVAILABLE', { wait: hourMs });
  }
  const isSummarized = await isForSummary(messageLimiter, addressBlock, assessment);
  // Spam is reported in one email a day.
  const isMailed = outboxWorker !== undefined && !isSpam;
  const isNew = await contact.add(message, {
    folder: isSpam ? 'spam' : 'inbox',
    suspicions: signs,
    email: isMailed && !isSummarized ? emailOf(message) : undefined,
    isForSummary: isMailed && isSummarized,
    event: webhooks && !isSpam ? eventOf(message) : undefined,
    idempotencyKey:
      idempotencyKey === undefined ? undefined : idempotentId(idempotencyKey, message),
  });
  if (isMailed) outboxWorker?.wake();
  if (!isSpam) webhooks?.wake();
  return isNew;
}

/** The event about a message, with what the email to the owner says. */
const eventOf = ({ receivedAt, ...data }: ContactMessage): WebhookEvent => ({
  id: `message-received-${data.id}`,
  at: receivedAt,
  type: 'message.received',
  data,
});

/**
 * Returns a version 7 UUID (RFC 9562). It starts with the timestamp, so that concurrent inserts write
 * to the same index page; random UUIDs would each write to a different one.
 *
 * @param at milliseconds since 1970, UTC
 */
export function messageId(at: number): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/**
 * Returns the id that deduplicates a submission: the client's key and a hash of the fields that are filled in. A
 * retry with changed text is stored as another message, since a duplicate is better than a lost message.
 */
export function idempotentId(key: string, fields: FormFields): string {
  const filled = fieldNames.filter((name) => fields[name] !== null);
  const text = JSON.stringify(filled.map((name) => [name, fields[name]]));
  return `${key} ${createHash('sha256').update(text).digest('base64url')}`;
}

/**
 * When the page was loaded, by the visitor's clock: the timestamp of a key that is a version 7 UUID.
 * Milliseconds since 1970, UTC; undefined for any other key.
 */
function loadedAt(key: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/.exec(key) ?? [];
  return high && low ? Number.parseInt(high + low, 16) : undefined;
}

/** Bytes per day from an address block, and from its IPv6 network of many blocks. */
const bytesQuota = { max: 2_000_000, windowMs: dayMs };

/** Returns the estimated bytes of a message on disk. */
const bytesOf = (fields: FormFields) =>
  rowOverhead + Buffer.byteLength(fieldNames.map((name) => fields[name] ?? '').join(''));

/**
 * Counts bytes against the daily quota of the sender's network. Throws `TEXT_LIMIT_REACHED` beyond it.
 * Returns the function that releases them if the message is not stored.
 */
export async function consumeBytes(
  limiter: RateLimiter,
  addressBlock: string,
  bytes: number,
): Promise<() => Promise<void>> {
  const consumed: string[] = [];
  const release = async () => {
    await Promise.all(consumed.map((key) => limiter.release(key, bytes)));
  };
  // The larger network first, so that its rejection creates no counts for its blocks.
  for (const network of new Set([networkOf(addressBlock), addressBlock])) {
    const key = `contact bytes ${network}`;
    const wait = await limiter.consume(key, bytesQuota, bytes);
    consumed.push(key);
    if (wait === 0) continue;
    await release();
    throw new ApiError('TEXT_LIMIT_REACHED', { wait });
  }
  return release;
}

const siteQuota = { max: floodAfter, windowMs: hourMs };
/** In a flood, only the first message of a network that day is emailed alone. */
const firstQuota = { max: 1, windowMs: dayMs };
/** Limits emails per hour, so that a flood from many networks cannot exhaust the quota of the mail server. */
const clearQuota = { max: 60, windowMs: hourMs };
const doubtfulQuota = { max: 20, windowMs: hourMs };

/** Counts a message; returns whether it is emailed in the hourly summary of a flood instead of alone. */
export async function isForSummary(
  limiter: RateLimiter,
  addressBlock: string,
  { isSpam, signs }: Assessment,
): Promise<boolean> {
  const isWithin = async (key: string, quota: Quota) =>
    (await limiter.consume(`contact ${key}`, quota)) === 0;
  const isFirst = await isWithin(`first ${networkOf(addressBlock)}`, firstQuota);
  if (isSpam || (await isWithin('site', siteQuota))) return false;
  if (!isFirst) return true;
  return signs.length === 0
    ? !(await isWithin('alone, clear', clearQuota))
    : !(await isWithin('alone, doubtful', doubtfulQuota));
}

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

/** Messages from one address beyond what one person writes, and beyond what an office writes. */
const burstQuota = { max: 5, windowMs: hourMs };
const floodQuota = { max: 10, windowMs: hourMs };

async function spamContext(
  { messageLimiter }: ContactServices,
  { addressBlock, idempotencyKey }: Sender,
  { message, honeypot }: { message: ContactMessage; honeypot: unknown },
): Promise<SpamContext> {
  const isOver = async (name: string, quota: Quota) =>
    (await messageLimiter.consume(`contact ${name} ${addressBlock}`, quota)) > 0;
  const [isBurst, isFlood] = await Promise.all([
    isOver('burst', burstQuota),
    isOver('flood', floodQuota),
  ]);
  const startedAt = idempotencyKey === undefined ? undefined : loadedAt(idempotencyKey);
  return {
    honeypot: typeof honeypot === 'string' ? honeypot : undefined,
    elapsedMs: startedAt === undefined ? undefined : message.receivedAt - startedAt,
    isBurst,
    isFlood,
  };
}

export interface Assessment {
  isSpam: boolean;
  /** The signs of spam. A message in the inbox may have one. */
  signs: readonly SpamSign[];
}

/** The sum of weights that makes a message spam. */
const threshold = 4;

/** Smallest weight that is reported for a genuine message: clients also send links and mention SEO. */
const minSignWeight = 2;

/** Shortest time in ms in which a person can read the form and fill in three fields. */
const minElapsedMs = 3000;

/** Assesses a message. In doubt it is genuine, since a lost lead costs more than spam in the inbox. */
export function assess(
  fields: FormFields,
  { honeypot, elapsedMs, isBurst, isFlood }: SpamContext,
): Assessment {
  const message = plainFields(fields);
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

function wordsWeight(message: FormFields): number {
  // Programs fill in the address where they find no other use of a field.
  if (message.message.trim().toLowerCase() === message.email.toLowerCase()) return threshold;
  const score = spamScore(message);
  return score >= spamThreshold ? threshold : score >= signScore ? 2 : 0;
}

/** A word with an uppercase letter after a lowercase one, twice, as in `qwSDkfJ`. */
const randomName = /\p{Ll}\p{Lu}\S*\p{Ll}\p{Lu}/u;

const senderWeight = ({ name, email }: FormFields) =>
  /^no[-._]?reply/i.test(email) || randomName.test(name) ? 2 : 0;

const link = /(?:https?:\/\/|\bwww\.)[^\s<>"'\])]*/gi;

/**
 * A link without a scheme. The ending of a host is in lower case, unlike the name in `Li.Na`. It starts with a word:
 * otherwise the time to read a long name would grow with the square of its length.
 */
const bareLink = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{2,}\.\p{Ll}{2,}(?![\p{L}\p{N}])(\/\S*)?/gu;

/** Words of a name that says more than who somebody is. */
const longName = 4;

/** A name may say where somebody is from, such as `Maria from mariascakes.com`. Neither alone makes it spam. */
function nameWeight(name: string, domain: string | undefined): number {
  if ((name.match(link) ?? []).length > 0) return threshold;
  const bare = (name.match(bareLink) ?? []).filter((one) => !isOwnLink(one, domain));
  if (bare.length === 0) return 0;
  const isPitch = bare.some((one) => one.includes('/')) || name.split(/\s+/).length >= longName;
  return isPitch ? threshold : 3;
}

/** Fewer characters beside a link do not explain what the sender wants. */
const shortText = 30;

/** Links to the sender's own domain have no weight alone, and a small one in a sales pitch. */
function linksWeight(fields: FormFields, words: number): number {
  const { name, email, message } = fields;
  const domain = domainOf(email);
  const linksIn = (text: string) => text.match(link) ?? [];
  const foreignIn = (text: string) => linksIn(text).filter((one) => !isOwnLink(one, domain)).length;
  const ofName = nameWeight(name, domain);
  if (ofName >= threshold || optionalTexts(fields).some((text) => foreignIn(text) > 0))
    return threshold;
  if (/\[url\b|\[link\b/i.test(message)) return threshold;
  return Math.max(ofName, messageLinksWeight(message, { foreign: foreignIn(message), words }));
}

function messageLinksWeight(
  message: string,
  { foreign, words }: { foreign: number; words: number },
): number {
  if (foreign >= 10) return threshold;
  const besideLinks = message.replace(link, '').replace(/\s+/g, '').length;
  if (foreign > 0 && besideLinks === 0) return foreign >= 3 ? threshold : 3;
  if (foreign > 0 && /<a\s/i.test(message)) return 3;
  if (foreign >= 3 || (foreign > 0 && besideLinks < shortText)) return 2;
  return foreign > 0 || (words >= 2 && message.search(link) >= 0) ? 1 : 0;
}
