import { columns, count } from '../database/columns.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { idList, listedIds } from '../database/id-list.ts';
import type { Row } from '../database/schema.ts';
import { equalsIgnoringCase, jsonText, sql } from '../database/sql.ts';
import { dayMs, minuteMs } from '../time/units.ts';
import type { Delivery, Email, OutboxEmail } from './email.ts';
import { isDeferredForRecipient } from './smtp-errors.ts';

/** What is due, claimed by one instance. */
export interface Claim {
  id: string;
  /** Milliseconds since 1970, UTC. */
  queuedAt: number;
  /** Number of temporary rejections (by the mail server: 4xx). */
  deferrals: number;
  /** Number of permanent rejections (by the mail server: 5xx). */
  refusals: number;
}

export type ClaimedEmail = Email & Claim;

/** An event for the webhook receiver; `body` is its JSON, the same for each attempt. */
export type ClaimedEvent = { body: string } & Claim;

/** Counts of the outbox. */
export interface OutboxState {
  waiting: number;
  /** Emails to the owner, or events, that were given up because they were rejected too often. */
  refused: number;
}

/** What the owner must hear about: it should have been accepted by now. */
export interface Overdue {
  count: number;
  /** When the oldest was queued, milliseconds since 1970, UTC. */
  since: number;
  /** Why the last attempt to send that one failed; null when it was not tried. */
  error: string | null;
}

/** How long the first retries may take before the owner hears of it, in ms, and how many refusals. */
const overdueMs = 5 * minuteMs;
const overdueRefusals = 3;

/** For how long what was given up is tried again and reported, in ms. */
const givenUpMs = 30 * dayMs;

/** The result of an attempt that is retried at `dueAt`, to the `remaining` recipients only if given. */
interface Postponement {
  dueAt: number;
  error: string;
  /** Undefined when the mail server was unreachable. */
  rejection?: 'deferral' | 'refusal' | undefined;
  remaining?: string[] | undefined;
}

type Channel = Row<'outbox'>['channel'];

export type OutboxStore = ReturnType<typeof createOutboxStore>;

/** What an outbox worker does with the queue of its channel. */
export type OutboxQueue<Item> = ReturnType<typeof queueOf<Item>>;

/**
 * Queues an email in the caller's transaction, together with the data it reports; it is sent from `dueAt` on. Returns
 * false when an email with this id was queued before.
 */
export const queueEmail = ({ id, ...email }: OutboxEmail, now: number, dueAt = now) =>
  queueContent('email', id, email, { now, dueAt });

/** Queues the content of an email or event in the caller's transaction; false when its id was queued before. */
export function* queueContent(
  channel: Channel,
  id: string,
  content: object,
  { now, dueAt }: { now: number; dueAt: number },
): Statements<boolean> {
  const changed = yield* run(
    `INSERT INTO outbox (id, channel, queued_at, content, state, attempts, due_at)
     VALUES (?, ?, ?, ?, 'waiting', 0, ?) ON CONFLICT DO NOTHING`,
    [id, channel, now, JSON.stringify(content), dueAt],
  );
  return changed > 0;
}

/**
 * Erases the content of unsent emails to this address, that reply to it or have one of these ids, and of
 * unsent events about it, in the caller's transaction; returns their ids. The rows stay, so that the ids
 * cannot be queued again.
 */
export function* eraseEmails(address: string, ids: readonly string[]): Statements<string[]> {
  const rows = yield* all(eraseEmailsSql, [address, address, address, address, idList(ids)]);
  return rows.map(({ id }) => id);
}

const eraseEmailsSql = sql`UPDATE outbox SET content = NULL, error = NULL, state = 'erased'
  WHERE content IS NOT NULL AND (
    ${equalsIgnoringCase(jsonText('content', 'replyTo', 'address'))}
    OR ${equalsIgnoringCase(jsonText('content', 'to', 'address'))}
    OR ${equalsIgnoringCase(jsonText('content', 'data', 'email'))}
    OR ${equalsIgnoringCase(jsonText('content', 'data', 'id'))}
    OR id IN ${listedIds})
  RETURNING ${columns('outbox', 'id')}`;

const selectUnsent = sql`SELECT ${columns('outbox', 'id')} FROM outbox WHERE state = 'waiting'
  UNION ALL SELECT id FROM outbox WHERE state = 'refused'`;

/** Returns the ids of the emails and events that may still be sent: those that wait or were given up. */
export function* unsentEmails(): Statements<string[]> {
  const rows = yield* all(selectUnsent);
  return rows.map(({ id }) => id);
}

const selectWaiting = sql`SELECT ${columns('outbox', 'id')} FROM outbox
  WHERE state = 'waiting' AND id LIKE ?`;

/** Returns the ids of the waiting emails that begin with `prefix`. */
export function* waitingEmails(prefix: string): Statements<string[]> {
  const rows = yield* all(selectWaiting, [`${prefix}%`]);
  return rows.map(({ id }) => id);
}

