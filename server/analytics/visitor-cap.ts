/** Limits how many visitors of one network count in a day, since a client can make up browser names. */
import { createLocalLimiter, type RateLimiter } from '../rate-limit/limiter.ts';
import { networkOf } from '../rate-limit/network.ts';
import type { ActivityEvent, AnalyticsStore } from './store.ts';
import { dayOf } from './visitors.ts';

/** Most visitors of one address block that count in a UTC day. An office behind one address has fewer. */
const maxOfBlock = 100;
/** Most visitors of one IPv6 /48 network, since one customer may hold all of its 65,536 blocks. */
const maxOfNetwork = 1000;

const windowMs = 24 * 60 * 60_000;

/** Most visitors in each of the two maps in memory. */
const capacity = 10_000;

/**
 * Counts an event of a visitor. Returns false and counts nothing when the visitor is new today and the
 * address block has reached its limit.
 */
export type CountVisitor = (event: ActivityEvent, addressBlock: string) => Promise<boolean>;

export function createVisitorCap({
  store,
  shared,
  now,
}: {
  store: Pick<AnalyticsStore, 'addEvent' | 'isCounted'>;
  /** Adds up the visitors of all instances; undefined when there is one instance. */
  shared: RateLimiter | undefined;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
}): CountVisitor {
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
  const refund = (quotas: Quota[]) => {
    for (const { key } of quotas) own.refund(key);
  };
  const isFull = (quotas: Quota[]) => {
    const full = quotas.filter(({ key, max }) => own.consume(key, { max, windowMs }) > 0);
    if (full.length === 0) return false;
    refund(quotas);
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
      refund(quotas);
      throw error;
    });
    // The visitor is stored already, so a failure to report it to other instances is ignored.
    if (isNew && shared) await reportTo(shared, quotas).catch(() => {});
    return true;
  };
  const reportTo = async (limiter: RateLimiter, quotas: Quota[]) => {
    for (const { key, max } of quotas) {
      // One less, so that the result says whether the next visitor is still allowed.
      const wait = await limiter.consume(key, { max: max - 1, windowMs });
      if (wait > 0) own.set(key, { used: max + 1, endsAt: now() + wait });
    }
  };

  return async (event, addressBlock) => {
    const { visitor } = event;
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
