/** Where the buyer of a payment came from, by the token that went along to the payment provider. */
import { type Attribution, readToken } from '../attribution/token.ts';
import { get, type Statements } from '../database/database.ts';

/** The key that signs tokens; undefined while none was ever made. */
export function* attributionKey(): Statements<Buffer | undefined> {
  const row = yield* get<{ value: Uint8Array }>(
    `SELECT value FROM secret WHERE name = 'attribution'`,
  );
  return row && Buffer.from(row.value);
}

/**
 * Says what a token tells of a payment at its time (milliseconds since 1970, UTC); undefined when it is
 * not ours.
 */
export function* attributions(): Statements<
  (token: string, at: number) => Attribution | undefined
> {
  const key = yield* attributionKey();
  return (token, at) => key && readToken(token, at, key);
}
