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

/** How many messages the letter about spam names. */
const named = 20;

/** How many messages are read at once for a file. */
const readBatch = 200;

/** What `letter` says of a message that waits for the next summary. */
const summaryMark = 'summary';

/** How long a message waits for its summary, in ms. */
const summaryWait = 60 * 60_000;

/**
 * Most messages in one summary, and most bytes of them. Indented as text and escaped as HTML, a message
 * takes at most six times its bytes, so even the worst email stays below the 10 MB of common mail servers.
 */
const summaryRows = 500;
const summaryBytes = 350_000;

/** Bytes that a summary writes around a clear message, and in all for a doubtful one. */
const aroundMessage = 200;
const doubtfulLine = 500;

/** Characters of a doubtful message that are read for its line. */
const lineCharacters = 500;

/** Most rows one transaction deletes: the visitors' writes get in between. */
const deleteBatch = 1000;

export function createContactStore(database: Database): ContactStore {
  const keep = batched(database.write, addAll);
  const deleteInBatches = async (which: string, values: (number | string | null)[]) => {
    for (let deleted = 0; ; ) {
      const some = await database.write(() =>
        run(
          `DELETE FROM contact_message WHERE id IN (
             SELECT id FROM contact_message WHERE ${which} LIMIT ${deleteBatch})`,
          values,
        ),
      );
      if (some === 0) return deleted;
      deleted += some;
    }
  };
  return {
    async add(message, options = {}) {
      return keep(entryOf(message, options));
    },

    rehearse: (message, letter) =>
      database.write(function* () {
        yield* addAll([entryOf(message, {})]);
        yield* run('DELETE FROM contact_message WHERE id = ?', [message.id]);
        return yield* queueEmail(letter, message.receivedAt);
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
            readBatch,
          ]),
        );
        yield* found;
        const last = found.at(-1);
        if (!last || found.length < readBatch) return;
        after = last;
      }
    },

    sort: (ids, { folder, isRead, now }) =>
      database.write(function* () {
        yield* run(sorting, [
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
        // The email about spam and the summary cover other people, too: the next ones include them again.
        yield* run(
          `UPDATE contact_message
           SET letter = CASE WHEN letter LIKE '${summaryMark}-%' THEN '${summaryMark}' END
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
        const untold = `folder = 'spam' AND m.letter IS NULL AND is_read = 0`;
        const all = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message AS m WHERE ${untold}`,
        );
        if (all === 0) return false;
        const newest = yield* messages(`WHERE ${untold} ORDER BY received_at DESC, m.id LIMIT ?`, [
          named,
        ]);
        const letter = write(newest, all);
        if (!(yield* queueEmail(letter, now))) return false;
        yield* run(`UPDATE contact_message AS m SET letter = ? WHERE ${untold}`, [letter.id]);
        return true;
      }),

    summarize: (now, write) =>
      database.write(function* () {
        const oldest = yield* get<{ at: number | null }>(
          `SELECT min(received_at) AS at FROM contact_message WHERE letter = '${summaryMark}'`,
        );
        const waited = now - (oldest?.at ?? now);
        // A message from the future was dated by a clock that was ahead.
        if (waited >= 0 && waited < summaryWait) return false;
        const some = yield* messages(`JOIN ${nextForSummary} ORDER BY received_at, m.id`, [], {
          text: `CASE WHEN suspicions IS NULL THEN message
            ELSE substr(message, 1, ${lineCharacters}) END`,
        });
        if (some.length === 0) return false;
        const email = write(some);
        yield* queueEmail(email, now);
        yield* run(summarized, [email.id, JSON.stringify(some.map(({ id }) => [id]))]);
        return true;
      }),

    flood: (now) =>
      database.read(function* () {
        const inLastHour = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message WHERE received_at > ? AND folder <> 'spam'`,
          [now - summaryWait],
        );
        const marked = yield* numberOf(
          `SELECT count(*) AS n FROM contact_message WHERE letter = '${summaryMark}'`,
        );
        const queued = yield* all<{ id: string }>(
          `SELECT id FROM outbox WHERE state = 'waiting' AND id LIKE '${summaryMark}-%'`,
        );
        if (queued.length === 0) return { inLastHour, waiting: marked };
        const ids = JSON.stringify(queued.map(({ id }) => [id]));
        return { inLastHour, waiting: marked + (yield* numberOf(inSummaries, [ids])) };
      }),
  };
}

/** Whether no email about the message is still to be sent. */
const isSettled = `letter IS DISTINCT FROM '${summaryMark}' AND NOT EXISTS (
  SELECT 1 FROM outbox WHERE outbox.id = contact_message.letter AND outbox.letter IS NOT NULL)`;

/** Null leaves a column as it is. */
const sorting = sql`UPDATE contact_message SET
    moved_at = CASE WHEN folder <> CAST(? AS text) THEN CAST(? AS bigint) ELSE moved_at END,
    folder = coalesce(CAST(? AS text), folder), is_read = coalesce(CAST(? AS bigint), is_read)
  WHERE id IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

/** The next messages that fit into one summary, along the index of those that wait; at least one. */
const nextForSummary = `(
  SELECT id FROM (
    SELECT id, bytes, sum(bytes) OVER (ORDER BY received_at, id) AS total FROM (
      SELECT id, received_at, CASE WHEN suspicions IS NULL
          THEN octet_length(message) + octet_length(name) + octet_length(email)
            + coalesce(octet_length(company), 0) + ${aroundMessage}
          ELSE ${doubtfulLine} END AS bytes
      FROM contact_message WHERE letter = '${summaryMark}'
      ORDER BY received_at, id LIMIT ${summaryRows}) AS waiting) AS measured
  WHERE total <= ${summaryBytes} OR total = bytes) AS next ON next.id = m.id`;

/** Messages of these summaries. The bounds are those of the index. */
const inSummaries = sql`SELECT count(*) AS n FROM contact_message
  WHERE letter >= '${summaryMark}-' AND letter < '${summaryMark}.'
    AND letter IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

const summarized = sql`UPDATE contact_message SET letter = ?
  WHERE id IN (SELECT id FROM ${jsonRows({ id: 'text' })} AS named)`;

/** The one number that a question comes to, in its column n. */
function* numberOf(question: string | Sql, values: readonly Value[] = []): Statements<number> {
  const row = yield* get<{ n: number }>(question, values);
  return row?.n ?? 0;
}

/** A message as its row, and its letter. */
interface Entry {
  row: (string | number | null)[];
  letter: OutboxEmail | undefined;
  receivedAt: number;
}

/** Throws when anything in it cannot be stored, before it can keep others from being so. */
function entryOf(
  { id, receivedAt, name, email, company, message }: ContactMessage,
  {
    email: letter,
    isForSummary = false,
    idempotencyKey: draft,
    folder = 'inbox',
    suspicions = [],
  }: StoreOptions,
): Entry {
  const row = [
    id,
    receivedAt,
    name,
    email,
    company,
    message,
    draft ?? null,
    folder,
    suspicions.join(' ') || null,
    isForSummary ? summaryMark : (letter?.id ?? null),
  ];
  return { row: row.map(storable), letter, receivedAt };
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
const keeping = sql`INSERT INTO contact_message (${names.join(', ')})
  ${{
    sqlite: `VALUES (${names.map(() => '?').join(', ')})`,
    postgres: `SELECT ${names.join(', ')} FROM ${jsonRows(columns).postgres} AS sent`,
  }}
  ON CONFLICT (draft) WHERE draft IS NOT NULL DO NOTHING
  ${{ sqlite: '', postgres: 'RETURNING id' }}`;

/** Keeps messages and their letters; for each whether it was new. */
function* addAll(entries: readonly Entry[]): Statements<boolean[]> {
  const isNew = yield* each(
    keeping,
    entries.map(({ row }) => row),
  );
  for (const { letter, receivedAt } of entries.filter((_, i) => isNew[i])) {
    if (letter) yield* queueEmail(letter, receivedAt);
  }
  return isNew;
}

type Row = ContactMessage &
  DeliveryRow & {
    folder: Folder;
    isRead: number;
    suspicions: string | null;
    letterId: string | null;
  };

/**
 * Messages with the delivery of their emails. `rest` says which, in what order; `text` is the expression
 * that reads their text.
 */
function* messages(
  rest: string | Sql,
  values: readonly (string | number)[],
  { text = 'message' } = {},
): Statements<StoredMessage[]> {
  const rows = yield* all<Row>(
    sql`SELECT m.id, received_at AS "receivedAt", name, email, company, ${text} AS message,
            folder, is_read AS "isRead", suspicions, m.letter AS "letterId", ${deliveryColumns}
     FROM contact_message AS m LEFT JOIN outbox ON outbox.id = m.letter ${rest}`,
    values,
  );
  return rows.map(
    ({ state, settledAt, dueAt, attempts, error, isRead, suspicions, letterId, ...message }) => ({
      ...message,
      isRead: isRead === 1,
      suspicions: (suspicions?.split(' ') ?? []) as SpamSign[],
      delivery:
        letterId === summaryMark
          ? { state: 'waiting', dueAt: message.receivedAt + summaryWait, attempts: 0, error: null }
          : deliveryOf({ state, settledAt, dueAt, attempts, error }),
    }),
  );
}

/** Whether a text is in a message, in any of these. */
const holdsText = joined(['name', 'email', "coalesce(company, '')", 'message'].map(isLike), ' OR ');

/** What is unread, and below it what was read: each a list of its own along the index. */
function* page({ folder, limit, after, search }: ListOptions): Statements<StoredMessage[]> {
  const found: StoredMessage[] = [];
  const like = search === undefined ? '' : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const matches = search === undefined ? '' : sql`AND (${holdsText})`;
  for (const isRead of after?.isRead ? [true] : [false, true]) {
    const begin = after?.isRead === isRead ? after : undefined;
    found.push(
      ...(yield* messages(
        sql`WHERE folder = ? AND is_read = ? ${begin ? 'AND (received_at, m.id) < (?, ?)' : ''} ${matches}
         ORDER BY received_at DESC, m.id DESC LIMIT ?`,
        [
          folder,
          Number(isRead),
          ...(begin ? [begin.receivedAt, begin.id] : []),
          ...(search === undefined ? [] : [like, like, like, like]),
          limit - found.length,
        ],
      )),
    );
  }
  return found;
}
