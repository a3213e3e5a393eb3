import type { OutboxEmail } from '../email/email.ts';

/** A session of a signed-in browser. Times are milliseconds since 1970, UTC. */
export interface AdminSession {
  /** SHA-256 of the id in the cookie, so that a stolen table contains no usable session. */
  idHash: string;
  createdAt: number;
  seenAt: number;
  /** Name from `browserName`, such as 'Firefox on Linux'. */
  browser: string;
}

export type SignInMethod = 'password' | 'link';

/** `wrong`: the password or the link was wrong. `throttled`: it was not checked. */
export type SignInResult = 'accepted' | 'wrong' | 'throttled';

/** The number of attempts in one hour with the same method, result, address and browser. */
export interface SignInAttempts {
  method: SignInMethod;
  result: SignInResult;
  /** An IPv4 address, or the /64 network of an IPv6 one. */
  address: string;
  /** As in `AdminSession`. */
  browser: string;
  n: number;
  /** Time of the last attempt, milliseconds since 1970, UTC. */
  lastAt: number;
}

/** Stored together with a new session. */
export interface SignInRecord {
  attempt?: SignInAttempts;
  /** The earlier session of this browser, which ends. */
  replaces?: string | undefined;
  /** The email to the owner about the sign-in. */
  email?: OutboxEmail | undefined;
}

export interface AuthStore {
  /** Hash of the admin's password; undefined while none is set. */
  passwordHash(): Promise<string | undefined>;
  /** Sets the password, ends every session and invalidates every known-device token. */
  setPasswordHash(hash: string, at: number): Promise<void>;
  /**
   * Does the same if the stored hash is still `current` (undefined: none). Returns false and changes
   * nothing when another hash was set meanwhile.
   */
  replacePasswordHash(current: string | undefined, hash: string, at: number): Promise<boolean>;
  /**
   * Starts a session for a password that matched `passwordHash`, and deletes sessions that have ended.
   * Returns false and changes nothing when the password has another hash now.
   */
  addSession(session: AdminSession, passwordHash: string, record?: SignInRecord): Promise<boolean>;
  /**
   * Starts a session with the sign-in link of this hash, and deletes the link. Returns the password's
   * hash, or undefined without a session when the link is not valid at `session.createdAt`.
   */
  addSessionByLink(
    session: AdminSession,
    tokenHash: string,
    record?: SignInRecord,
  ): Promise<string | undefined>;
  /**
   * Replaces the sign-in link. A new password and `signOutEverywhere` delete it. Returns false and
   * stores nothing while there is no password.
   */
  setSignInLink(link: { tokenHash: string; expiresAt: number }): Promise<boolean>;
  /** Adds to the counts of attempts. */
  addAttempts(attempts: readonly SignInAttempts[]): Promise<void>;
  /** The newest attempts first. */
  attempts(limit: number): Promise<SignInAttempts[]>;
  /**
   * Deletes attempts of hours before `before`, and the oldest hours of refused ones until `most` rows
   * of these are left. Returns how many rows it deleted.
   */
  deleteOldAttempts(limits: { before: number; most: number }): Promise<number>;
  /** All sessions, including expired ones, the most recently seen first. */
  sessions(): Promise<AdminSession[]>;
  session(idHash: string): Promise<AdminSession | undefined>;
  touchSession(idHash: string, seenAt: number): Promise<void>;
  removeSession(idHash: string): Promise<void>;
  /** Ends every session, deletes the sign-in link and invalidates known-device tokens issued until `at`. */
  signOutEverywhere(at: number): Promise<void>;
  /** Time of the last `signOutEverywhere`, milliseconds since 1970, UTC; 0 if never. */
  signedOutAt(): Promise<number>;
}
