import type { Sqlite, Tx } from '../database/sqlite.ts';
import type { Delivery, Letter, NamedLetter } from './letter.ts';
import type { MailStore } from './store.ts';

/** Queues a letter in the transaction that keeps what it tells of; false: its name was queued before. */
export function queueLetter(tx: Tx, { id, ...letter }: NamedLetter, now: number): boolean {
  const changed = tx.run(
    `INSERT INTO outbox (id, queued_at, letter, state, attempts, due_at)
     VALUES (?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`,
    [id, now, JSON.stringify(letter), now],
  );
  return changed > 0;
}

/**
 * Takes the letters from this person, and those that tell of what they wrote, out of the outbox, sent
 * or not. Their names stay taken.
 */
export function eraseLetters(tx: Tx, email: string): void {
  tx.run(
    `UPDATE outbox SET letter = NULL, error = NULL, state = 'erased'
     WHERE letter IS NOT NULL AND (
       json_extract(letter, '$.replyTo.address') = ? COLLATE NOCASE
       OR id IN (SELECT letter FROM contact_message WHERE email = ? COLLATE NOCASE))`,
    [email, email],
  );
}

/** Columns of the outbox that say what became of a letter. */
export const deliveryColumns = 'state, settled_at AS settledAt, due_at AS dueAt, attempts, error';

/** Those columns, where a letter may be missing. */
export type DeliveryRow = Record<'settledAt' | 'dueAt' | 'attempts', number | null> &
  Record<'state' | 'error', string | null>;

/** What those columns say; undefined: there is no letter. */
export function deliveryOf(row: DeliveryRow): Delivery | undefined {
  const { state, settledAt, dueAt, attempts, error } = row;
  if (state === 'sent') return { state, at: settledAt ?? 0 };
  if (state === 'refused') return { state, at: settledAt ?? 0, error };
  if (state === null || state === 'erased') return undefined;
  return { state: 'waiting', dueAt: dueAt ?? 0, attempts: attempts ?? 0, error };
}

export function createSqliteMailStore(database: Sqlite): MailStore {
  return {
    queue: (letter, now) => database.write((tx) => queueLetter(tx, letter, now)),

    claim: ({ now, lease, longestWait }) =>
      database.write((tx) => {
        const row = tx.get<{ id: string; queuedAt: number; letter: string; attempts: number }>(
          `UPDATE outbox SET due_at = ?, attempts = attempts + 1
           WHERE id IN (SELECT id FROM outbox WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?)
                        ORDER BY due_at LIMIT 1)
           RETURNING id, queued_at AS queuedAt, letter, attempts - 1 AS attempts`,
          [now + lease, now, now + longestWait + lease],
        );
        if (!row) return undefined;
        const { letter, ...rest } = row;
        return { ...(JSON.parse(letter) as Letter), ...rest };
      }),

    sent: (id, at) =>
      database.write((tx) => {
        tx.run(
          `UPDATE outbox SET state = 'sent', settled_at = ?, letter = NULL, error = NULL WHERE id = ?`,
          [at, id],
        );
      }),

    postponed: (id, { dueAt, error, remaining }) =>
      database.write((tx) => {
        if (remaining) {
          tx.run(
            `UPDATE outbox SET letter = json_set(letter, '$.remaining', json(?)) WHERE id = ?`,
            [JSON.stringify(remaining), id],
          );
        }
        tx.run(`UPDATE outbox SET due_at = ?, error = ? WHERE id = ? AND state = 'waiting'`, [
          dueAt,
          error,
          id,
        ]);
      }),

    refused: (id, { at, error }) =>
      database.write((tx) => {
        tx.run(
          `UPDATE outbox SET state = 'refused', settled_at = ?, error = ?
           WHERE id = ? AND state = 'waiting'`,
          [at, error, id],
        );
      }),

    hurry: (now, from) =>
      database.write((tx) => {
        tx.run(`UPDATE outbox SET due_at = ? WHERE state = 'waiting' AND due_at > ?`, [now, from]);
      }),

    revive: (now) =>
      database.write((tx) => {
        tx.run(
          `UPDATE outbox SET state = 'waiting', due_at = ?, settled_at = NULL WHERE state = 'refused'`,
          [now],
        );
      }),

    state: async () =>
      database.read((tx) => {
        const waiting = tx.get<{ n: number; oldest: number | null }>(
          `SELECT count(*) AS n, min(queued_at) AS oldest FROM outbox WHERE state = 'waiting'`,
        );
        const refused = tx.get<{ n: number }>(
          `SELECT count(*) AS n FROM outbox WHERE state = 'refused'`,
        );
        return {
          waiting: waiting?.n ?? 0,
          oldestWaiting: waiting?.oldest ?? undefined,
          refused: refused?.n ?? 0,
        };
      }),

    lastSent: async () =>
      database.read((tx) =>
        tx.get<{ at: number }>(
          `SELECT settled_at AS at FROM outbox WHERE state = 'sent' AND id NOT LIKE 'dry-%'
           ORDER BY settled_at DESC LIMIT 1`,
        ),
      )?.at,

    waitingTest: async () =>
      database.read((tx) =>
        tx.get<{ queuedAt: number; error: string | null }>(
          `SELECT queued_at AS queuedAt, error FROM outbox
           WHERE state = 'waiting' AND (id LIKE 'dry-%' OR id LIKE 'test-%')
           ORDER BY queued_at LIMIT 1`,
        ),
      ),
  };
}
