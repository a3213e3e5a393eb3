/**
 * Browsers that have signed in before. Each carries a signed word for it; there is no list of them.
 *
 * The word opens nothing. It gives its browser a lane of its own when others are guessing passwords
 * (`login-throttle.ts`). It is signed together with the password's hash, so it ends with the password.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthStore } from './store.ts';

/** How long a browser is known after it signed in, in ms: as long as browsers keep a cookie. */
export const deviceLife = 400 * 24 * 60 * 60_000;

export interface KnownDevices {
  /** A new word for a browser whose password matched this hash. */
  issue(passwordHash: string): string;
  /** Whose word this is; undefined when it is not ours, too old, or was ended. */
  idOf(word: string): Promise<string | undefined>;
}

/** @param keys sign the words; the first signs, the others are still believed */
export function createKnownDevices({
  store,
  keys,
  now,
}: {
  store: Pick<AuthStore, 'passwordHash' | 'signedOutAt'>;
  keys: string[];
  now: () => number;
}): KnownDevices {
  const sign = (key: string, claim: string, passwordHash: string) =>
    createHmac('sha256', key).update(`device ${claim} ${passwordHash}`).digest();

  return {
    issue(passwordHash) {
      const claim = `${randomBytes(16).toString('base64url')}.${now()}`;
      const signature = sign(keys[0] ?? '', claim, passwordHash);
      return `${claim}.${signature.toString('base64url')}`;
    },

    async idOf(word) {
      const [, claim = '', id, issuedAt, signature = ''] = shape.exec(word) ?? [];
      if (id === undefined) return undefined;
      if (now() - Number(issuedAt) >= deviceLife) return undefined;
      const hash = await store.passwordHash();
      if (hash === undefined || Number(issuedAt) <= (await store.signedOutAt())) return undefined;
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some((key) => timingSafeEqual(sign(key, claim, hash), given));
      return isOurs ? id : undefined;
    },
  };
}

const shape = /^(([\w-]{22})\.(\d{1,15}))\.([\w-]{43})$/;
