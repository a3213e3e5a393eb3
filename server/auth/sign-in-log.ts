/**
 * Logs sign-ins, refused attempts and acts of the owner, and stores counts of refused attempts, which the owner can
 * list. Bounded under a flood: one write per second, and a maximum of rows and log lines per hour.
 */
import { formatNumber } from '../contract/numbers.ts';
import type { ReportedAct } from '../email/owner-notice.ts';
import type { Log } from '../log.ts';
import { hourMs } from '../time/units.ts';
import { createWriteBuffer } from '../write-buffer.ts';
import type { AuthStore, SignInAttempts, SignInMethod, SignInResult } from './store.ts';

/** Maximum kinds of unchecked attempts that are logged and listed separately in an hour. */
const maxKinds = 200;

const words = {
  accepted: {
    password: 'signed in with the password',
    link: 'signed in with a link',
    code: 'set up the site',
  },
  wrong: { password: 'wrong password', link: 'link that is not valid', code: 'wrong set-up code' },
  throttled: {
    password: 'too many attempts',
    link: 'too many attempts with links',
    code: 'too many set-up codes',
  },
} as const satisfies Record<SignInResult, Record<SignInMethod, string>>;

/** What the attempts of one kind were: `wrong password, 3 times`. */
export const attemptsInWords = ({
  method,
  result,
  n,
}: Pick<SignInAttempts, 'method' | 'result' | 'n'>): string =>
  words[result][method] + (n > 1 ? `, ${formatNumber(n)} times` : '');

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
  store: Pick<AuthStore, 'addAttempts' | 'logAct'>;
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  log: Log;
}) {
  const buffer = createWriteBuffer<SignInAttempts>({
    keyOf: ({ method, result, address, browser, lastAt }) =>
      [Math.floor(lastAt / hourMs), method, result, address, browser].join(' '),
    merge: (attempts, later) => ({
      ...attempts,
      n: attempts.n + later.n,
      lastAt: Math.max(attempts.lastAt, later.lastAt),
    }),
    write: (attempts) => store.addAttempts(attempts),
    log,
    failure: 'sign-in log: could not store refused sign-ins; will retry',
  });
  let kinds = new Set<string>();
  let kindsSince = 0;

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
      buffer.add({ method, result, ...source, n: 1, lastAt });
      if (order !== 'first') return;
      log.warn({ method, reason: result, ...source, known: isKnown }, 'sign-in refused');
    },
    /** Logs that the owner typed the password again. */
    confirmed({ addressBlock, browser }: SignInClient): void {
      log.info({ address: addressBlock, browser }, 'password confirmed');
    },
    /** Logs that the owner created the API key of this id. */
    keyCreated(id: string): void {
      log.info({ key: id }, 'API key created');
    },
    /** Logs that the owner revoked the API key of this id. */
    keyRevoked(id: string): void {
      log.info({ key: id }, 'API key revoked');
    },
    /** Logs a download. It goes on when the log cannot be stored: files rescue data from a full disk. */
    async downloaded(act: ReportedAct): Promise<void> {
      const { browser, detail } = act;
      log.info({ browser, file: detail }, 'file downloaded');
      await store.logAct(act).catch((error: unknown) => {
        log.error({ error }, 'owner’s log: could not store a download');
      });
    },
    stop: buffer.stop,
  };
}
