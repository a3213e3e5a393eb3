import { type FieldName, fieldNames } from '../contract/contact-fields.ts';
import { columns, computed, count } from '../database/columns.ts';
import {
  all,
  type Database,
  readInBatches,
  run,
  type Statements,
  writeUntilDone,
} from '../database/database.ts';
import { idList, listedIds } from '../database/id-list.ts';
import { equalsIgnoringCase, isLike, joined, type Sql, sql } from '../database/sql.ts';
import type { OutboxEmail } from '../email/email.ts';
import { queueEmail, unsentEmails, withdrawTestsBefore } from '../email/store.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import {
  type ContactMessage,
  type Folder,
  type FolderCount,
  type ListOptions,
  rowOverhead,
  type StoredMessage,
  type StoreOptions,
} from './message.ts';
import { addMessage, awaitsSummary, delivered, fieldBytes, number, numberOf } from './rows.ts';
import {
  eraseEmailsAbout,
  floodBefore,
  reportSpam,
  summarize,
  type WriteSpamReport,
  type WriteSummary,
} from './summary-sql.ts';

/** Maximum rows per transaction of a deletion, so that visitors' writes can interleave. */
const deleteBatch = 1000;

/** Maximum bytes of the messages of a page, unless its first message alone is longer. */
const pageBytes = 1_000_000;

/** Rows per query of `all`: each may hold a megabyte. */
const exportBatch = 20;

interface MessagePage {
  messages: StoredMessage[];
  /** Whether messages follow. */
  hasMore: boolean;
}

export type ContactStore = ReturnType<typeof createContactStore>;

/** Creates the store of contact messages. */
export function createContactStore(database: Database) {
  return {
    /**
     * Stores a message and its email, if any, in one transaction. Resolves once both are on disk; false,
     * without a change, when the idempotency key was stored before.
     */
    add: (message: ContactMessage, options?: StoreOptions) =>
      database.write(() => addMessage(message, options)),

    /**
     * Self-test: stores a message, deletes it and queues its email, in one transaction, so that the
     * message is never visible. Withdraws earlier ones. Returns false when an email with this id was queued before.
     */
    addTest: (message: ContactMessage, email: OutboxEmail) =>
      database.write(function* () {
        yield* addMessage(message);
        yield* run('DELETE FROM contact_message WHERE id = ?', [message.id]);
        yield* withdrawTestsBefore(email.id);
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
     * One page of a folder: unread first, then the newest first; fewer than `limit` where they are long. Uses
     * keyset pagination, so the cost does not grow with the table.
     */
    page: (options: ListOptions) => database.read(() => page(options)),

    /** Every message, the oldest first, read in batches. */
    all: (): AsyncIterable<StoredMessage> =>
      readInBatches(
        database,
        (last: StoredMessage | undefined, limit) =>
          delivered('WHERE (received_at, id) > (?, ?) ORDER BY received_at, id LIMIT ?', [
            last?.receivedAt ?? Number.MIN_SAFE_INTEGER,
            last?.id ?? '',
            limit,
          ]),
        exportBatch,
      ),

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
          idList(ids),
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
        yield* eraseEmailsAbout(email);
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
        return yield* run(deleteOld, [before, idList(yield* unsentEmails())]);
      }),

    /** The same for messages that were moved to the spam folder before `before`. */
    deleteOldSpam: (before: number) =>
      writeUntilDone(database, function* () {
        return yield* run(deleteOldSpam, [before, idList(yield* unsentEmails())]);
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

    reportSpam: (now: number, write: WriteSpamReport) =>
      database.write(() => reportSpam(now, write)),

    summarize: (now: number, write: WriteSummary) => database.write(() => summarize(now, write)),

    flood: (now: number) => database.read(() => floodBefore(now)),
  };
}

const countByFolder = sql`SELECT ${columns('contact_message', 'folder', {
  all: count,
  unread: computed<number>('count(*) FILTER (WHERE is_read = 0)'),
})} FROM contact_message GROUP BY folder`;

const countAll = sql`SELECT ${number} FROM contact_message`;
const countUnread = sql`SELECT ${number} FROM contact_message
  WHERE folder = 'inbox' AND is_read = 0`;
const sumSpamBytes = sql`SELECT ${columns('contact_message', {
  n: computed<number>(`coalesce(sum(${rowOverhead} + ${fieldBytes}), 0)`),
})} FROM contact_message WHERE folder = 'spam'`;

/** Deletes up to `deleteBatch` messages. */
const deleteWhere = (condition: string | Sql) => sql`DELETE FROM contact_message WHERE id IN (
  SELECT id FROM contact_message WHERE ${condition} LIMIT ${deleteBatch})`;

/** Condition: no email about the message is still to be sent. The parameter lists the unsent emails. */
const isSettled = sql`email_id IS DISTINCT FROM '${awaitsSummary}'
  AND (email_id IS NULL OR email_id NOT IN ${listedIds})`;

const deleteOld = deleteWhere(sql`received_at < ? AND ${isSettled}`);
const deleteOldSpam = deleteWhere(
  sql`folder = 'spam' AND coalesce(moved_at, received_at) < ? AND ${isSettled}`,
);
const deleteSpam = deleteWhere(`folder = 'spam' AND received_at <= ?`);

/** Updates folder and read state; a null parameter leaves its column unchanged. */
const updateMessages = sql`UPDATE contact_message SET
    moved_at = CASE WHEN folder <> CAST(? AS text) THEN CAST(? AS bigint) ELSE moved_at END,
    folder = coalesce(CAST(? AS text), folder), is_read = coalesce(CAST(? AS bigint), is_read)
  WHERE id IN ${listedIds}`;

/** The pattern that finds a search text in a field. Addresses have domains in ASCII. */
const likeIn = (field: FieldName, search: string) =>
  `%${(field === 'email' ? withAsciiDomain(search) : search).replace(/[\\%_]/g, '\\$&')}%`;

/** Condition: one of the fields contains a search text. */
const searched = fieldNames.map((name) => `coalesce(${name}, '')`);
const containsText = joined(searched.map(isLike), ' OR ');

const sized = columns('contact_message', 'id', { bytes: computed<number>(fieldBytes) });

/** Finds unread messages, then read ones. Each is a separate query, since both follow the index. */
function* page({ folder, limit, after, search }: ListOptions): Statements<MessagePage> {
  const found: { id: string; bytes: number }[] = [];
  const matches = search === undefined ? '' : sql`AND (${containsText})`;
  for (const isRead of after?.isRead ? [true] : [false, true]) {
    const start = after?.isRead === isRead ? after : undefined;
    found.push(
      ...(yield* all(
        sql`SELECT ${sized} FROM contact_message
         WHERE folder = ? AND is_read = ? ${start ? 'AND (received_at, id) < (?, ?)' : ''} ${matches}
         ORDER BY received_at DESC, id DESC LIMIT ?`,
        [
          folder,
          Number(isRead),
          ...(start ? [start.receivedAt, start.id] : []),
          ...(search === undefined ? [] : fieldNames.map((name) => likeIn(name, search))),
          limit + 1 - found.length,
        ],
      )),
    );
  }
  let total = 0;
  const shown = found.slice(0, limit).filter(({ bytes }, i) => {
    total += bytes;
    return i === 0 || total <= pageBytes;
  });
  const messages = yield* delivered(
    sql`WHERE id IN ${listedIds} ORDER BY is_read, received_at DESC, id DESC`,
    [idList(shown.map(({ id }) => id))],
  );
  return { messages, hasMore: shown.length < found.length };
}
