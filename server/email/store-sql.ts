import { type Database, get, run, type Statements } from '../database/database.ts';
import { jsonText, sameLetters, sql } from '../database/sql.ts';
import type { Delivery, Email, OutboxEmail } from './email.ts';
import type { ClaimedEmail, OutboxStore } from './store.ts';

/**
 * Queues an email in the caller's transaction, together with the data it reports. Returns false when
 * an email with this id was queued before.
 */
export function* queueEmail({ id, ...email }: OutboxEmail, now: number): Statements<boolean> {
  const changed = yield* run(
    `INSERT INTO outbox (id, queued_at, letter, state, attempts, due_at)
     VALUES (?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`,
    [id, now, JSON.stringify(email), now],
  );
  return changed > 0;
}

/**
 * Erases the content of emails that reply to this address or report its messages. The rows stay, so
 * that the ids cannot be queued again.
 */
export function* eraseEmails(address: string): Statements<void> {
  yield* run(eraseEmailsSql, [address, address]);
}

const eraseEmailsSql = sql`UPDATE outbox SET letter = NULL, error = NULL, state = 'erased'
  WHERE letter IS NOT NULL AND (
    ${sameLetters(jsonText('letter', 'replyTo', 'address'))}
    OR id IN (SELECT letter FROM contact_message WHERE ${sameLetters('email')}))`;

/** Columns of the outbox that `deliveryOf` reads. */
export const deliveryColumns =
  'state, settled_at AS "settledAt", due_at AS "dueAt", attempts, error';

/** The columns of `deliveryColumns` after a left join: null when there is no email. */
export type DeliveryRow = Record<'settledAt' | 'dueAt' | 'attempts', number | null> &
  Record<'state' | 'error', string | null>;

/** Returns the delivery state of a row; undefined when there is no email. */
export function deliveryOf(row: DeliveryRow): Delivery | undefined {
  const { state, settledAt, dueAt, attempts, error } = row;
  if (state === 'sent') return { state, at: settledAt ?? 0 };
  if (state === 'refused') return { state, at: settledAt ?? 0, error };
  if (state === null || state === 'erased') return undefined;
  return { state: 'waiting', dueAt: dueAt ?? 0, attempts: attempts ?? 0, error };
}

/** Creates the store of the outbox. */
export function createOutboxStore(database: Database): OutboxStore {
  return {
    queue: (email, now) => database.write(() => queueEmail(email, now)),

    claim: ({ now, lease, longestWait }) =>
      database.write(function* () {
        const row = yield* get<ClaimedRow>(
          `UPDATE outbox SET due_at = ?, attempts = attempts + 1
           WHERE id IN (SELECT id FROM outbox WHERE state = 'waiting' AND (due_at <= ? OR due_at > ?)
                        ORDER BY due_at LIMIT 1)
           RETURNING id, queued_at AS "queuedAt", letter, deferrals, refusals`,
          [now + lease, now, now + longestWait + lease],
        );
        if (!row) return undefined;
        const { letter, ...rest } = row;
        return { ...(JSON.parse(letter) as Email), ...rest };
      }),

    sent: (id, at) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'sent', settled_at = ?, letter = NULL, error = NULL WHERE id = ?`,
          [at, id],
        );
      }),

    postponed: (id, { dueAt, error, rejection, remaining }) =>
      database.write(function* () {
        if (remaining) yield* setRemaining(id, remaining);
        yield* run(
          `UPDATE outbox SET due_at = ?, error = ?, deferrals = deferrals + ?, refusals = refusals + ?
           WHERE id = ? AND state = 'waiting'`,
          [dueAt, error, Number(rejection === 'deferral'), Number(rejection === 'refusal'), id],
        );
      }),

    refused: (id, { at, error }) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'refused', settled_at = ?, error = ?
           WHERE id = ? AND state = 'waiting'`,
          [at, error, id],
        );
      }),

    retryDeferred: (now, from) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET due_at = ? WHERE state = 'waiting' AND due_at > ? AND refusals = 0`,
          [now, from],
        );
      }),

    retryRefused: (now) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'waiting', due_at = ?, settled_at = NULL WHERE state = 'refused'`,
          [now],
        );
      }),

    state: () =>
      database.read(function* () {
        const waiting = yield* get<{ n: number; oldest: number | null }>(
          `SELECT count(*) AS n, min(queued_at) AS oldest FROM outbox WHERE state = 'waiting'`,
        );
        const refused = yield* get<{ n: number }>(
          `SELECT count(*) AS n FROM outbox WHERE state = 'refused'`,
        );
        return {
          waiting: waiting?.n ?? 0,
          oldestWaiting: waiting?.oldest ?? undefined,
          refused: refused?.n ?? 0,
        };
      }),

    lastSent: async () => {
      const row = await database.read(() =>
        get<{ at: number }>(
          `SELECT settled_at AS at FROM outbox WHERE state = 'sent' AND id NOT LIKE 'dry-%'
           ORDER BY settled_at DESC LIMIT 1`,
        ),
      );
      return row?.at;
    },

    waitingTest: () =>
      database.read(() =>
        get<{ queuedAt: number; error: string | null }>(
          `SELECT queued_at AS "queuedAt", error FROM outbox
           WHERE state = 'waiting' AND (id LIKE 'dry-%' OR id LIKE 'test-%')
           ORDER BY queued_at LIMIT 1`,
        ),
      ),
  };
}

type ClaimedRow = Omit<ClaimedEmail, keyof Email> & { letter: string };

/** Limits the recipients of an email to those that have not received it. */
function* setRemaining(id: string, remaining: string[]): Statements<void> {
  const row = yield* get<{ letter: string | null }>('SELECT letter FROM outbox WHERE id = ?', [id]);
  if (row?.letter == null) return;
  const email = JSON.stringify({ ...JSON.parse(row.letter), remaining });
  yield* run('UPDATE outbox SET letter = ? WHERE id = ?', [email, id]);
}
