/**
 * The admin's sessions. The cookie carries a random id, the database decides whether it still means
 * anything: a copied cookie dies with the logout.
 */
import { newBrowserEmail } from './new-browser-email.ts';
import type { Applicant } from './sign-in-log.ts';
import type { AdminSession, AuthStore } from './store.ts';
import { createToken, hashOfToken } from './token.ts';

const day = 24 * 60 * 60_000;
/** A session ends after this long without a visit … */
export const idleLimit = 30 * day;
/** … and after this long in any case. */
export const absoluteLimit = 90 * day;
/** How stale `seenAt` may get: one write an hour, not one a request. */
const touchEvery = 60 * 60_000;

/** Proof that a request comes from the owner: a password that matched this hash, or a link's token. */
export type SignInProof = { passwordHash: string } | { linkToken: string };

interface Started {
  /** For the session's cookie. */
  id: string;
  passwordHash: string;
}

export interface Sessions {
  /**
   * Starts a session, in place of the one with the id `replaces`. Undefined when the proof is not
   * valid: the password was changed meanwhile, or the link expired, was used or was replaced.
   */
  start(
    proof: SignInProof,
    options: { applicant: Applicant; replaces: string | undefined },
  ): Promise<Started | undefined>;
  isAlive(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

/** @param outbox sends emails to the owner; undefined without a mail server */
export function createSessions({
  store,
  now,
  outbox,
}: {
  store: AuthStore;
  now: () => number;
  outbox: { wake(): void } | undefined;
}): Sessions {
  return {
    async start(proof, { applicant: { addressBlock, browser, isKnown }, replaces }) {
      const at = now();
      const id = createToken();
      const session = { idHash: hashOfToken(id), createdAt: at, seenAt: at, browser };
      const method = 'linkToken' in proof ? ('link' as const) : ('password' as const);
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
