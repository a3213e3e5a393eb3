import { batched } from '../database/batcher.ts';
import { all, type Database, each, get, run, type Statements } from '../database/database.ts';
import { isLike, joined, jsonRows, type Sql, sameLetters, sql } from '../database/sql.ts';
import { storable, type Value } from '../database/value.ts';
import type { OutboxEmail } from '../email/email.ts';
import {
  type DeliveryRow,
  deliveryColumns,
  deliveryOf,
  eraseEmails,
  queueEmail,
} from '../email/store-sql.ts';
import {
  type ContactMessage,
  type ContactStore,
  type Folder,
  type FolderCount,
  type ListOptions,
  rowOverhead,
  type SpamSign,
  type StoredMessage,
  type StoreOptions,
} from './store.ts';

/** Maximum messages that the spam report lists. */
const reportedMessages = 20;

/** Messages per query of an export. */
const exportBatch = 200;

/** Value of the column `letter` while a message waits for its summary. */
const awaitsSummary = 'summary';

/** How long a message waits for its summary, in ms. */
const summaryWait = 60 * 60_000;

/**
 * Maximum messages of one summary, and their maximum bytes. Indented as text and escaped as HTML, a
 * message takes at most six times its bytes, so the email stays below the common limit of 10 MB.
 */
const summaryRows = 500;
const summaryBytes = 350_000;

/** Bytes that a summary adds to a clear message, and bytes of the line of a doubtful one. */
const clearOverhead = 200;
const doubtfulBytes = 500;

/** Characters of a doubtful message that are read for its line. */
const doubtfulCharacters = 500;

/** Maximum rows per transaction of a deletion, so that visitors' writes can interleave. */
const deleteBatch = 1000;

