/** The password the admin begins with. */
import { randomInt } from 'node:crypto';
import { hashPassword, matches, type Price } from './password.ts';
import type { AuthStore } from './store.ts';

/**
 * Makes sure that there is a password: the wanted one, the one already set, or a new one, which it
 * returns to be shown.
 */
export async function settlePassword(
  auth: AuthStore,
  {
    wanted,
    now,
    price,
  }: { wanted: string | undefined; now: () => number; price?: Price | undefined },
): Promise<string | undefined> {
  for (;;) {
    const current = await auth.passwordHash();
    const isSettled =
      current !== undefined && (wanted === undefined || (await matches(wanted, current)));
    if (isSettled) return undefined;
    const password = wanted ?? generatePassword();
    // Two that start at once set it once: the later one would sign out who was let in meanwhile.
    const isSet = await auth.replacePasswordHash(
      current,
      await hashPassword(password, price),
      now(),
    );
    if (isSet) return wanted === undefined ? password : undefined;
  }
}

/** Four groups of five letters and digits that cannot be misread: 98 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
