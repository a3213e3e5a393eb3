/**
 * Notices that the site counts the address of a proxy instead of its visitors': they then share rate limits, and
 * genuine messages of several look like spam of one.
 */
import type { Log } from '../log.ts';
import { dayMs } from '../time/units.ts';

/** Senders at one address from which it may be a proxy's: one person has fewer browsers. */
const minSenders = 10;

/** Part of all senders of the day at this address: an office on a site that others visit, too, is below. */
const minShare = 0.9;

/** Most senders of a day that are compared, to bound memory. */
const maxSenders = 1000;

export interface ProxySample {
  /** The address that the site counts, or one name for all addresses of a known proxy. */
  address: string;
  /** What distinguishes people behind that address: their browser, and the address that headers claim. */
  sender: string;
}

export type ProxyMonitor = ReturnType<typeof createProxyMonitor>;

/** @param now returns milliseconds since 1970, UTC */
export function createProxyMonitor({ now, log }: { now: () => number; log: Log }) {
  let senders = new Map<string, Set<string>>();
  let count = 0;
  let endsAt = 0;
  let isShared = false;
  /** Whether the last finding is of today. */
  let isOfToday = false;

  return {
    /** Counts a request of a visitor. */
    record({ address, sender }: ProxySample): void {
      const at = now();
      // A day that ends too late was begun before the clock was set back.
      if (at >= endsAt || endsAt - at > dayMs) {
        senders = new Map();
        count = 0;
        // A finding lasts a day longer, in case that day is quiet.
        isShared &&= isOfToday;
        isOfToday = false;
        endsAt = at + dayMs;
      }
      const known = senders.get(address);
      if (count >= maxSenders || known?.has(sender)) return;
      if (known) known.add(sender);
      else senders.set(address, new Set([sender]));
      count += 1;
      if (count < minSenders) return;
      const most = Math.max(...[...senders.values()].map(({ size }) => size));
      const wasShared = isShared;
      isShared = most >= minSenders && most >= minShare * count;
      isOfToday = true;
      if (isShared && !wasShared) {
        log.warn('nearly all visitors share one network address: check TRUST_PROXY');
      }
    },
    /** The owner alert; undefined when there is none. */
    alert: () => (isShared && now() - endsAt < dayMs ? sentence : undefined),
  };
}

const sentence =
  'Nearly all visitors seem to have the same network address, so messages of different people can land in spam. ' +
  'Sign in again and run: npm run admin -- sessions. Unless its newest line shows your own address, ' +
  'set TRUST_PROXY as docs/deploy.md says.';
