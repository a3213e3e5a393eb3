/** Stores connections. What encrypts them is the caller's business. */
import { columns, max } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { logAct, type OwnerAct } from '../database/owner-log.ts';
import { sql } from '../database/sql.ts';

const selectAll = sql`SELECT ${columns('connection', 'name', 'value')} FROM connection`;
const selectOne = sql`SELECT ${columns('connection', 'value')} FROM connection WHERE name = ?`;
const selectRevision = sql`SELECT ${columns('connection', { revision: max('revision') })} FROM connection`;
const upsert = `INSERT INTO connection (name, revision, value, changed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, value = excluded.value,
    changed_at = excluded.changed_at`;

function* revisionNow(): Statements<number> {
  return (yield* get(selectRevision))?.revision ?? 0;
}

export interface StoredConnection {
  name: string;
  value: Buffer;
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>;

export function createConnectionStore(database: Database) {
  return {
    /** Increases with each change of a connection; 0 before the first. */
    revision: (): Promise<number> => database.read(revisionNow),

    /** The connections that are set, and the revision of all. */
    all: () =>
      database.read(function* (): Statements<{ revision: number; stored: StoredConnection[] }> {
        const revision = yield* revisionNow();
        const rows = yield* all(selectAll);
        const stored = rows.flatMap(({ name, value }) =>
          value === null ? [] : { name, value: Buffer.from(value) },
        );
        return { revision, stored };
      }),

    /**
     * Stores what `change` makes of the value of a connection, and logs the act. Null is a connection that is not set,
     * before and after.
     */
    change: (
      name: string,
      change: (value: Buffer | null) => Buffer | null,
      act: OwnerAct,
    ): Promise<void> =>
      database.write(function* (): Statements<void> {
        const before = (yield* get(selectOne, [name]))?.value ?? null;
        const after = change(before && Buffer.from(before));
        if (before === null && after === null) return;
        yield* run(upsert, [name, (yield* revisionNow()) + 1, after, act.at]);
        yield* logAct(act);
      }),

    /** Replaces a value by the same one, encrypted anew, unless it has changed meanwhile. */
    reencrypt: ({ name, value }: StoredConnection, again: Buffer): Promise<number> =>
      database.write(() =>
        run('UPDATE connection SET value = ? WHERE name = ? AND value = ?', [again, name, value]),
      ),
  };
}
