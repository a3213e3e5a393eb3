/** One-time links that sign the owner in without the password. */
import { type AuthStore, linkLifetimeMs } from './store.ts';
import { createToken, hashOfToken } from './token.ts';

/** Creates the token of a link and invalidates earlier ones. Returns undefined while no password is set. */
export async function createLinkToken(
  store: Pick<AuthStore, 'setSignInLink'>,
  now: number,
): Promise<string | undefined> {
  const token = createToken();
  const link = { tokenHash: hashOfToken(token), expiresAt: now + linkLifetimeMs };
  return (await store.setSignInLink(link)) ? token : undefined;
}
