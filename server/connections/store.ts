/** Stores connections, whose values `connections.ts` encrypts. */
import { columns, max } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { heldUntil, type ReportedAct, recordAct } from '../email/owner-notice.ts';
import { holdNotices } from '../email/store.ts';
import { eraseUndelivered } from '../webhooks/store.ts';

const selectAll = sql`SELECT ${columns('connection', 'name', 'value')} FROM connection`;
const selectOne = sql`SELECT ${columns('connection', 'revision', 'value')} FROM connection WHERE name = ?`;
const selectRevision = sql`SELECT ${columns('connection', { revision: max('revision') })} FROM connection`;
const upsert = `INSERT INTO connection (name, revision, value, changed_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, value = excluded.value,
    changed_at = excluded.changed_at`;

function* revisionNow(): Statements<number> {
  return (yield* get(selectRevision))?.revision ?? 0;
}

/** The row of the receiver that the site used last: no connection, so it changes no revision. */
const receiverRow = 'receiver';

/** Returns whether the receiver was another one, or is none. */
function* changeReceiver(receiver: Buffer): Statements<boolean> {
  const before = (yield* get(selectOne, [receiverRow]))?.value;
  if (receiver.length > 0 && before && receiver.equals(before)) return false;
  yield* run(upsert, [receiverRow, 0, receiver, 0]);
  return true;
}

interface StoredConnection {
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

    /** Remembers the receiver that the site uses, whoever has set it. */
    rememberReceiver: (receiver: Buffer): Promise<void> =>
      database.write(function* (): Statements<void> {
        yield* changeReceiver(receiver);
      }),

    /** A connection with the revision of its last change, 0 before the first; null while it is not set. */
    async one(name: string): Promise<{ revision: number; value: Buffer | null }> {
      const row = await database.read(() => get(selectOne, [name]));
      return { revision: row?.revision ?? 0, value: row?.value ? Buffer.from(row.value) : null };
    },

    /**
     * Replaces the value that a connection has had since the revision `before`, and records the act. Returns false, and
     * changes nothing, when it was changed meanwhile. Another webhook `receiver` erases what waits for the one before;
     * another mail server holds the notices that wait.
     */
    replace: ({
      name,
      before,
      value,
      act,
      receiver,
    }: {
      name: string;
      before: number;
      value: Buffer | null;
      act: ReportedAct;
      receiver: Buffer | undefined;
    }): Promise<boolean> =>
      database.write(function* (): Statements<boolean> {
        if (((yield* get(selectOne, [name]))?.revision ?? 0) !== before) return false;
        yield* run(upsert, [name, (yield* revisionNow()) + 1, value, act.at]);
        if (receiver && (yield* changeReceiver(receiver))) yield* eraseUndelivered();
        yield* recordAct(act);
        // Over the mail server that it replaces, which only this process still uses when another one is stored.
        if (name === 'email') yield* holdNotices(act.at, heldUntil(act.at));
        return true;
      }),

    /** Replaces a value by the same one, encrypted anew, unless it has changed meanwhile. */
    reencrypt: ({ name, value }: StoredConnection, again: Buffer): Promise<number> =>
      database.write(() =>
        run('UPDATE connection SET value = ? WHERE name = ? AND value = ?', [again, name, value]),
      ),
  };
}
