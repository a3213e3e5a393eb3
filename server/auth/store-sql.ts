import { clockSkew } from '../database/clock-skew.ts';
import { all, type Database, get, run, type Statements } from '../database/database.ts';
import { jsonRows, sql } from '../database/sql.ts';
import { queueEmail } from '../email/store-sql.ts';
import { absoluteLimit, idleLimit } from './sessions.ts';
import { linkLifetimeMs } from './sign-in-link.ts';
import type { AdminSession, AuthStore, SignInAttempts, SignInRecord } from './store.ts';

const hour = 60 * 60_000;

/** Creates the store of the password, sessions and sign-in attempts. */
export function createAuthStore(database: Database): AuthStore {
  return {
    passwordHash: () => database.read(passwordHash),

    setPasswordHash: (hash, at) => database.write(() => setPasswordHash(hash, at)),

    replacePasswordHash: (current, hash, at) =>
      database.write(function* () {
        if ((yield* passwordHash()) !== current) return false;
        yield* setPasswordHash(hash, at);
        return true;
      }),

    addSession: (session, hash, record) =>
      database.write(function* () {
        if ((yield* passwordHash()) !== hash) return false;
        yield* startSession(session, record);
        return true;
      }),

    async addSessionByLink(session, tokenHash, record) {
      const now = session.createdAt;
      // A link that expires too late was created by a clock that was ahead.
      const isValid = 'token_hash = ? AND expires_at > ? AND expires_at <= ?';
      const values = [tokenHash, now, now + linkLifetimeMs + clockSkew];
      // Rejects a wrong link by a read, so that a flood of them causes no writes.
      const found = await database.read(() =>
        get(`SELECT 1 AS one FROM sign_in_link WHERE ${isValid}`, values),
      );
      if (!found) return undefined;
      return database.write(function* () {
        const consumed = yield* run(`DELETE FROM sign_in_link WHERE ${isValid}`, values);
        if (consumed === 0) return undefined;
        yield* startSession(session, record);
        return yield* passwordHash();
      });
    },

    setSignInLink: ({ tokenHash, expiresAt }) =>
      database.write(function* () {
        if ((yield* passwordHash()) === undefined) return false;
        yield* run(
          `INSERT INTO sign_in_link (id, token_hash, expires_at) VALUES (1, ?, ?)
           ON CONFLICT (id) DO UPDATE
           SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
          [tokenHash, expiresAt],
        );
        return true;
      }),

    addAttempts: (attempts) => database.write(() => addAttempts(attempts)),

    attempts: (limit) =>
      database.read(() =>
        all<SignInAttempts>(
          `SELECT method, result, address, browser, n, last_at AS "lastAt" FROM sign_in_attempt
           ORDER BY last_at DESC, address, browser, method, result LIMIT ?`,
          [limit],
        ),
      ),

    deleteOldAttempts: ({ before, most }) =>
      database.write(() =>
        run(
          `DELETE FROM sign_in_attempt WHERE hour < ? OR (result <> 'accepted' AND hour <= (
             SELECT hour FROM sign_in_attempt WHERE result <> 'accepted'
             ORDER BY hour DESC LIMIT 1 OFFSET ?))`,
          [before, most],
        ),
      ),

    sessions: () =>
      database.read(() => all<AdminSession>(`${selectSessions} ORDER BY seen_at DESC, id_hash`)),

    session: (idHash) =>
      database.read(() => get<AdminSession>(`${selectSessions} WHERE id_hash = ?`, [idHash])),

    touchSession: (idHash, seenAt) =>
      database.write(function* () {
        yield* run('UPDATE admin_session SET seen_at = ? WHERE id_hash = ?', [seenAt, idHash]);
      }),

    removeSession: (idHash) =>
      database.write(function* () {
        yield* run('DELETE FROM admin_session WHERE id_hash = ?', [idHash]);
      }),

    signOutEverywhere: (at) => database.write(() => endAllSessions(at)),

    signedOutAt: async () => {
      const row = await database.read(() =>
        get<{ at: number }>('SELECT signed_out_at AS at FROM admin_credential'),
      );
      return row?.at ?? 0;
    },
  };
}

const selectSessions = `SELECT id_hash AS "idHash", created_at AS "createdAt", seen_at AS "seenAt", browser
  FROM admin_session`;

function* startSession(
  { idHash, createdAt, seenAt, browser }: AdminSession,
  { attempt, replaces, email }: SignInRecord = {},
): Statements<void> {
  yield* run('DELETE FROM admin_session WHERE created_at < ? OR seen_at < ? OR id_hash = ?', [
    createdAt - absoluteLimit,
    createdAt - idleLimit,
    replaces ?? '',
  ]);
  yield* run(
    'INSERT INTO admin_session (id_hash, created_at, seen_at, browser) VALUES (?, ?, ?, ?)',
    [idHash, createdAt, seenAt, browser],
  );
  if (attempt) yield* addAttempts([attempt]);
  if (email) yield* queueEmail(email, createdAt);
}

/** Adds attempts by one statement, to hold the write lock of all instances only briefly. */
function* addAttempts(attempts: readonly SignInAttempts[]): Statements<void> {
  const rows = attempts.map(({ method, result, address, browser, n, lastAt }) => [
    lastAt - (lastAt % hour),
    address,
    browser,
    method,
    result,
    n,
    lastAt,
  ]);
  yield* run(upsertAttempts, [JSON.stringify(rows)]);
}

const keyColumns = 'hour, address, browser, method, result';
const attemptColumns = {
  hour: 'integer',
  address: 'text',
  browser: 'text',
  method: 'text',
  result: 'text',
  n: 'integer',
  last_at: 'integer',
} as const;

/** `last_at` keeps the later time: clocks of instances differ, and a failed write is retried later. */
const upsertAttempts = sql`INSERT INTO sign_in_attempt (${keyColumns}, n, last_at)
  SELECT ${keyColumns}, sum(n), max(last_at) FROM ${jsonRows(attemptColumns)} AS added
  GROUP BY ${keyColumns}
  ON CONFLICT (${keyColumns}) DO UPDATE
  SET n = sign_in_attempt.n + excluded.n,
    last_at = ${{ sqlite: 'max', postgres: 'greatest' }}(sign_in_attempt.last_at, excluded.last_at)`;

function* passwordHash(): Statements<string | undefined> {
  const row = yield* get<{ hash: string }>('SELECT password_hash AS hash FROM admin_credential');
  return row?.hash;
}

function* setPasswordHash(hash: string, at: number): Statements<void> {
  yield* run(
    `INSERT INTO admin_credential (id, password_hash, changed_at) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET password_hash = excluded.password_hash, changed_at = excluded.changed_at`,
    [hash, at],
  );
  yield* endAllSessions(at);
}

function* endAllSessions(at: number): Statements<void> {
  yield* run('DELETE FROM sign_in_link');
  yield* run('DELETE FROM admin_session');
  yield* run('UPDATE admin_credential SET signed_out_at = ?', [at]);
}
