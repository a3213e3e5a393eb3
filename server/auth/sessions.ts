/**
 * The admin's sessions. The cookie carries a random id and the session is a row in the database, so a
 * logout also invalidates a copied cookie.
 */

import type { OwnerAct } from '../database/owner-log.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { newBrowserEmail } from './new-browser-email.ts';
import type { SignInClient } from './sign-in-log.ts';
import { type AdminSession, type AuthStore, absoluteLimit, idleLimit } from './store.ts';
import { createToken, hashOfToken } from './token.ts';

/** Minimum ms between two writes of `seenAt`, so that not every request writes. */
const touchEvery = hourMs;

/** How long the password need not be typed again, in ms. */
const confirmedFor = 10 * minuteMs;

/**
 * Proof that a request comes from the owner: a password that matched this hash, or was set by the code of the set-up, or
 * a link's token.
 */
export type SignInProof =
  | { passwordHash: string; method?: 'password' | 'code' }
  | { linkToken: string };

interface StartedSession {
  /** The value of the session cookie. */
  id: string;
  passwordHash: string;
}

export type Sessions = ReturnType<typeof createSessions>;

/**
 * Creates the session service.
 *
 * @param outbox sends emails to the owner; undefined without a mail server
 */
export function createSessions({
  store,
  now,
  outbox,
}: {
  store: AuthStore;
  now: () => number;
  outbox: { wake(): void } | undefined;
}) {
  return {
    /**
     * Starts a session and ends the one with the id `replaces`. Returns undefined when the proof is not
     * valid: the password has changed meanwhile, or the link has expired, was used or was replaced.
     */
    async start(
      proof: SignInProof,
      {
        client: { addressBlock, browser, isKnown },
        replaces,
      }: { client: SignInClient; replaces: string | undefined },
    ): Promise<StartedSession | undefined> {
      const at = now();
      const id = createToken();
      const session = { idHash: hashOfToken(id), createdAt: at, seenAt: at, browser };
      const method = 'linkToken' in proof ? ('link' as const) : (proof.method ?? 'password');
      const attempt = {
        method,
        result: 'accepted' as const,
        address: addressBlock,
        browser,
        n: 1,
        lastAt: at,
      };
      const record = {
        attempt,
        replaces: replaces && hashOfToken(replaces),
        email: isKnown || outbox === undefined ? undefined : newBrowserEmail(attempt),
      };
      const passwordHash =
        'linkToken' in proof
          ? await store.addSessionByLink(session, hashOfToken(proof.linkToken), record)
          : (await store.addSession(session, proof.passwordHash, record))
            ? proof.passwordHash
            : undefined;
      if (passwordHash === undefined) return undefined;
      if (record.email) outbox?.wake();
      return { id, passwordHash };
    },

    /** The session with this id, and whether the password was typed lately; undefined when it has ended. */
    async find(id: string): Promise<{ isConfirmed: boolean } | undefined> {
      const session = await store.session(hashOfToken(id));
      const at = now();
      if (!session || !isCurrent(session, at)) return undefined;
      if (at - session.seenAt >= touchEvery) {
        // A failed write must not sign the owner out, who needs the dashboard to read about it.
        await store.touchSession(session.idHash, at).catch(() => {});
      }
      // A time in the future was stored by a clock that was ahead.
      return { isConfirmed: Math.abs(at - session.confirmedAt) <= confirmedFor };
    },

    /** Stores that the password was typed in this session by `act`. Returns false when it has ended. */
    confirm: (id: string, act: OwnerAct) => store.confirmSession(hashOfToken(id), act),

    end: (id: string) => store.removeSession(hashOfToken(id)),

    /** The browsers that are signed in, the most recently seen first; `id` is that of this browser. */
    async list(id: string) {
      const own = hashOfToken(id);
      const current = (await store.sessions()).filter((session) => isCurrent(session, now()));
      return current.map((session) => ({ ...session, isThis: session.idHash === own }));
    },

    /** Ends a session by its hash. */
    endByHash: (idHash: string) => store.removeSession(idHash),

    /**
     * Ends every session but this one, deletes the sign-in link and invalidates every known-device token.
     * Returns the password's hash, for a new token of this browser.
     */
    async endOthers(id: string): Promise<string> {
      await store.signOutOthers(hashOfToken(id), now());
      return (await store.passwordHash()) ?? '';
    },
  };
}

/** Whether a session has not expired at this time. */
export const isCurrent = (
  { createdAt, seenAt }: Pick<AdminSession, 'createdAt' | 'seenAt'>,
  at: number,
): boolean => at - createdAt < absoluteLimit && at - seenAt < idleLimit;
