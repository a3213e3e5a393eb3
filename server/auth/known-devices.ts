/**
 * Known-device tokens: signed cookies of browsers that have signed in before. A token does not sign
 * its browser in; it grants a separate rate limit for logins (`login-throttle.ts`).
 *
 * The signature covers the password's hash, so a new password invalidates every token.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { dayMs } from '../time/units.ts';
import type { AuthStore } from './store.ts';

/** Lifetime of a known-device token in ms: the longest that browsers store a cookie. */
export const deviceLifetimeMs = 400 * dayMs;

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * Creates and verifies known-device tokens.
 *
 * @param keys the first one signs, all of them verify
 */
export function createKnownDevices({
  store,
  keys,
  now,
}: {
  store: Pick<AuthStore, 'passwordHash' | 'signedOutAt'>;
  keys: string[];
  now: () => number;
}) {
  const sign = (key: string, payload: string, passwordHash: string) =>
    createHmac('sha256', key).update(`device ${payload} ${passwordHash}`).digest();

  return {
    /** Returns a new token for a browser whose password matched this hash. */
    async issue(passwordHash: string): Promise<string> {
      // Later than the last sign-out of all browsers, also when that was in the same millisecond.
      const issuedAt = Math.max(now(), (await store.signedOutAt()) + 1);
      const payload = `${randomBytes(16).toString('base64url')}.${issuedAt}`;
      const signature = sign(keys[0] ?? '', payload, passwordHash);
      return `${payload}.${signature.toString('base64url')}`;
    },

    /** Returns the device id of a token; undefined when it is invalid, expired or revoked. */
    async idOf(token: string): Promise<string | undefined> {
      const [, payload = '', id, issuedAt, signature = ''] = tokenPattern.exec(token) ?? [];
      if (id === undefined) return undefined;
      if (now() - Number(issuedAt) >= deviceLifetimeMs) return undefined;
      const hash = await store.passwordHash();
      if (hash === undefined || Number(issuedAt) <= (await store.signedOutAt())) return undefined;
      const actual = Buffer.from(signature, 'base64url');
      const isValid = keys.some((key) => timingSafeEqual(sign(key, payload, hash), actual));
      return isValid ? id : undefined;
    },
  };
}

/** `<id>.<issued at, ms>.<signature>` */
const tokenPattern = /^(([\w-]{22})\.(\d{1,15}))\.([\w-]{43})$/;
