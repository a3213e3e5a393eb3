/** Sets the admin's first password. */
import { randomInt } from 'node:crypto';
import { type HashCost, hashPassword, matches } from './password.ts';
import { type AuthStore, passwordSetBy } from './store.ts';

/**
 * Ensures that a password is set: the configured one, else the stored one, else a generated one.
 * Returns the generated password, to be shown once; otherwise undefined.
 */
export async function ensurePassword(
  auth: AuthStore,
  {
    configured,
    now,
    hashCost,
  }: { configured: string | undefined; now: () => number; hashCost?: HashCost | undefined },
): Promise<string | undefined> {
  for (;;) {
    const current = await auth.passwordHash();
    const isSet =
      current !== undefined && (configured === undefined || (await matches(configured, current)));
    if (isSet) return undefined;
    const password = configured ?? generatePassword();
    // Compare-and-set: of two instances that start at once, the later one must not end new sessions.
    const isReplaced = await auth.replacePasswordHash(
      current,
      await hashPassword(password, hashCost),
      passwordSetBy(configured === undefined ? 'generated' : 'ADMIN_PASSWORD', now()),
    );
    if (isReplaced) return configured === undefined ? password : undefined;
  }
}

/** Returns four groups of five unambiguous letters and digits: about 98 bits of entropy. */
export function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () =>
    Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