/**
 * Holds the notices to the owner that wait at `now` until `until`, in the caller's transaction: nobody but the caller
 * sends them before. One that is sent at this moment for the first time is left to who sends it.
 */
export function* holdNotices(now: number, until: number): Statements<void> {
  yield* run(
    `UPDATE outbox SET due_at = ? WHERE id LIKE 'notice-%' AND state = 'waiting'
     AND (due_at <= ? OR error IS NOT NULL)`,
    [until, now],
  );
}

const selectHeld = sql`SELECT ${columns('outbox', 'id', 'content', 'deferrals', 'refusals', { queuedAt: 'queued_at' })}
  FROM outbox WHERE id LIKE 'notice-%' AND state = 'waiting' AND due_at = ? ORDER BY queued_at, id`;

/** Withdraws the self-tests that were not sent, except this one: alert and mailbox need only the newest. */
export function* withdrawTestsBefore(id: string): Statements<void> {
  yield* run(
    `UPDATE outbox SET content = NULL, error = NULL, state = 'erased'
     WHERE id LIKE 'test-%' AND id <> ? AND state IN ('waiting', 'refused')`,
    [id],
  );
}

/** Returns the deliveries of these emails by id. An unknown or erased email has none. */
export function* deliveriesOf(ids: readonly string[]): Statements<Map<string, Delivery>> {
  const deliveries = new Map<string, Delivery>();
  if (ids.length === 0) return deliveries;
  for (const { id, ...row } of yield* all(deliveriesSql, [idList(ids)])) {
    const delivery = deliveryOf(row);
    if (delivery) deliveries.set(id, delivery);
  }
  return deliveries;
}

const deliveryColumns = columns('outbox', 'state', 'attempts', 'error', {
  settledAt: 'settled_at',
  dueAt: 'due_at',
});
const deliveriesSql = sql`SELECT ${columns('outbox', 'id')}, ${deliveryColumns} FROM outbox WHERE id IN ${listedIds}`;

function deliveryOf({
  state,
  settledAt,
  dueAt,
  attempts,
  error,
}: (typeof deliveryColumns)['selects']): Delivery | undefined {
  if (state === 'sent') return { state, at: settledAt ?? 0 };
  if (state === 'refused') return { state, at: settledAt ?? 0, error };
  return state === 'waiting' ? { state, dueAt, attempts, error } : undefined;
}

/** Creates the store of the emails in the outbox. */
export function createOutboxStore(database: Database) {
  return {
    ...queueOf(database, 'email', (content): Email => JSON.parse(content)),

    /** Queues an email; false when one with this id was queued before. */
    queue: (email: OutboxEmail, now: number) => database.write(() => queueEmail(email, now)),

    /** The notices that are held until this time, the oldest first. */
    heldNotices: (until: number) =>
      database.read(function* (): Statements<ClaimedEmail[]> {
        return (yield* all(selectHeld, [until])).flatMap(({ content, ...row }) =>
          content === null ? [] : { ...(JSON.parse(content) as Email), ...row },
        );
      }),

    /** The ids of the self-test emails that were not sent yet. */
    waitingTests: () => database.read(() => waitingEmails('test-')),
  };
}

