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
  const current = await auth.passwordHash();
  if (wanted !== undefined) {
    const isCurrent = current !== undefined && (await matches(wanted, current));
    if (!isCurrent) await auth.setPasswordHash(await hashPassword(wanted, price), now());
    return undefined;
  }
  if (current !== undefined) return undefined;
  const generated = generatePassword();
  const isFirst = await auth.setFirstPasswordHash(await hashPassword(generated, price), now());
  return isFirst ? generated : undefined;
}

/** Four groups of five letters and digits that cannot be misread: 98 bits. */
export function generatePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}
