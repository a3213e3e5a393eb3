/** Reads the source of a payment's buyer from the attribution token sent to the payment provider. */
import { type Attribution, readToken } from '../attribution/token.ts';
import type { Statements } from '../database/database.ts';
import { secret } from '../database/secrets.ts';

/**
 * Returns a function that reads the attribution from the token of a payment made `at` (ms since 1970,
 * UTC); undefined when the token's signature is not ours.
 */
export function* attributions(): Statements<
  (token: string, at: number) => Attribution | undefined
> {
  const key = yield* secret('attribution');
  return (token, at) => key && readToken(token, at, key);
}
