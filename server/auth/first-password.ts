/** Sets the admin's first password, and opens the set-up beside a generated one. */
import { randomSecret } from '../contract/random-secret.ts';
import { type HashCost, hashPassword, matches } from './password.ts';
import { type AuthStore, passwordSetBy } from './store.ts';
import { hashOfToken } from './token.ts';

/** What the start shows to the owner. */
export interface FirstStart {
  /** The generated password, to be shown once. */
  password?: string;
  /** The path of the set-up while it is open, with its code where that was generated now. */
  setupPath?: string;
}

/**
 * Ensures that a password is set: the configured one, which closes the set-up; else the stored one, else a generated one.
 *
 * @param setupCode the configured code of the set-up; undefined: generated with the password
 */
export async function ensurePassword(
  auth: AuthStore,
  {
    configured,
    setupCode,
    now,
    hashCost,
  }: {
    configured: string | undefined;
    setupCode?: string | undefined;
    now: () => number;
    hashCost?: HashCost | undefined;
  },
): Promise<FirstStart> {
  for (;;) {
    const current = await auth.passwordHash();
    const isSet =
      current !== undefined && (configured === undefined || (await matches(configured, current)));
    if (isSet) return openSetup(auth, { configured, setupCode });
    const password = configured ?? randomSecret();
    const code = setupCode ?? randomSecret();
    // Compare-and-set: of two instances that start at once, the later one must not end new sessions.
    const isReplaced = await auth.replacePasswordHash(
      current,
      await hashPassword(password, hashCost),
      passwordSetBy(configured === undefined ? 'generated' : 'ADMIN_PASSWORD', now()),
      configured === undefined ? hashOfToken(code) : undefined,
    );
    if (!isReplaced) continue;
    if (configured !== undefined) return {};
    // A code of the environment stays out of logs.
    return { password, setupPath: setupCode === undefined ? `/setup#${code}` : '/setup' };
  }
}

/** Lets the environment decide on a set-up that was not used. */
async function openSetup(
  auth: AuthStore,
  { configured, setupCode }: { configured: string | undefined; setupCode: string | undefined },
): Promise<FirstStart> {
  const stored = await auth.setupCodeHash();
  if (stored === undefined) return {};
  if (configured !== undefined) {
    await auth.replaceSetupCodeHash(null);
    return {};
  }
  if (setupCode !== undefined && hashOfToken(setupCode) !== stored) {
    await auth.replaceSetupCodeHash(hashOfToken(setupCode));
  }
  return { setupPath: '/setup' };
}
