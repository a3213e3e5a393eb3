/** One signed-in browser. */
export interface AdminSession {
  /** SHA-256 of the id in the cookie: the table alone opens nothing. */
  idHash: string;
  createdAt: number;
  seenAt: number;
}

export interface AuthStore {
  /** Hash of the admin's password, once one was set. */
  passwordHash(): Promise<string | undefined>;
  /** Sets the password and ends every session. */
  setPasswordHash(hash: string, at: number): Promise<void>;
  /** Sets the first password; false, and nothing set, when there is one already. */
  setFirstPasswordHash(hash: string, at: number): Promise<boolean>;
  /**
   * Starts a session of someone whose password matched `passwordHash`; false, and none started, when
   * that is not the password any more.
   */
  addSession(session: AdminSession, passwordHash: string): Promise<boolean>;
  session(idHash: string): Promise<AdminSession | undefined>;
  touchSession(idHash: string, seenAt: number): Promise<void>;
  removeSession(idHash: string): Promise<void>;
  /** Drops sessions created before `createdBefore` or last seen before `seenBefore`. */
  removeStaleSessions(limits: { createdBefore: number; seenBefore: number }): Promise<void>;
}
