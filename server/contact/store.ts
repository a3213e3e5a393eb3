import { batched } from '../database/batcher.ts';
import { columns, computed, count, min } from '../database/columns.ts';
import {
  all,
  type Database,
  get,
  run,
  type Statements,
  writeUntilDone,
} from '../database/database.ts';
import { text } from '../database/schema.ts';
import {
  equalsIgnoringCase,
  isLike,
  joined,
  jsonRows,
  type Query,
  type Sql,
  sql,
} from '../database/sql.ts';
import type { Value } from '../database/value.ts';
import type { OutboxEmail } from '../email/email.ts';
import { eraseEmails, queueEmail, unsentEmails, waitingEmails } from '../email/store.ts';
import {
  type ContactMessage,
  type Flood,
  type Folder,
  type FolderCount,
  fieldNames,
  type ListedMessage,
  type ListOptions,
  rowOverhead,
  type StoredMessage,
  type StoreOptions,
} from './message.ts';
import {
  addAll,
  awaitsSummary,
  delivered,
  entryOf,
  type FoundMessage,
  messages,
  summaryColumns,
  summaryWait,
  withDeliveries,
} from './rows.ts';

/** Maximum messages that the spam report lists. */
const reportedMessages = 20;

/** Messages per query of an export. */
const exportBatch = 200;

/**
 * Maximum messages of one summary, and their maximum bytes. Indented as text and escaped as HTML, a
 * message takes at most nine times its bytes, so the email stays below the common limit of 10 MB.
 */
const summaryRows = 500;
const summaryBytes = 350_000;

/** Bytes that a summary adds to a clear message, and bytes of the line of a doubtful one. */
const clearOverhead = 200;
const doubtfulBytes = 500;

/** Maximum rows per transaction of a deletion, so that visitors' writes can interleave. */
const deleteBatch = 1000;

export type ContactStore = ReturnType<typeof createContactStore>;

