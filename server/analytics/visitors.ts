/**
 * Counts visitors of one UTC day anonymously, without cookies or stored personal data.
 *
 * The visitor's key is a hash of a daily salt, address block, user agent and host; once the salt is deleted,
 * the key cannot be recomputed. A visit across midnight UTC counts on both days: the metric is daily visitors.
 */
import { hash, randomBytes } from 'node:crypto';
import { createLocalLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import { dayMs } from '../time/units.ts';
import type { ActivityEvent } from './model.ts';
import type { AnalyticsStore } from './store.ts';
import { dayOf } from './time-window.ts';

/** Most visitors of one address block that count in a UTC day. An office behind one address has fewer. */
const maxOfBlock = 100;
/** Most visitors of one IPv6 /48 network, since one customer may hold all of its 65,536 blocks. */
const maxOfNetwork = 1000;

const quotaWindowMs = dayMs;

/** Most visitors in each of the two maps in memory. */
const capacity = 10_000;

/** What a request says about its visitor. */
export interface Visitor {
  addressBlock: string;
  userAgent: string;
  host: string;
}

/**
 * Counts an event of a visitor. Returns false and counts nothing when the visitor is new today and the
 * address block has reached its limit: a client can make up browser names.
 */
export type CountVisitor = (
  event: Omit<ActivityEvent, 'visitor'>,
  visitor: Visitor,
) => Promise<boolean>;

/** Creates the function that counts visitors, with the salts and the visitors of today in memory. */
export function createVisitors({
  store,
  shared,
  now,
}: {
  store: Pick<AnalyticsStore, 'addEvent' | 'isCounted' | 'salt'>;
  /** Adds up the visitors of all instances; undefined when there is one instance. */
  shared: RateLimiter | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}): CountVisitor {
  const saltOf = createSalts(store);
  const own = createLocalLimiter(now);
  /** Visitors that this process has counted today or is counting now. They need no check. */
  let recent = new Map<string, true | Promise<boolean>>();
  let older = new Map<string, true | Promise<boolean>>();

  const addKnown = (visitor: string, counted: true | Promise<boolean>) => {
    if (recent.size >= capacity) [recent, older] = [new Map(), recent];
    recent.set(visitor, counted);
  };
  const removeKnown = (visitor: string) => {
    recent.delete(visitor);
    older.delete(visitor);
  };
  const release = (quotas: Quota[]) => {
    for (const { key } of quotas) own.release(key);
  };
  const isFull = (quotas: Quota[]) => {
    const full = quotas.filter(
      ({ key, max }) => own.consume(key, { max, windowMs: quotaWindowMs }) > 0,
    );
    if (full.length === 0) return false;
    release(quotas);
    return true;
  };
  /** Counts a visitor who is new to this process. */
  const countNew = async (event: ActivityEvent, quotas: Quota[]): Promise<boolean> => {
    if (isFull(quotas)) {
      if (!(await store.isCounted(event.visitor, event.at))) return false;
      await store.addEvent(event);
      return true;
    }
    const isNew = await store.addEvent(event).catch((error: unknown) => {
      release(quotas);
      throw error;
    });
    // The visitor is stored already, so a failure to report it to other instances is ignored.
    if (isNew && shared) await reportTo(shared, quotas).catch(() => {});
    return true;
  };
  const reportTo = async (limiter: RateLimiter, quotas: Quota[]) => {
    for (const { key, max } of quotas) {
      // One less, so that the result says whether the next visitor is still allowed.
      const wait = await limiter.consume(key, { max: max - 1, windowMs: quotaWindowMs });
      if (wait > 0) own.set(key, { used: max + 1, endsAt: now() + wait });
    }
  };

  return async (counted, { addressBlock, userAgent, host }) => {
    const salt = await saltOf(dayOf(counted.at));
    // A fixed-length salt and a truncated digest prevent length extension without HMAC, and one call to
    // the crypto library is faster.
    const visitor = hash('sha256', `${salt}\n${addressBlock}\n${userAgent}\n${host}`).slice(0, 32);
    const event = { ...counted, visitor };
    const known = recent.get(visitor) ?? older.get(visitor);
    if (known !== undefined) {
      if (!(await known)) return false;
      await store.addEvent(event);
      return true;
    }
    const counting = countNew(event, quotasOf(addressBlock, event.at));
    addKnown(visitor, counting);
    try {
      const isCounted = await counting;
      if (isCounted) addKnown(visitor, true);
      else removeKnown(visitor);
      return isCounted;
    } catch (error) {
      removeKnown(visitor);
      throw error;
    }
  };
}

interface Quota {
  key: string;
  max: number;
}

/** The quotas that a visitor of this block uses on the UTC day of `at`. */
function quotasOf(addressBlock: string, at: number): Quota[] {
  const day = dayOf(at);
  const block = { key: `${day} ${addressBlock}`, max: maxOfBlock };
  const network = networkOf(addressBlock);
  if (network === addressBlock) return [block];
  return [block, { key: `${day} ${network}`, max: maxOfNetwork }];
}

/** Returns a function that reads the salt of a UTC day in hex digits, cached for the day. */
function createSalts(store: Pick<AnalyticsStore, 'salt'>): (day: number) => Promise<string> {
  let current: { day: number; salt: Promise<string> } | undefined;
  return (day) => {
    if (current?.day === day) return current.salt;
    const salt = store.salt(day, randomBytes(32)).then((bytes) => bytes.toString('hex'));
    current = { day, salt };
    salt.catch(() => {
      if (current?.salt === salt) current = undefined;
    });
    return salt;
  };
}
