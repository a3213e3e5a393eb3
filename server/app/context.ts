import type { RecordServices } from '../analytics/record.ts';
import type { AnalyticsStore } from '../analytics/store.ts';
import type { LoginThrottle } from '../auth/login-throttle.ts';
import type { Passwords } from '../auth/password.ts';
import type { SignInProof } from '../auth/sessions.ts';
import type { Setup } from '../auth/setup.ts';
import type { SignInClient, SignInLog } from '../auth/sign-in-log.ts';
import type { AdminSession, AuthStore } from '../auth/store.ts';
import type { BookingServices } from '../booking/booking.ts';
import type { ConnectionServices } from '../connections/services.ts';
import type { ContactServices } from '../contact/submission.ts';
import type { ContentServices } from '../content/services.ts';
import type { OwnerAct } from '../database/owner-log.ts';
import type { ReportedAct } from '../email/owner-notice.ts';
import type { ApiKeys } from '../keys/api-keys.ts';
import type { PeopleServices } from '../people/services.ts';
import type { RateLimiter } from '../rate-limit/limiter.ts';
import type { SaleStore } from '../sales/store.ts';
import type { StripeReport } from '../sales/stripe/sync.ts';
import type { SettingsServices } from '../settings/services.ts';

/** The services of all procedures, the same for the lifetime of the process. */
export interface Services
  extends ContactServices,
    BookingServices,
    RecordServices,
    ConnectionServices,
    PeopleServices,
    SettingsServices {
  content: ContentServices;
  analytics: AnalyticsStore;
  sales: SaleStore;
  passwords: Passwords;
  /** The name of the owner's brand. */
  brandName: string;
  /** Whether ADMIN_PASSWORD sets the password at each start. */
  isPasswordFixed: boolean;
  loginThrottle: LoginThrottle;
  setup: Setup;
  signInLog: SignInLog;
  /** The entries of the owner's log; see the store. */
  ownerLog: AuthStore['entries'];
  limiter: RateLimiter;
  /** The current owner alerts, as sentences; null when there are none. */
  ownerAlerts: () => Promise<string | null>;
  /** Whether the data are made up by the command `demo`. */
  isDemo: () => Promise<boolean>;
  /** Whether webhooks count the calls of all embedded calendars, instead of the reports of pages. */
  hasCallWebhooks: boolean;
  /** The comparison with Stripe's payments; undefined when Stripe is not connected. */
  stripe: () => Promise<StripeReport | undefined>;
  apiKeys: ApiKeys;
}

/** What procedures see of the request, instead of its headers. */
export interface RequestInfo {
  /** The visitor's IPv4 address, or the /64 network of an IPv6 address: one key per household. */
  addressBlock: string;
  host: string;
  userAgent: string;
  /** Whether another site's page sent the request (CSRF). */
  isForeign: boolean;
  /** Whether it has `Sec-Fetch-Site` or `Origin`, which browsers add to requests of pages. */
  isFromBrowser: boolean;
  /** The `Referer`, or ''. */
  referrer: string;
  /** Whether it is a top-level navigation, not the request of an image, frame or script. */
  isNavigation: boolean;
  /** Whether the browser prefetches or prerenders. */
  isPrefetch: boolean;
  /** The visitor asked not to be counted (Global Privacy Control). */
  wantsPrivacy: boolean;
  /** What follows `Authorization: Bearer`; undefined without this header. */
  bearer: string | undefined;
  /** The `Idempotency-Key`: a retry of the same request sends the same key. */
  idempotencyKey: string | undefined;
}

/** The admin's session. A request with `Authorization: Bearer` has none, whatever its cookies. */
export interface Session {
  isAdmin(): Promise<boolean>;
  /** Whether the admin has signed in or typed the password within ten minutes. */
  isConfirmed(): Promise<boolean>;
  /** The id of this known device; undefined when this browser has never signed in. */
  device(): Promise<string | undefined>;
  /**
   * Starts a new session in place of any old one, and makes this browser a known device. Returns false,
   * and changes nothing, when the proof is invalid or expired.
   */
  signIn(proof: SignInProof, client: SignInClient): Promise<boolean>;
  /** Stores that the password was typed now, and logs it. Returns false when the session has ended. */
  confirm(act: OwnerAct): Promise<boolean>;
  /** Ends the session on the server and in the browser. */
  signOut(): Promise<void>;
  /** The browsers that are signed in, the most recently seen first. */
  all(): Promise<(AdminSession & { isThis: boolean })[]>;
  /** Ends the session of this hash, of any browser. */
  end(idHash: string): Promise<void>;
  /** Ends every other session, and only this browser stays a known device. */
  endOthers(): Promise<void>;
}

export interface Context extends Services {
  request: RequestInfo;
  session: Session;
  /** An act of this request, at this time, with the notice about it where the owner must hear of it. */
  act(act: OwnerAct['act'], detail?: string): ReportedAct;
}
