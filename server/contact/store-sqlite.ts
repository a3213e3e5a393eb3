import type { Sqlite } from '../database/sqlite.ts';
import { queueLetter } from '../mail/store-sqlite.ts';
import type { ContactMessage, ContactStore } from './store.ts';

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

    count: async () =>
      database.read(
        (tx) => tx.get<{ n: number }>('SELECT count(*) AS n FROM contact_message')?.n ?? 0,
      ),
  };
}
