/**
 * Logs sign-ins and refused attempts, and stores the counts of refused attempts, which the owner can
 * list. A flood costs one write a second and a bounded number of rows and log lines an hour.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { AuthStore, SignInAttempts, SignInMethod, SignInResult } from './store.ts';

/** Milliseconds between two writes. A crash loses the counts since the last one. */
const writeEvery = 1000;

/** Milliseconds between two writes while writes fail. */
const retryEvery = 10_000;

/** Milliseconds that the last write may take when the process stops. */
const stopTimeout = 1000;

/** Most kinds of unchecked attempts that are logged and listed one by one in an hour. Others are summed. */
const mostKinds = 200;

const hour = 60 * 60_000;

/** The client that tries to sign in. */
export interface Applicant {
  /** An IPv4 address, or the /64 network of an IPv6 one. */
  addressBlock: string;
  /** Its name, such as 'Firefox on Linux'. */
  browser: string;
  /** It has signed in before. */
  isKnown: boolean;
}

export interface SignInLog {
  /** Logs a sign-in. Its count is stored together with its session. */
  accepted(applicant: Applicant, method: SignInMethod): void;
  /** Counts a refused attempt. Logs each wrong password, and the first attempt of each other kind in an hour. */
  refused(
    applicant: Applicant,
    method: SignInMethod,
    result: Exclude<SignInResult, 'accepted'>,
  ): void;
  /** Writes the remaining counts. Gives up after a second. */
  stop(): Promise<void>;
}

export function createSignInLog({
  store,
  now,
  log,
}: {
  store: Pick<AuthStore, 'addAttempts'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}): SignInLog {
  let waiting = new Map<string, SignInAttempts>();
  let kinds = new Set<string>();
  let kindsSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isStopped = false;

  const add = (attempts: SignInAttempts) => {
    const { method, result, address, browser, n, lastAt } = attempts;
    const key = [Math.floor(lastAt / hour), method, result, address, browser].join(' ');
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
      if (!isFailing) log.error({ error }, 'refused sign-ins could not be stored; trying again');
      isFailing = true;
      for (const attempts of writing) add(attempts);
    }
  };
  /** Whether a kind of attempt is new in this hour, repeated, or beyond the kinds that are listed. */
  const orderOf = (kind: string, at: number): 'first' | 'again' | 'beyond' => {
    if (at < kindsSince || at - kindsSince >= hour) {
      kinds = new Set();
      kindsSince = at;
    }
    if (kinds.has(kind)) return 'again';
    if (kinds.size >= mostKinds) return 'beyond';
    kinds.add(kind);
    return 'first';
  };

  return {
    accepted({ addressBlock, browser, isKnown }, method) {
      log.info({ method, address: addressBlock, browser, known: isKnown }, 'sign-in accepted');
    },
    refused({ addressBlock, browser, isKnown }, method, result) {
      const lastAt = now();
      // The throttle bounds wrong passwords. It does not bound the attempts that it refuses.
      const isBounded = method === 'password' && result === 'wrong';
      const kind = [method, result, addressBlock, browser].join(' ');
      const order = isBounded ? 'first' : orderOf(kind, lastAt);
      const who =
        order === 'beyond'
          ? { address: 'other addresses', browser: '' }
          : { address: addressBlock, browser };
      add({ method, result, ...who, n: 1, lastAt });
      if (order !== 'first') return;
      log.warn({ method, reason: result, ...who, known: isKnown }, 'sign-in refused');
    },
    async stop() {
      isStopped = true;
      await Promise.race([write(), pause(stopTimeout, undefined, { ref: false })]);
    },
  };
}
