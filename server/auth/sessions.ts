/**
 * The admin's sessions. The cookie carries a random id, the database decides whether it still means
 * anything: a copied cookie dies with the logout.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AdminSession, AuthStore } from './store.ts';

const day = 24 * 60 * 60_000;
/** A session ends after this long without a visit … */
export const idleLimit = 30 * day;
/** … and after this long in any case. */
export const absoluteLimit = 90 * day;
/** How stale `seenAt` may get: one write an hour, not one a request. */
const touchEvery = 60 * 60_000;

export interface Sessions {
  /**
   * Starts a session for whoever's password matched this hash; returns the id for its cookie, or
   * undefined when the password was changed meanwhile. `browser` says which one it is in.
   */
  start(passwordHash: string, browser: string): Promise<string | undefined>;
  isAlive(id: string): Promise<boolean>;
  end(id: string): Promise<void>;
}

export function createSessions(store: AuthStore, now: () => number): Sessions {
  return {
    async start(passwordHash, browser) {
      const at = now();
      await store.removeStaleSessions({
        createdBefore: at - absoluteLimit,
        seenBefore: at - idleLimit,
      });
      const id = randomBytes(32).toString('base64url');
      const session = { idHash: hashOf(id), createdAt: at, seenAt: at, browser };
      return (await store.addSession(session, passwordHash)) ? id : undefined;
    },

    async isAlive(id) {
      const session = await store.session(hashOf(id));
      const at = now();
      if (!session || !isCurrent(session, at)) return false;
      if (at - session.seenAt >= touchEvery) {
        // When nothing can be written, the owner must be let in to read that.
        await store.touchSession(session.idHash, at).catch(() => {});
      }
      return true;
    },

    end: (id) => store.removeSession(hashOf(id)),
  };
}

/** Whether a session has not come to its end at this moment. */
export const isCurrent = ({ createdAt, seenAt }: AdminSession, at: number): boolean =>
  at - createdAt < absoluteLimit && at - seenAt < idleLimit;

const hashOf = (id: string) => createHash('sha256').update(id).digest('base64url');
