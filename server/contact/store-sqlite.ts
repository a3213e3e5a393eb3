import type { Sqlite } from '../database/sqlite.ts';
import { eraseLetters, queueLetter } from '../mail/store-sqlite.ts';
import type { ContactMessage, ContactStore } from './store.ts';

/** Most rows one transaction deletes: the visitors' writes get in between. */
const batch = 1000;

export function createSqliteContactStore(database: Sqlite): ContactStore {
  return {
    add: ({ id, receivedAt, name, email, company, message }, letter) =>
      database.write((tx) => {
        tx.run(
          `INSERT INTO contact_message (id, received_at, name, email, company, message)
           VALUES (?, ?, ?, ?, ?, ?)`,
          [id, receivedAt, name, email, company, message],
        );
        if (letter) queueLetter(tx, letter, receivedAt);
      }),

    list: async ({ limit }) =>
      database.read((tx) =>
        tx.all<ContactMessage>(
          `SELECT id, received_at AS receivedAt, name, email, company, message
           FROM contact_message ORDER BY received_at DESC, id LIMIT ?`,
          [limit],
        ),
      ),

    from: async (email) =>
      database.read((tx) =>
        tx.all<ContactMessage>(
          `SELECT id, received_at AS receivedAt, name, email, company, message
           FROM contact_message WHERE email = ? COLLATE NOCASE ORDER BY received_at DESC, id`,
          [email],
        ),
      ),

    erase: (email) =>
      database.write((tx) => {
        eraseLetters(tx, email);
        return tx.run('DELETE FROM contact_message WHERE email = ? COLLATE NOCASE', [email]);
      }),

    async forget(before) {
      for (let deleted = 0; ; ) {
        const some = await database.write((tx) =>
          tx.run(
            `DELETE FROM contact_message WHERE id IN (
               SELECT id FROM contact_message
               WHERE received_at < ? AND NOT EXISTS (
                 SELECT 1 FROM outbox WHERE outbox.id = 'contact-' || contact_message.id
                 AND outbox.letter IS NOT NULL)
               LIMIT ${batch})`,
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
  };
}