/** Creates the store of contact messages. */
export function createContactStore(database: Database): ContactStore {
  const addInBatch = batched(database.write, addAll);
  const deleteInBatches = async (condition: string, values: (number | string | null)[]) => {
    for (let total = 0; ; ) {
      const deleted = await database.write(() =>
        run(
          `DELETE FROM contact_message WHERE id IN (
             SELECT id FROM contact_message WHERE ${condition} LIMIT ${deleteBatch})`,
          values,
        ),
      );
      if (deleted === 0) return total;
      total += deleted;
    }
  };
  return {
    async add(message, options = {}) {
      return addInBatch(entryOf(message, options));
    },

    addTest: (message, email) =>
      database.write(function* () {
        yield* addAll([entryOf(message, {})]);
        yield* run('DELETE FROM contact_message WHERE id = ?', [message.id]);
        return yield* queueEmail(email, message.receivedAt);
      }),

    list: ({ limit, folder }) =>
      database.read(() =>
        folder === undefined
          ? messages('ORDER BY received_at DESC, m.id LIMIT ?', [limit])
          : messages('WHERE folder = ? ORDER BY received_at DESC, m.id LIMIT ?', [folder, limit]),
      ),

    page: (options) => database.read(() => page(options)),

    async *all() {
      let after: Pick<ContactMessage, 'receivedAt' | 'id'> = {
        receivedAt: Number.MIN_SAFE_INTEGER,
        id: '',
      };
      for (;;) {
        const { receivedAt, id } = after;
        const found = await database.read(() =>
          messages('WHERE (received_at, m.id) > (?, ?) ORDER BY received_at, m.id LIMIT ?', [
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

    sort: (ids, { folder, isRead, now }) =>
      database.write(function* () {
        yield* run(updateMessages, [
          folder ?? null,
          now,
          folder ?? null,
          isRead === undefined ? null : Number(isRead),
          JSON.stringify(ids.map((id) => [id])),
        ]);
      }),

    counts: async () => {
      const counts: Record<Folder, FolderCount> = {
        inbox: { all: 0, unread: 0 },
        archive: { all: 0, unread: 0 },
        spam: { all: 0, unread: 0 },
      };
      const rows = await database.read(() =>
        all<FolderCount & { folder: Folder }>(
          `SELECT folder, count(*) AS "all", count(*) FILTER (WHERE is_read = 0) AS unread
           FROM contact_message GROUP BY folder`,
        ),
      );
      for (const { folder, all, unread } of rows) counts[folder] = { all, unread };
      return counts;
    },

    unread: () =>
      database.read(() =>
        numberOf(
          `SELECT count(*) AS n FROM contact_message WHERE folder = 'inbox' AND is_read = 0`,
        ),
      ),

    from: (email) =>
      database.read(() =>
        messages(sql`WHERE ${sameLetters('email')} ORDER BY received_at DESC, m.id`, [email]),
      ),

    erase: (email) =>
      database.write(function* () {
        yield* eraseEmails(email);
        // Spam reports and summaries also cover other senders, whose messages the next ones include again.
        yield* run(
          `UPDATE contact_message
           SET letter = CASE WHEN letter LIKE '${awaitsSummary}-%' THEN '${awaitsSummary}' END
           WHERE letter IN (SELECT id FROM outbox WHERE state = 'erased')`,
        );
        return yield* run(sql`DELETE FROM contact_message WHERE ${sameLetters('email')}`, [email]);
      }),

    deleteOld: (before) => deleteInBatches(`received_at < ? AND ${isSettled}`, [before]),

    deleteOldSpam: (before) =>
      deleteInBatches(`folder = 'spam' AND coalesce(moved_at, received_at) < ? AND ${isSettled}`, [
        before,
      ]),

    spamBytes: () =>
      database.read(() =>
        numberOf(`SELECT coalesce(sum(${rowOverhead} + octet_length(message) + octet_length(name)
            + octet_length(email) + coalesce(octet_length(company), 0)), 0) AS n
          FROM contact_message WHERE folder = 'spam'`),
      ),

    async emptySpam(until) {
      const deleted = await deleteInBatches(`folder = 'spam' AND received_at <= ?`, [until]);
      await database.wipeDeletedRows();
      return deleted;
    },

    count: () => database.read(() => numberOf('SELECT count(*) AS n FROM contact_message')),

    reportSpam: (now, write) =>
      database.write(function* () {
        const isUnreported = `folder = 'spam' AND m.letter IS NULL AND is_read = 0`;
        const all = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message AS m WHERE ${isUnreported}`,
        );
        if (all === 0) return false;
        const newest = yield* messages(
          `WHERE ${isUnreported} ORDER BY received_at DESC, m.id LIMIT ?`,
          [reportedMessages],
        );
        const email = write(newest, all);
        if (!(yield* queueEmail(email, now))) return false;
        yield* run(`UPDATE contact_message AS m SET letter = ? WHERE ${isUnreported}`, [email.id]);
        return true;
      }),

    summarize: (now, write) =>
      database.write(function* () {
        const oldest = yield* get<{ at: number | null }>(
          `SELECT min(received_at) AS at FROM contact_message WHERE letter = '${awaitsSummary}'`,
        );
        const waited = now - (oldest?.at ?? now);
        // A negative wait comes from a clock that was ahead; the summary is due.
        if (waited >= 0 && waited < summaryWait) return false;
        const next = yield* messages(`JOIN ${nextForSummary} ORDER BY received_at, m.id`, [], {
          text: `CASE WHEN suspicions IS NULL THEN message
            ELSE substr(message, 1, ${doubtfulCharacters}) END`,
        });
        if (next.length === 0) return false;
        const email = write(next);
        yield* queueEmail(email, now);
        yield* run(setSummary, [email.id, JSON.stringify(next.map(({ id }) => [id]))]);
        return true;
      }),

    flood: (now) =>
      database.read(function* () {
        const inLastHour = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message WHERE received_at > ? AND folder <> 'spam'`,
          [now - summaryWait],
        );
        const unqueued = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message WHERE letter = '${awaitsSummary}'`,
        );
        const queued = yield* all<{ id: string }>(
          `SELECT id FROM outbox WHERE state = 'waiting' AND id LIKE '${awaitsSummary}-%'`,
        );
        if (queued.length === 0) return { inLastHour, waiting: unqueued };
        const ids = JSON.stringify(queued.map(({ id }) => [id]));
        return { inLastHour, waiting: unqueued + (yield* numberOf(countInSummaries, [ids])) };
      }),
  };
}

/** Condition: no email about the message is still to be sent. */
const isSettled = `letter IS DISTINCT FROM '${awaitsSummary}' AND NOT EXISTS (
  SELECT 1 FROM outbox WHERE outbox.id = contact_message.letter AND outbox.letter IS NOT NULL)`;

/** Updates folder and read state; a null parameter leaves its column unchanged. */
const updateMessages = sql`UPDATE contact_message SET
    moved_at = CASE WHEN folder <> CAST(? AS text) THEN CAST(? AS bigint) ELSE moved_at END,
    folder = coalesce(CAST(? AS text), folder), is_read = coalesce(CAST(? AS bigint), is_read)
  WHERE id IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

/** The next messages that fit into one summary, at least one, read by the index of waiting messages. */
const nextForSummary = `(
  SELECT id FROM (
    SELECT id, bytes, sum(bytes) OVER (ORDER BY received_at, id) AS total FROM (
      SELECT id, received_at, CASE WHEN suspicions IS NULL
          THEN octet_length(message) + octet_length(name) + octet_length(email)
            + coalesce(octet_length(company), 0) + ${clearOverhead}
          ELSE ${doubtfulBytes} END AS bytes
      FROM contact_message WHERE letter = '${awaitsSummary}'
      ORDER BY received_at, id LIMIT ${summaryRows}) AS waiting) AS measured
  WHERE total <= ${summaryBytes} OR total = bytes) AS next ON next.id = m.id`;

/** Counts the messages of these summaries. The range condition is that of the partial index. */
const countInSummaries = sql`SELECT count(*) AS n FROM contact_message
  WHERE letter >= '${awaitsSummary}-' AND letter < '${awaitsSummary}.'
    AND letter IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

const setSummary = sql`UPDATE contact_message SET letter = ?
  WHERE id IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

/** Returns the number in column `n` of the query's only row. */
function* numberOf(query: string | Sql, values: readonly Value[] = []): Statements<number> {
  const row = yield* get<{ n: number }>(query, values);
  return row?.n ?? 0;
}

/** The row of a message, and its email. */
interface Entry {
  row: (string | number | null)[];
  email: OutboxEmail | undefined;
  receivedAt: number;
}

/** Throws when a value cannot be stored, before the message joins a batch and fails its transaction. */
function entryOf(
  { id, receivedAt, name, email: sender, company, message }: ContactMessage,
  { email, isForSummary = false, idempotencyKey, folder = 'inbox', suspicions = [] }: StoreOptions,
): Entry {
  const row = [
    id,
    receivedAt,
    name,
    sender,
    company,
    message,
    idempotencyKey ?? null,
    folder,
    suspicions.join(' ') || null,
    isForSummary ? awaitsSummary : (email?.id ?? null),
  ];
  return { row: row.map(storable), email, receivedAt };
}

const columns = {
  id: 'text',
  received_at: 'integer',
  name: 'text',
  email: 'text',
  company: 'text',
  message: 'text',
  draft: 'text',
  folder: 'text',
  suspicions: 'text',
  letter: 'text',
} as const;

const names = Object.keys(columns);
const insertMessages = sql`INSERT INTO contact_message (${names.join(', ')})
  ${{
    sqlite: `VALUES (${names.map(() => '?').join(', ')})`,
    postgres: `SELECT ${names.join(', ')} FROM ${jsonRows(columns).postgres} AS sent`,
  }}
  ON CONFLICT (draft) WHERE draft IS NOT NULL DO NOTHING
  ${{ sqlite: '', postgres: 'RETURNING id' }}`;

/** Stores messages and queues their emails; returns for each whether it was new. */
function* addAll(entries: readonly Entry[]): Statements<boolean[]> {
  const isNew = yield* each(
    insertMessages,
    entries.map(({ row }) => row),
  );
  for (const { email, receivedAt } of entries.filter((_, i) => isNew[i])) {
    if (email) yield* queueEmail(email, receivedAt);
  }
  return isNew;
}

type Row = ContactMessage &
  DeliveryRow & {
    folder: Folder;
    isRead: number;
    suspicions: string | null;
    emailId: string | null;
  };

/**
 * Selects messages with the delivery of their emails. `rest` is the end of the statement from its
 * joins or conditions on; `text` is the SQL expression of the message text.
 */
function* messages(
  rest: string | Sql,
  values: readonly (string | number)[],
  { text = 'message' } = {},
): Statements<StoredMessage[]> {
  const rows = yield* all<Row>(
    sql`SELECT m.id, received_at AS "receivedAt", name, email, company, ${text} AS message,
            folder, is_read AS "isRead", suspicions, m.letter AS "emailId", ${deliveryColumns}
     FROM contact_message AS m LEFT JOIN outbox ON outbox.id = m.letter ${rest}`,
    values,
  );
  return rows.map(
    ({ state, settledAt, dueAt, attempts, error, isRead, suspicions, emailId, ...message }) => ({
      ...message,
      isRead: isRead === 1,
      suspicions: (suspicions?.split(' ') ?? []) as SpamSign[],
      delivery:
        emailId === awaitsSummary
          ? { state: 'waiting', dueAt: message.receivedAt + summaryWait, attempts: 0, error: null }
          : deliveryOf({ state, settledAt, dueAt, attempts, error }),
    }),
  );
}

/** Condition: one of the text fields contains a search text. */
const containsText = joined(
  ['name', 'email', "coalesce(company, '')", 'message'].map(isLike),
  ' OR ',
);

/** Reads unread messages, then read ones. Each is a separate query, since both follow the index. */
function* page({ folder, limit, after, search }: ListOptions): Statements<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const like = search === undefined ? '' : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = search === undefined ? '' : sql`AND (${containsText})`;
  for (const isRead of after?.isRead ? [true] : [false, true]) {
    const start = after?.isRead === isRead ? after : undefined;
    found.push(
      ...(yield* messages(
        sql`WHERE folder = ? AND is_read = ? ${start ? 'AND (received_at, m.id) < (?, ?)' : ''} ${matches}
         ORDER BY received_at DESC, m.id DESC LIMIT ?`,
        [
          folder,
          Number(isRead),
          ...(start ? [start.receivedAt, start.id] : []),
          ...(search === undefined ? [] : [like, like, like, like]),
          limit - found.length,
        ],
      )),
    );
  }
  return found;
}
