import type { AnalyticsStore, ExclusionReason } from '../analytics/store.ts';
import type { CountVisitor } from '../analytics/visitor-cap.ts';
import type { LoginThrottle } from '../auth/login-throttle.ts';
import type { Passwords } from '../auth/password.ts';
import type { SignInProof } from '../auth/sessions.ts';
import type { SignInClient, SignInLog } from '../auth/sign-in-log.ts';
import type { SpamQuota } from '../contact/spam-quota.ts';
import type { ContactStore } from '../contact/store.ts';
import type { OutboxWorker } from '../email/outbox-worker.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import type { StripeReport } from '../stripe/sync.ts';

/** What every procedure may touch, the same for the life of the process. */
export interface Services {
  contact: ContactStore;
  spamQuota: SpamQuota;
  analytics: AnalyticsStore;
  passwords: Passwords;
  loginThrottle: LoginThrottle;
  signInLog: SignInLog;
  limiter: RateLimiter;
  /** Counts contact messages and their bytes. */
  messageLimiter: RateLimiter;
  /** The secret of a UTC day in hex digits, by its number since 1970. */
  salts: (day: number) => Promise<string>;
  /** Counts what a visitor did, up to so many visitors of one network a day. */
  countVisitor: CountVisitor;
  /** Counts one more that is not counted, and why. */
  exclude: (reason: ExclusionReason) => void;
  /** Hosts that visitors come back from: calendars, the checkout, the site's own. */
  ignoredReferrers: readonly string[];
  /** Milliseconds since 1970, UTC. */
  now: () => number;
  /** What the owner must know of at once, in sentences. */
  ownerAlerts: () => Promise<string | null>;
  /** Carries letters to the owner; undefined while there is no mail server. */
  outboxWorker: Pick<OutboxWorker, 'wake'> | undefined;
  /** What Stripe says of the same sales; undefined when it is not connected. */
  stripe: () => Promise<StripeReport | undefined>;
  /** Bearer key of other checkouts; without one that call does not exist. */
  conversionKey: string | undefined;
}

/** What a procedure may know of the request: facts, no headers. */
export interface RequestInfo {
  /** The visitor's address, or its /64 network when IPv6: one household, one key. */
  addressBlock: string;
  host: string;
  userAgent: string;
  /** Another site's page sent it. */
  isForeign: boolean;
  /** It says where it comes from, as every browser does of what a page sends. */
  isFromBrowser: boolean;
  /** Address of the page that led to it, or ''. */
  referrer: string;
  /** Somebody goes to this address, as far as the browser tells: no picture, frame or script asks. */
  isNavigation: boolean;
  /** The browser is fetching ahead; nobody is looking yet. */
  isPrefetch: boolean;
  /** The visitor asked not to be counted (Global Privacy Control). */
  wantsPrivacy: boolean;
  /** Token of `Authorization: Bearer …`. */
  bearer: string | undefined;
  /** What `Idempotency-Key` names the request by: the same name again is the same request. */
  idempotencyKey: string | undefined;
}

/** The admin's session as a procedure sees it. */
export interface Session {
  isAdmin(): Promise<boolean>;
  /** Who this browser is since it signed in once; undefined when it never did. */
  device(): Promise<string | undefined>;
  /**
   * Signs this browser in under a new id, and makes it known; an id it had before is dead. False, and
   * nothing changed, when the proof does not hold (any more).
   */
  signIn(proof: SignInProof, client: SignInClient): Promise<boolean>;
  /** Ends the session on the server and in the browser. */
  signOut(): Promise<void>;
}

export interface Context extends Services {
  request: RequestInfo;
  session: Session;
}
