/** Reads the source of a payment's buyer from the attribution token sent to the payment provider. */
import { type Attribution, readToken } from '../../attribution/token.ts';
import { columns } from '../../database/columns.ts';
import { get, type Statements } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';

const selectKey = sql`SELECT ${columns('secret', 'value')} FROM secret WHERE name = 'attribution'`;

/** Returns the key that signs tokens; undefined until one exists. */
export function* attributionKey(): Statements<Buffer | undefined> {
  const row = yield* get(selectKey);
  return row && Buffer.from(row.value);
}

/**
 * Returns a function that reads the attribution from the token of a payment made `at` (ms since 1970,
 * UTC); undefined when the token's signature is not ours.
 */
export function* attributions(): Statements<
  (token: string, at: number) => Attribution | undefined
> {
  const key = yield* attributionKey();
  return (token, at) => key && readToken(token, at, key);
}
