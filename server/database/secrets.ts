/** Keys that sign what the site hands out, such as the links of bookings. Each is made once. */
import { randomBytes } from 'node:crypto';
import { columns } from './columns.ts';
import { get, run, type Statements } from './database.ts';
import { sql } from './sql.ts';

type SecretName = 'attribution' | 'booking' | 'erasure';

const selectSecret = sql`SELECT ${columns('secret', 'value')} FROM secret WHERE name = ?`;

/** The key of this name; undefined until one is made. */
export function* secret(name: SecretName): Statements<Buffer | undefined> {
  const row = yield* get(selectSecret, [name]);
  return row && Buffer.from(row.value);
}

/** The key of this name; makes one when there is none. */
export function* ensureSecret(name: SecretName): Statements<Buffer> {
  const fresh = randomBytes(32);
  yield* run('INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', [
    name,
    fresh,
  ]);
  return (yield* secret(name)) ?? fresh;
}