/** The part of the outbox that goes out through one channel; `read` parses its content. */
export function queueOf<Item>(
  database: Database,
  channel: Channel,
  read: (content: string) => Item,
) {
  return {
    /**
     * Claims what has been due longest. The lease of `lease` ms keeps other instances from
     * sending it meanwhile. What is due later than `longestWait` from now counts as due: it was
     * postponed by a clock that was ahead.
     */
    claim: ({ now, lease, longestWait }: Record<'now' | 'lease' | 'longestWait', number>) =>
      database.write(function* (): Statements<(Item & Claim) | undefined> {
        const row = yield* get(claimNext, [now + lease, channel, now, now + longestWait + lease]);
        if (row?.content == null) return undefined;
        const { content, ...rest } = row;
        return { ...read(content), ...rest };
      }),

    /** Records that it was accepted. */
    sent: (id: string, at: number) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'sent', settled_at = ?, content = NULL, error = NULL WHERE id = ?`,
          [at, id],
        );
      }),

    postponed: (id: string, { dueAt, error, rejection, remaining }: Postponement) =>
      database.write(function* () {
        if (remaining) yield* setRemaining(id, remaining);
        yield* run(
          `UPDATE outbox SET due_at = ?, error = ?, deferrals = deferrals + ?, refusals = refusals + ?
           WHERE id = ? AND state = 'waiting'`,
          [dueAt, error, Number(rejection === 'deferral'), Number(rejection === 'refusal'), id],
        );
      }),

    /** Gives it up. */
    refused: (id: string, { at, error }: { at: number; error: string }) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'refused', settled_at = ?, error = ?,
             content = CASE WHEN ${isToOwner} THEN content END
           WHERE id = ? AND state = 'waiting'`,
          [at, error, id],
        );
      }),

    /**
     * Makes what is due after `from` due now, for a server that is reachable again. What was refused
     * keeps its backoff, which gives the owner half a day; leases end before `from`.
     */
    retryDeferred: (now: number, from: number) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET due_at = ? WHERE state = 'waiting' AND channel = ? AND due_at > ? AND refusals = 0`,
          [now, channel, from],
        );
      }),

    /** Puts what was given up back into the queue for thirty days, except emails to visitors. */
    retryRefused: (now: number) =>
      database.write(function* () {
        yield* run(
          `UPDATE outbox SET state = 'waiting', due_at = ?, settled_at = NULL
           WHERE state = 'refused' AND channel = ? AND ${isToOwner} AND queued_at > ?`,
          [now, channel, now - givenUpMs],
        );
      }),

    /** When the last event, or email to the owner, was sent; milliseconds since 1970, UTC. */
    lastSent: async () =>
      (await database.read(() => get(selectLastSent, [channel])))?.at ?? undefined,

    state: () =>
      database.read(function* (): Statements<OutboxState> {
        const waiting = yield* get(countWaiting, [channel]);
        const refused = yield* get(countRefused, [channel]);
        return {
          waiting: waiting?.n ?? 0,
          refused: refused?.n ?? 0,
        };
      }),

    /**
     * What has waited five minutes, was refused three times or was given up; undefined when nothing was. That the
     * address of a visitor is deferred is shown with the call only.
     */
    overdue: (now: number) =>
      database.read(function* (): Statements<Overdue | undefined> {
        const deferred = (yield* all(selectDeferred, [channel]))
          .filter(({ error }) => error !== null && isDeferredForRecipient(error))
          .map(({ id }) => id);
        const values = [
          ...[channel, now - overdueMs, overdueRefusals, now - givenUpMs],
          idList(deferred),
        ];
        const counted = yield* get(countOverdue, values);
        const oldest = yield* get(oldestOverdue, values);
        return (
          counted && oldest && { count: counted.n, since: oldest.queuedAt, error: oldest.error }
        );
      }),
  };
}

/** Condition: an email to the owner, or an event. A refused address of a visitor is no fault of the mail server. */
const isToOwner = `id NOT LIKE 'visitor-%'`;

/** Condition: the data is not made up. Otherwise nothing is sent, so nothing is overdue. */
const isReal = 'NOT EXISTS (SELECT 1 FROM demo_data)';

const claimNext = sql`UPDATE outbox SET due_at = ?, attempts = attempts + 1
  WHERE id IN (SELECT id FROM outbox
               WHERE state = 'waiting' AND channel = ? AND (due_at <= ? OR due_at > ?)
                 AND ${isReal}
               ORDER BY due_at LIMIT 1)
  RETURNING ${columns('outbox', 'id', 'content', 'deferrals', 'refusals', { queuedAt: 'queued_at' })}`;

const countWaiting = sql`SELECT ${columns('outbox', { n: count })}
  FROM outbox WHERE state = 'waiting' AND channel = ?`;

/** Emails to visitors that were deferred. */
const selectDeferred = sql`SELECT ${columns('outbox', 'id', 'error')} FROM outbox
  WHERE state = 'waiting' AND channel = ? AND NOT (${isToOwner}) AND deferrals > 0`;

const isOverdue = sql`${isReal} AND channel = ? AND (
  state = 'waiting' AND (queued_at <= ? OR refusals >= ?)
  OR state = 'refused' AND ${isToOwner} AND queued_at > ?)
  AND id NOT IN ${listedIds}`;

const countOverdue = sql`SELECT ${columns('outbox', { n: count })} FROM outbox WHERE ${isOverdue}`;

const oldestOverdue = sql`SELECT ${columns('outbox', 'error', { queuedAt: 'queued_at' })} FROM outbox
  WHERE ${isOverdue} ORDER BY queued_at LIMIT 1`;

const countRefused = sql`SELECT ${columns('outbox', { n: count })}
  FROM outbox WHERE state = 'refused' AND channel = ? AND ${isToOwner}`;

const selectLastSent = sql`SELECT ${columns('outbox', { at: 'settled_at' })} FROM outbox
  WHERE state = 'sent' AND channel = ? AND ${isToOwner} ORDER BY settled_at DESC LIMIT 1`;

const selectContent = sql`SELECT ${columns('outbox', 'content')} FROM outbox WHERE id = ?`;

/** Limits the recipients of an email to those that have not received it. */
function* setRemaining(id: string, remaining: string[]): Statements<void> {
  const row = yield* get(selectContent, [id]);
  if (row?.content == null) return;
  const email = JSON.stringify({ ...JSON.parse(row.content), remaining });
  yield* run('UPDATE outbox SET content = ? WHERE id = ?', [email, id]);
}
