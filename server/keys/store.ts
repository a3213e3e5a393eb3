import type { Scope } from '../contract/scopes.ts';
import { columns } from '../database/columns.ts';
import { all, type Database, get, run } from '../database/database.ts';
import { logAct, type OwnerAct } from '../database/owner-log.ts';
import type { Row } from '../database/schema.ts';
import { sql } from '../database/sql.ts';
import { type ReportedAct, recordAct } from '../email/owner-notice.ts';

/** An API key as stored. Times are milliseconds since 1970, UTC. */
export interface StoredKey {
  /** The first characters of the key. */
  id: string;
  name: string;
  /** SHA-256 of the key, so that a stolen table holds no usable one. */
  hash: string;
  scopes: readonly Scope[];
  createdAt: number;
  /** Stored once an hour at most; null: never used. */
  usedAt: number | null;
}

export type KeyStore = ReturnType<typeof createKeyStore>;

/** Creates the store of API keys. */
export function createKeyStore(database: Database) {
  return {
    /** All keys, the newest first. */
    all: async (): Promise<StoredKey[]> => (await database.read(() => all(selectKeys))).map(keyOf),

    /** The key with this id; undefined when there is none. */
    async find(id: string): Promise<StoredKey | undefined> {
      const row = await database.read(() => get(selectKey, [id]));
      return row && keyOf(row);
    },

    /** Adds a key, and records `act`. */
    add: ({ id, name, hash, scopes, createdAt, usedAt }: StoredKey, act?: ReportedAct) =>
      database.write(function* () {
        yield* run(
          'INSERT INTO api_key (id, name, hash, scopes, created_at, used_at) VALUES (?, ?, ?, ?, ?, ?)',
          [id, name, hash, scopes.join(' '), createdAt, usedAt],
        );
        if (act) yield* recordAct(act);
      }),

    setUsedAt: (id: string, usedAt: number) =>
      database.write(function* () {
        yield* run('UPDATE api_key SET used_at = ? WHERE id = ?', [usedAt, id]);
      }),

    /** Deletes a key, and adds `act` to the owner's log. Returns false when there is none with this id. */
    remove: (id: string, act?: OwnerAct) =>
      database.write(function* () {
        const isRemoved = (yield* run('DELETE FROM api_key WHERE id = ?', [id])) > 0;
        if (isRemoved && act) yield* logAct(act);
        return isRemoved;
      }),
  };
}

const keyColumns = columns('api_key', 'id', 'name', 'hash', 'scopes', {
  createdAt: 'created_at',
  usedAt: 'used_at',
});
const selectKeys = sql`SELECT ${keyColumns} FROM api_key ORDER BY created_at DESC, id`;
const selectKey = sql`SELECT ${keyColumns} FROM api_key WHERE id = ?`;

type KeyRow = Pick<Row<'api_key'>, 'id' | 'name' | 'hash' | 'scopes'> & {
  createdAt: number;
  usedAt: number | null;
};

// `add` stores scopes only.
const keyOf = ({ scopes, ...row }: KeyRow): StoredKey => ({
  ...row,
  scopes: scopes.split(' ') as Scope[],
});