/** Creates the store of contact messages. */
export function createContactStore(database: Database) {
  const addInBatch = batched(database.write, addAll);
  return {
    /**
     * Stores a message and its email, if any, in one transaction. Resolves once both are on disk; false,
     * without a change, when the idempotency key was stored before.
     */
    async add(message: ContactMessage, options: StoreOptions = {}): Promise<boolean> {
      return addInBatch(entryOf(message, options));
    },

    /**
     * Self-test: stores a message, deletes it and queues its email, in one transaction, so that the
     * message is never visible. Returns false when an email with this id was queued before.
     */
    addTest: (message: ContactMessage, email: OutboxEmail) =>
      database.write(function* () {
        yield* addAll([entryOf(message, {})]);
        yield* run('DELETE FROM contact_message WHERE id = ?', [message.id]);
        return yield* queueEmail(email, message.receivedAt);
      }),

    /** The newest messages first, from every folder or from one. */
    list: ({ limit, folder }: { limit: number; folder?: Folder }) =>
      database.read(() =>
        folder === undefined
          ? delivered('ORDER BY received_at DESC, id LIMIT ?', [limit])
          : delivered('WHERE folder = ? ORDER BY received_at DESC, id LIMIT ?', [folder, limit]),
      ),

    /**
     * One page of a folder: unread first, then the newest first. Uses keyset pagination, so the cost does
     * not grow with the table.
     */
    page: (options: ListOptions) => database.read(() => page(options)),

    /** Every message, the oldest first, read in batches of 200. */
    async *all(): AsyncIterable<StoredMessage> {
      let after: Pick<ContactMessage, 'receivedAt' | 'id'> = {
        receivedAt: Number.MIN_SAFE_INTEGER,
        id: '',
      };
      for (;;) {
        const { receivedAt, id } = after;
        const found = await database.read(() =>
          delivered('WHERE (received_at, id) > (?, ?) ORDER BY received_at, id LIMIT ?', [
            receivedAt,
            id,
            exportBatch,
          ]),
        );
        yield* found;
        const last = found.at(-1);
        if (!last || found.length < exportBatch) return;
        after = last;
      }
    },

    /** Moves messages to a folder, or marks them as read or unread. Ignores unknown ids. */
    sort: (
      ids: readonly string[],
      { folder, isRead, now }: { folder?: Folder; isRead?: boolean; now: number },
    ) =>
      database.write(function* () {
        yield* run(updateMessages, [
          folder ?? null,
          now,
          folder ?? null,
          isRead === undefined ? null : Number(isRead),
          rowsOf(ids),
        ]);
      }),

    counts: async () => {
      const counts: Record<Folder, FolderCount> = {
        inbox: { all: 0, unread: 0 },
        archive: { all: 0, unread: 0 },
        spam: { all: 0, unread: 0 },
      };
      const rows = await database.read(() => all(countByFolder));
      for (const { folder, all, unread } of rows) counts[folder] = { all, unread };
      return counts;
    },

    /** Number of unread messages in the inbox. */
    unread: () => database.read(() => numberOf(countUnread)),

    /** Messages from this address, the newest first. */
    from: (email: string) =>
      database.read(() =>
        delivered(sql`WHERE ${equalsIgnoringCase('email')} ORDER BY received_at DESC, id`, [email]),
      ),

    /** Deletes the messages from this address and erases emails about them. Returns the number of messages. */
    erase: (email: string) =>
      database.write(function* () {
        const reported = yield* all(emailsAbout, [email]);
        const erased = yield* eraseEmails(
          email,
          reported.flatMap(({ letter }) => letter ?? []),
        );
        // Spam reports and summaries also cover other senders, whose messages the next ones include again.
        yield* run(releaseMessages, [rowsOf(erased)]);
        return yield* run(sql`DELETE FROM contact_message WHERE ${equalsIgnoringCase('email')}`, [
          email,
        ]);
      }),

    /**
     * Deletes messages received before `before` (milliseconds since 1970, UTC), except those whose email
     * is still queued. Returns their number.
     */
    deleteOld: (before: number) =>
      writeUntilDone(database, function* () {
        return yield* run(deleteOld, [before, rowsOf(yield* unsentEmails())]);
      }),

    /** The same for messages that were moved to the spam folder before `before`. */
    deleteOldSpam: (before: number) =>
      writeUntilDone(database, function* () {
        return yield* run(deleteOldSpam, [before, rowsOf(yield* unsentEmails())]);
      }),

    /** Bytes of the messages in the spam folder. */
    spamBytes: () => database.read(() => numberOf(sumSpamBytes)),

    /** Deletes the spam received until this time. Returns the number of messages. */
    async emptySpam(until: number): Promise<number> {
      const deleted = await writeUntilDone(database, () => run(deleteSpam, [until]));
      await database.wipeDeletedRows();
      return deleted;
    },

    /** Number of messages in all folders. */
    count: () => database.read(() => numberOf(countAll)),

    /**
     * Queues the email about unread spam that was not reported yet. `write` gets the newest messages and
     * the number of all. Returns false when there is none or an email with this id was queued before.
     */
    reportSpam: (now: number, write: (newest: ListedMessage[], all: number) => OutboxEmail) =>
      database.write(function* () {
        const all = yield* numberOf(countUnreported);
        if (all === 0) return false;
        const newest = yield* messages(
          `WHERE ${isUnreported} ORDER BY received_at DESC, id LIMIT ?`,
          [reportedMessages],
        );
        const email = write(newest, all);
        if (!(yield* queueEmail(email, now))) return false;
        yield* run(`UPDATE contact_message SET letter = ? WHERE ${isUnreported}`, [email.id]);
        return true;
      }),

    /**
     * Queues one summary, once the oldest waiting message has waited an hour. `write` gets as many
     * messages as fit into one email, the oldest first; those with a sign of spam are truncated. Returns
     * false when no summary is due; after true, more messages may wait for another one.
     */
    summarize: (now: number, write: (messages: ListedMessage[]) => OutboxEmail) =>
      database.write(function* () {
        const oldest = yield* get(selectOldestWaiting);
        const waited = now - (oldest?.at ?? now);
        // A negative wait comes from a clock that was ahead; the summary is due.
        if (waited >= 0 && waited < summaryWait) return false;
        const next = yield* messages(
          `WHERE id IN ${nextForSummary} ORDER BY received_at, id`,
          [],
          summaryColumns,
        );
        if (next.length === 0) return false;
        const email = write(next);
        yield* queueEmail(email, now);
        yield* run(setEmail, [email.id, rowsOf(next.map(({ id }) => id))]);
        return true;
      }),

    /** Activity of the form in the hour before `now`. */
    flood: (now: number) =>
      database.read(function* (): Statements<Flood> {
        const inLastHour = yield* numberOf(countSince, [now - summaryWait]);
        const unqueued = yield* numberOf(countWaiting);
        const queued = yield* waitingEmails(`${awaitsSummary}-`);
        if (queued.length === 0) return { inLastHour, waiting: unqueued };
        const inSummaries = yield* numberOf(countInSummaries, [rowsOf(queued)]);
        return { inLastHour, waiting: unqueued + inSummaries };
      }),
  };
}

const countByFolder = sql`SELECT ${columns('contact_message', 'folder', {
  all: count,
  unread: computed<number>('count(*) FILTER (WHERE is_read = 0)'),
})} FROM contact_message GROUP BY folder`;

const number = columns('contact_message', { n: count });
const countAll = sql`SELECT ${number} FROM contact_message`;
const countUnread = sql`SELECT ${number} FROM contact_message
  WHERE folder = 'inbox' AND is_read = 0`;
const countSince = sql`SELECT ${number} FROM contact_message
  WHERE received_at > ? AND folder <> 'spam'`;
const countWaiting = sql`SELECT ${number} FROM contact_message WHERE letter = '${awaitsSummary}'`;

const isUnreported = `folder = 'spam' AND letter IS NULL AND is_read = 0`;
const countUnreported = sql`SELECT ${number} FROM contact_message WHERE ${isUnreported}`;

