import type { NamedLetter } from '../mail/letter.ts';

/** One signed-in browser. */
export interface AdminSession {
  /** SHA-256 of the id in the cookie: the table alone opens nothing. */
  idHash: string;
  createdAt: number;
  seenAt: number;
  /** Which browser it is, in our words: 'Firefox on Linux'. */
  browser: string;
}

export type SignInMethod = 'password' | 'link';

/** `wrong`: the password or the link was. `throttled`: it was not checked. */
export type SignInResult = 'accepted' | 'wrong' | 'throttled';

/** Attempts to sign in within one hour that are alike in everything else. */
export interface SignInAttempts {
  method: SignInMethod;
  result: SignInResult;
  /** An IPv4 address, or the /64 network of an IPv6 one. */
  address: string;
  /** As in `AdminSession`. */
  browser: string;
  n: number;
  /** When the last of them came, milliseconds since 1970, UTC. */
  lastAt: number;
}

/** What is stored together with a new session. */
export interface SignInRecord {
  attempt?: SignInAttempts;
  /** The session that this browser had before; it ends. */
  replaces?: string | undefined;
  /** Tells the owner of the sign-in. */
  email?: NamedLetter | undefined;
}

export interface AuthStore {
  /** Hash of the admin's password, once one was set. */
  passwordHash(): Promise<string | undefined>;
  /** Sets the password, ends every session and forgets every browser that signed in before. */
  setPasswordHash(hash: string, at: number): Promise<void>;
  /**
   * Does the same where the password is still the one of hash `current`, or there is still none;
   * false, and nothing set, when somebody has set another meanwhile.
   */
  replacePasswordHash(current: string | undefined, hash: string, at: number): Promise<boolean>;
  /**
   * Starts a session of someone whose password matched `passwordHash`, and deletes those that have
   * ended; false, and nothing changed, when that is not the password any more.
   */
  addSession(session: AdminSession, passwordHash: string, record?: SignInRecord): Promise<boolean>;
  /**
   * Does the same with the sign-in link of this hash, which ends the link. Returns the password's
   * hash; undefined, and no session, when the link is not valid at `session.createdAt`.
   */
  addSessionByLink(
    session: AdminSession,
    tokenHash: string,
    record?: SignInRecord,
  ): Promise<string | undefined>;
  /**
   * Stores a sign-in link in place of the one before. A new password and `signOutEverywhere` end it.
   * False, and nothing stored, while there is no password.
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
  /** Every row there is, the one seen last first. */
  sessions(): Promise<AdminSession[]>;
  session(idHash: string): Promise<AdminSession | undefined>;
  touchSession(idHash: string, seenAt: number): Promise<void>;
  removeSession(idHash: string): Promise<void>;
  /** Ends every session; whoever was known by a sign-in up to `at` is a stranger from now on. */
  signOutEverywhere(at: number): Promise<void>;
  /** When everybody was signed out last; 0 if never. */
  signedOutAt(): Promise<number>;
}
