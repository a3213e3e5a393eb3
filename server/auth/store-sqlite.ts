import type { Sqlite, Tx } from '../database/sqlite.ts';
import type { AdminSession, AuthStore } from './store.ts';

export function createSqliteAuthStore(database: Sqlite): AuthStore {
  return {
    passwordHash: async () =>
      database.read(
        (tx) =>
          tx.get<{ hash: string }>('SELECT password_hash AS hash FROM admin_credential')?.hash,
      ),

    setPasswordHash: (hash, at) =>
      database.write((tx) => {
        tx.run(
          `INSERT INTO admin_credential (id, password_hash, changed_at) VALUES (1, ?, ?)
           ON CONFLICT (id) DO UPDATE
           SET password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
          [hash, at],
        );
        endAll(tx, at);
      }),

    setFirstPasswordHash: (hash, at) =>
      database.write(
        (tx) =>
          tx.run(
            `INSERT INTO admin_credential (id, password_hash, changed_at) VALUES (1, ?, ?)
             ON CONFLICT DO NOTHING`,
            [hash, at],
          ) > 0,
      ),

    addSession: ({ idHash, createdAt, seenAt, browser }, passwordHash) =>
      database.write(
        (tx) =>
          tx.run(
            `INSERT INTO admin_session (id_hash, created_at, seen_at, browser)
             SELECT ?, ?, ?, ? FROM admin_credential WHERE password_hash = ?`,
            [idHash, createdAt, seenAt, browser, passwordHash],
          ) > 0,
      ),

    sessions: async () =>
      database.read((tx) => tx.all<AdminSession>(`${sessionRows} ORDER BY seen_at DESC, id_hash`)),

    session: async (idHash) =>
      database.read((tx) => tx.get<AdminSession>(`${sessionRows} WHERE id_hash = ?`, [idHash])),

    touchSession: (idHash, seenAt) =>
      database.write((tx) => {
        tx.run('UPDATE admin_session SET seen_at = ? WHERE id_hash = ?', [seenAt, idHash]);
      }),

    removeSession: (idHash) =>
      database.write((tx) => {
        tx.run('DELETE FROM admin_session WHERE id_hash = ?', [idHash]);
      }),

    signOutEverywhere: (at) => database.write((tx) => endAll(tx, at)),

    signedOutAt: async () =>
      database.read(
        (tx) => tx.get<{ at: number }>('SELECT signed_out_at AS at FROM admin_credential')?.at ?? 0,
      ),

    removeStaleSessions: ({ createdBefore, seenBefore }) =>
      database.write((tx) => {
        tx.run('DELETE FROM admin_session WHERE created_at < ? OR seen_at < ?', [
          createdBefore,
          seenBefore,
        ]);
      }),
  };
}

const sessionRows = `SELECT id_hash AS idHash, created_at AS createdAt, seen_at AS seenAt, browser
  FROM admin_session`;

function endAll(tx: Tx, at: number): void {
  tx.run('DELETE FROM admin_session');
  tx.run('UPDATE admin_credential SET signed_out_at = ?', [at]);
}
