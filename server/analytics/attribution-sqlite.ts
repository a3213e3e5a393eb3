/** Where the buyer of a payment came from, by the token that went along to the payment provider. */
import { type Attribution, readToken } from '../attribution/token.ts';
import type { Tx } from '../database/sqlite.ts';

/** The key that signs tokens; undefined while none was ever made. */
export const attributionKey = (tx: Pick<Tx, 'get'>): Buffer | undefined =>
  tx.get<{ value: Buffer }>(`SELECT value FROM secret WHERE name = 'attribution'`)?.value;

/** What a token says of a payment `at` (milliseconds since 1970, UTC); undefined when it is not ours. */
export function attributionOf(
  tx: Pick<Tx, 'get'>,
  token: string,
  at: number,
): Attribution | undefined {
  const key = attributionKey(tx);
  return key && readToken(token, at, key);
}
