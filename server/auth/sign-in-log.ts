/**
 * Logs sign-ins and refused attempts, and stores counts of refused attempts, which the owner can
 * list. Bounded under a flood: one write per second, and a maximum of rows and log lines per hour.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { hourMs } from '../time/units.ts';
import type { AuthStore, SignInAttempts, SignInMethod, SignInResult } from './store.ts';

/** Milliseconds between two writes. A crash loses the counts since the last one. */
const writeEvery = 1000;

/** Milliseconds between two writes while writes fail. */
const retryEvery = 10_000;

/** Timeout of the last write when the process stops, in ms. */
const stopTimeoutMs = 1000;

/** Maximum kinds of unchecked attempts that are logged and listed separately in an hour. */
const maxKinds = 200;

/** The client of a sign-in attempt. */
export interface SignInClient {
  /** An IPv4 address, or the /64 network of an IPv6 one. */
  addressBlock: string;
  /** Name from `browserName`, such as 'Firefox on Linux'. */
  browser: string;
  /** It has signed in before. */
  isKnown: boolean;
}

export type SignInLog = ReturnType<typeof createSignInLog>;

/** Creates the log of sign-in attempts. */
export function createSignInLog({
  store,
  now,
  log,
}: {
  store: Pick<AuthStore, 'addAttempts'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) {
  let waiting = new Map<string, SignInAttempts>();
  let kinds = new Set<string>();
  let kindsSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isStopped = false;

  const add = (attempts: SignInAttempts) => {
    const { method, result, address, browser, n, lastAt } = attempts;
    const key = [Math.floor(lastAt / hourMs), method, result, address, browser].join(' ');
    const known = waiting.get(key);
    waiting.set(
      key,
      known ? { ...known, n: known.n + n, lastAt: Math.max(known.lastAt, lastAt) } : attempts,
    );
    if (!isStopped) timer ??= setTimeout(write, isFailing ? retryEvery : writeEvery).unref();
  };
  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const writing = [...waiting.values()];
    waiting = new Map();
    try {
      await store.addAttempts(writing);
      isFailing = false;
    } catch (error) {
      if (!isFailing) {
        log.error({ error }, 'sign-in log: could not store refused sign-ins; will retry');
      }
      isFailing = true;
      for (const attempts of writing) add(attempts);
    }
  };
  /** Whether a kind of attempt is new in this hour, repeated, or beyond `maxKinds`. */
  const orderOf = (kind: string, at: number): 'first' | 'again' | 'beyond' => {
    if (at < kindsSince || at - kindsSince >= hourMs) {
      kinds = new Set();
      kindsSince = at;
    }
    if (kinds.has(kind)) return 'again';
    if (kinds.size >= maxKinds) return 'beyond';
    kinds.add(kind);
    return 'first';
  };

  return {
    /** Logs a sign-in. `Sessions.start` stores its count in the transaction of the session. */
    accepted({ addressBlock, browser, isKnown }: SignInClient, method: SignInMethod): void {
      log.info({ method, address: addressBlock, browser, known: isKnown }, 'sign-in accepted');
    },
    /** Counts a refused attempt. Logs each wrong password, and the first attempt of each other kind in an hour. */
    refused(
      { addressBlock, browser, isKnown }: SignInClient,
      method: SignInMethod,
      result: Exclude<SignInResult, 'accepted'>,
    ): void {
      const lastAt = now();
      // The throttle limits the number of wrong passwords, but not of the attempts that it refuses.
      const isBounded = method === 'password' && result === 'wrong';
      const kind = [method, result, addressBlock, browser].join(' ');
      const order = isBounded ? 'first' : orderOf(kind, lastAt);
      const source =
        order === 'beyond'
          ? { address: 'other addresses', browser: '' }
          : { address: addressBlock, browser };
      add({ method, result, ...source, n: 1, lastAt });
      if (order !== 'first') return;
      log.warn({ method, reason: result, ...source, known: isKnown }, 'sign-in refused');
    },
    /** Logs that the owner created the API key of this id. */
    keyCreated(id: string): void {
      log.info({ key: id }, 'API key created');
    },
    /** Logs that the owner revoked the API key of this id. */
    keyRevoked(id: string): void {
      log.info({ key: id }, 'API key revoked');
    },
    /** Stores the remaining counts. Times out after a second. */
    async stop() {
      isStopped = true;
      await Promise.race([write(), sleep(stopTimeoutMs, undefined, { ref: false })]);
    },
  };
}
