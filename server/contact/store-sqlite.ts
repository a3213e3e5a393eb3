import type { Sqlite, Tx } from '../database/sqlite.ts';
import {
  type DeliveryRow,
  deliveryColumns,
  deliveryOf,
  eraseLetters,
  queueLetter,
} from '../mail/store-sqlite.ts';
import type {
  ContactMessage,
  ContactStore,
  Folder,
  FolderCount,
  KeepOptions,
  KeptMessage,
  ListOptions,
  Suspicion,
} from './store.ts';

type Reader = Pick<Tx, 'all'>;

/** How many messages the letter about spam names. */
const named = 20;

/** How many messages are read at once for a file. */
const readBatch = 200;

/** Most rows one transaction deletes: the visitors' writes get in between. */
const deleteBatch = 1000;

export function createSqliteContactStore(database: Sqlite): ContactStore {
  return {
    add: (message, options = {}) => database.write((tx) => add(tx, message, options)),

    rehearse: (message, letter) =>
      database.write((tx) => {
        add(tx, message, {});
        tx.run('DELETE FROM contact_message WHERE id = ?', [message.id]);
        return queueLetter(tx, letter, message.receivedAt);
      }),

    list: async ({ limit, folder }) =>
      database.read((tx) =>
        folder === undefined
          ? messages(tx, 'ORDER BY received_at DESC, m.id LIMIT ?', [limit])
          : messages(tx, 'WHERE folder = ? ORDER BY received_at DESC, m.id LIMIT ?', [
              folder,
              limit,
            ]),
      ),

    page: async (options) => database.read((tx) => page(tx, options)),

    async *all() {
      let after: Pick<ContactMessage, 'receivedAt' | 'id'> = {
        receivedAt: Number.MIN_SAFE_INTEGER,
        id: '',
      };
      for (;;) {
        const { receivedAt, id } = after;
        const found = database.read((tx) =>
          messages(tx, 'WHERE (received_at, m.id) > (?, ?) ORDER BY received_at, m.id LIMIT ?', [
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

    sort: (ids, { folder, isRead }) =>
      database.write((tx) => {
        for (const id of ids) {
          if (folder !== undefined) {
            tx.run('UPDATE contact_message SET folder = ? WHERE id = ?', [folder, id]);
          }
          if (isRead !== undefined) {
            tx.run('UPDATE contact_message SET is_read = ? WHERE id = ?', [Number(isRead), id]);
          }
        }
      }),

    counts: async () =>
      database.read((tx) => {
        const counts: Record<Folder, FolderCount> = {
          inbox: { all: 0, unread: 0 },
          archive: { all: 0, unread: 0 },
          spam: { all: 0, unread: 0 },
        };
        const rows = tx.all<FolderCount & { folder: Folder }>(
          `SELECT folder, count(*) AS "all", sum(is_read = 0) AS unread
           FROM contact_message GROUP BY folder`,
        );
        for (const { folder, all, unread } of rows) counts[folder] = { all, unread };
        return counts;
      }),

    unread: async () =>
      database.read(
        (tx) =>
          tx.get<{ n: number }>(
            `SELECT count(*) AS n FROM contact_message WHERE folder = 'inbox' AND is_read = 0`,
          )?.n ?? 0,
      ),

    from: async (email) =>
      database.read((tx) =>
        messages(tx, 'WHERE email = ? COLLATE NOCASE ORDER BY received_at DESC, m.id', [email]),
      ),

    erase: (email) =>
      database.write((tx) => {
        eraseLetters(tx, email);
        // A letter about spam tells of others, too: they are told of again.
        tx.run(
          `UPDATE contact_message SET letter = NULL
           WHERE letter IN (SELECT id FROM outbox WHERE state = 'erased')`,
        );
        return tx.run('DELETE FROM contact_message WHERE email = ? COLLATE NOCASE', [email]);
      }),

    async forget(before) {
      for (let deleted = 0; ; ) {
        const some = await database.write((tx) =>
          tx.run(
            `DELETE FROM contact_message WHERE id IN (
               SELECT id FROM contact_message
               WHERE received_at < ? AND NOT EXISTS (
                 SELECT 1 FROM outbox WHERE outbox.id = contact_message.letter
                 AND outbox.letter IS NOT NULL)
               LIMIT ${deleteBatch})`,
            [before],
          ),
        );
        if (some === 0) return deleted;
        deleted += some;
      }
    },

    count: async () =>
      database.read(
        (tx) => tx.get<{ n: number }>('SELECT count(*) AS n FROM contact_message')?.n ?? 0,
      ),

    tellOfSpam: (now, write) =>
      database.write((tx) => {
        const untold = `folder = 'spam' AND m.letter IS NULL AND is_read = 0`;
        const all =
          tx.get<{ n: number }>(`SELECT count(*) AS n FROM contact_message AS m WHERE ${untold}`)
            ?.n ?? 0;
        if (all === 0) return false;
        const newest = messages(tx, `WHERE ${untold} ORDER BY received_at DESC, m.id LIMIT ?`, [
          named,
        ]);
        const letter = write(newest, all);
        if (!queueLetter(tx, letter, now)) return false;
        tx.run(`UPDATE contact_message AS m SET letter = ? WHERE ${untold}`, [letter.id]);
        return true;
      }),
  };
}

function add(
  tx: Tx,
  { id, receivedAt, name, email, company, message }: ContactMessage,
  { letter, draft, suspicions = [] }: KeepOptions,
): boolean {
  const isSpam = suspicions.length > 0;
  const added = tx.run(
    `INSERT INTO contact_message
       (id, received_at, name, email, company, message, draft, folder, suspicions, letter)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (draft) WHERE draft IS NOT NULL DO NOTHING`,
    [
      id,
      receivedAt,
      name,
      email,
      company,
      message,
      draft ?? null,
      isSpam ? 'spam' : 'inbox',
      isSpam ? suspicions.join(' ') : null,
      letter?.id ?? null,
    ],
  );
  if (added === 0) return false;
  if (letter) queueLetter(tx, letter, receivedAt);
  return true;
}

type Row = ContactMessage &
  DeliveryRow & { folder: Folder; isRead: number; suspicions: string | null };

/** Messages with what became of their letters. `rest` says which, in what order. */
function messages(tx: Reader, rest: string, values: readonly (string | number)[]): KeptMessage[] {
  return tx
    .all<Row>(
      `SELECT m.id, received_at AS receivedAt, name, email, company, message,
              folder, is_read AS isRead, suspicions, ${deliveryColumns}
       FROM contact_message AS m LEFT JOIN outbox ON outbox.id = m.letter ${rest}`,
      values,
    )
    .map(({ state, settledAt, dueAt, attempts, error, isRead, suspicions, ...message }) => ({
      ...message,
      isRead: isRead === 1,
      suspicions: (suspicions?.split(' ') ?? []) as Suspicion[],
      delivery: deliveryOf({ state, settledAt, dueAt, attempts, error }),
    }));
}

/** What is unread, and below it what was read: each a list of its own along the index. */
function page(tx: Reader, { folder, limit, after, search }: ListOptions): KeptMessage[] {
  const found: KeptMessage[] = [];
  const like = search === undefined ? '' : `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const holds = (column: string) => `${column} LIKE ? ESCAPE '\\'`;
  const matches =
    search === undefined
      ? ''
      : `AND (${['name', 'email', "ifnull(company, '')", 'message'].map(holds).join(' OR ')})`;
  for (const isRead of after?.isRead ? [true] : [false, true]) {
    const begin = after?.isRead === isRead ? after : undefined;
    found.push(
      ...messages(
        tx,
        `WHERE folder = ? AND is_read = ? ${begin ? 'AND (received_at, m.id) < (?, ?)' : ''} ${matches}
         ORDER BY received_at DESC, m.id DESC LIMIT ?`,
        [
          folder,
          Number(isRead),
          ...(begin ? [begin.receivedAt, begin.id] : []),
          ...(search === undefined ? [] : [like, like, like, like]),
          limit - found.length,
        ],
      ),
    );
  }
  return found;
}
