/** One signed-in browser. */
export interface AdminSession {
  /** SHA-256 of the id in the cookie: the table alone opens nothing. */
  idHash: string;
  createdAt: number;
  seenAt: number;
  /** Which browser it is, in our words: 'Firefox on Linux'. */
  browser: string;
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
   * Starts a session of someone whose password matched `passwordHash`; false, and none started, when
   * that is not the password any more.
   */
  addSession(session: AdminSession, passwordHash: string): Promise<boolean>;
  /** Every row there is, the one seen last first. */
  sessions(): Promise<AdminSession[]>;
  session(idHash: string): Promise<AdminSession | undefined>;
  touchSession(idHash: string, seenAt: number): Promise<void>;
  removeSession(idHash: string): Promise<void>;
  /** Ends every session; whoever was known by a sign-in up to `at` is a stranger from now on. */
  signOutEverywhere(at: number): Promise<void>;
  /** When everybody was signed out last; 0 if never. */
  signedOutAt(): Promise<number>;
  /** Drops sessions created before `createdBefore` or last seen before `seenBefore`. */
  removeStaleSessions(limits: { createdBefore: number; seenBefore: number }): Promise<void>;
}
