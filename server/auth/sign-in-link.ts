/** One-time links that sign the owner in without the password. */
import type { AuthStore } from './store.ts';
import { createToken, hashOfToken } from './token.ts';

/** How long a link is valid, in ms. */
export const linkLife = 15 * 60_000;

/** Creates a link's token and invalidates earlier ones. Undefined while the site has no password. */
export async function createLinkToken(
  store: Pick<AuthStore, 'setSignInLink'>,
  now: number,
): Promise<string | undefined> {
  const token = createToken();
  const link = { tokenHash: hashOfToken(token), expiresAt: now + linkLife };
  return (await store.setSignInLink(link)) ? token : undefined;
}
