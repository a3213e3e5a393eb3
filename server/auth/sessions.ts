/**
 * The admin's sessions. The cookie carries a random id, the database decides whether it still means
 * anything: a copied cookie dies with the logout.
 */
import type { AdminSession, AuthStore } from './store.ts';
import { createToken, hashOfToken } from './token.ts';

const day = 24 * 60 * 60_000;
/** A session ends after this long without a visit … */
export const idleLimit = 30 * day;
/** … and after this long in any case. */
export const absoluteLimit = 90 * day;
/** How stale `seenAt` may get: one write an hour, not one a request. */
const touchEvery = 60 * 60_000;

/** What shows that somebody is the owner: a password that matched this hash, or a link's token. */
export type SignInProof = { passwordHash: string } | { linkToken: string };

interface Started {
  /** For the session's cookie. */
  id: string;
  passwordHash: string;
}

export interface Sessions {
  /**
   * Starts a session, in place of the one with the id `replaces`. Undefined when the proof does not
   * hold: the password was changed meanwhile, or the link is not valid.
   */
  start(
    proof: SignInProof,
    options: { browser: string; replaces: string | undefined },
  ): Promise<Started | undefined>;
  isAlive(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

export function createSessions(store: AuthStore, now: () => number): Sessions {
  return {
    async start(proof, { browser, replaces }) {
      const at = now();
      const id = createToken();
      const session = { idHash: hashOfToken(id), createdAt: at, seenAt: at, browser };
      const record = { replaces: replaces && hashOfToken(replaces) };
      const passwordHash =
        'linkToken' in proof
          ? await store.addSessionByLink(session, hashOfToken(proof.linkToken), record)
          : (await store.addSession(session, proof.passwordHash, record))
            ? proof.passwordHash
            : undefined;
      return passwordHash === undefined ? undefined : { id, passwordHash };
    },

    async isAlive(id) {
      const session = await store.session(hashOfToken(id));
      const at = now();
      if (!session || !isCurrent(session, at)) return false;
      if (at - session.seenAt >= touchEvery) {
        // When nothing can be written, the owner must be let in to read that.
        await store.touchSession(session.idHash, at).catch(() => {});
      }
      return true;
    },

    end: (id) => store.removeSession(hashOfToken(id)),
  };
}

/** Whether a session has not come to its end at this moment. */
export const isCurrent = ({ createdAt, seenAt }: AdminSession, at: number): boolean =>
  at - createdAt < absoluteLimit && at - seenAt < idleLimit;