/** Expression: the bytes of the fields of a message. */
const fieldBytes = fieldNames.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ');

const sumSpamBytes = sql`SELECT ${columns('contact_message', {
  n: computed<number>(`coalesce(sum(${rowOverhead} + ${fieldBytes}), 0)`),
})} FROM contact_message WHERE folder = 'spam'`;

const selectOldestWaiting = sql`SELECT ${columns('contact_message', { at: min('received_at') })}
  FROM contact_message WHERE letter = '${awaitsSummary}'`;

const rowsOf = (ids: readonly string[]) => JSON.stringify(ids.map((id) => [id]));

/** Expression: the ids in a parameter from `rowsOf`. */
const ids = sql`(SELECT id FROM ${jsonRows({ id: text })} AS named)`;

/** Deletes up to `deleteBatch` messages. */
const deleteWhere = (condition: string | Sql) => sql`DELETE FROM contact_message WHERE id IN (
  SELECT id FROM contact_message WHERE ${condition} LIMIT ${deleteBatch})`;

/** Condition: no email about the message is still to be sent. The parameter lists the unsent emails. */
const isSettled = sql`letter IS DISTINCT FROM '${awaitsSummary}'
  AND (letter IS NULL OR letter NOT IN ${ids})`;

const deleteOld = deleteWhere(sql`received_at < ? AND ${isSettled}`);
const deleteOldSpam = deleteWhere(
  sql`folder = 'spam' AND coalesce(moved_at, received_at) < ? AND ${isSettled}`,
);
const deleteSpam = deleteWhere(`folder = 'spam' AND received_at <= ?`);

const emailsAbout = sql`SELECT DISTINCT ${columns('contact_message', 'letter')} FROM contact_message
  WHERE letter IS NOT NULL AND ${equalsIgnoringCase('email')}`;

/** Makes the messages of erased emails wait for the next summary or report. */
const releaseMessages = sql`UPDATE contact_message
  SET letter = CASE WHEN letter LIKE '${awaitsSummary}-%' THEN '${awaitsSummary}' END
  WHERE letter IN ${ids}`;

/** Updates folder and read state; a null parameter leaves its column unchanged. */
const updateMessages = sql`UPDATE contact_message SET
    moved_at = CASE WHEN folder <> CAST(? AS text) THEN CAST(? AS bigint) ELSE moved_at END,
    folder = coalesce(CAST(? AS text), folder), is_read = coalesce(CAST(? AS bigint), is_read)
  WHERE id IN ${ids}`;

/** The next messages that fit into one summary, at least one, read by the index of waiting messages. */
const nextForSummary = `(
  SELECT id FROM (
    SELECT id, bytes, sum(bytes) OVER (ORDER BY received_at, id) AS total FROM (
      SELECT id, received_at, CASE WHEN suspicions IS NULL
          THEN ${fieldBytes} + ${clearOverhead}
          ELSE ${doubtfulBytes} END AS bytes
      FROM contact_message WHERE letter = '${awaitsSummary}'
      ORDER BY received_at, id LIMIT ${summaryRows}) AS waiting) AS measured
  WHERE total <= ${summaryBytes} OR total = bytes)`;

/** Counts the messages of these summaries. The range condition is that of the partial index. */
const countInSummaries = sql`SELECT ${number} FROM contact_message
  WHERE letter >= '${awaitsSummary}-' AND letter < '${awaitsSummary}.'
    AND letter IN ${ids}`;

const setEmail = sql`UPDATE contact_message SET letter = ? WHERE id IN ${ids}`;

/** Returns the number in column `n` of the query's only row. */
function* numberOf(query: Query<{ n: number }>, values: readonly Value[] = []): Statements<number> {
  const row = yield* get(query, values);
  return row?.n ?? 0;
}

/** Condition: one of the fields contains a search text. */
const searched = fieldNames.map((name) => `coalesce(${name}, '')`);
const containsText = joined(searched.map(isLike), ' OR ');

/** Reads unread messages, then read ones. Each is a separate query, since both follow the index. */
function* page({ folder, limit, after, search }: ListOptions): Statements<StoredMessage[]> {
  const found: FoundMessage[] = [];
  const like = search === undefined ? '' : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = search === undefined ? '' : sql`AND (${containsText})`;
  for (const isRead of after?.isRead ? [true] : [false, true]) {
    const start = after?.isRead === isRead ? after : undefined;
    found.push(
      ...(yield* messages(
        sql`WHERE folder = ? AND is_read = ? ${start ? 'AND (received_at, id) < (?, ?)' : ''} ${matches}
         ORDER BY received_at DESC, id DESC LIMIT ?`,
        [
          folder,
          Number(isRead),
          ...(start ? [start.receivedAt, start.id] : []),
          ...(search === undefined ? [] : searched.map(() => like)),
          limit - found.length,
        ],
      )),
    );
  }
  return yield* withDeliveries(found);
}
