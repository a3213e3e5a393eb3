import { columns, computed, handTyped } from '../database/columns.ts';
import { all, type Database, exists, get, run, type Statements } from '../database/database.ts';
import { logAct, type OwnerAct } from '../database/owner-log.ts';
import { type Row, schema } from '../database/schema.ts';
import { jsonRows, sql } from '../database/sql.ts';
import type { OutboxEmail } from '../email/email.ts';
import { type ReportedAct, recordAct } from '../email/owner-notice.ts';
import { queueEmail } from '../email/store.ts';
import { clockSkew, dayMs, hourMs, minuteMs } from '../time/units.ts';
import { ApiError } from '../trpc/errors.ts';

/** A session of a signed-in browser. Times are milliseconds since 1970, UTC. */
export interface AdminSession {
  /** SHA-256 of the id in the cookie, so that a stolen table contains no usable session. */
  idHash: string;
  createdAt: number;
  seenAt: number;
  /** Name from `browserName`, such as 'Firefox on Linux'. */
  browser: string;
  /** When the owner last typed the password, or signed in. */
  confirmedAt: number;
}

type NewSession = Omit<AdminSession, 'confirmedAt'>;

export type SignInMethod = Row<'sign_in_attempt'>['method'];

/** `wrong`: the password or the link was wrong. `throttled`: it was not checked. */
export type SignInResult = Row<'sign_in_attempt'>['result'];

/** The number of attempts in one hour with the same method, result, address and browser. */
export interface SignInAttempts {
  method: SignInMethod;
  result: SignInResult;
  /** An IPv4 address, or the /64 network of an IPv6 one. */
  address: string;
  /** As in `AdminSession`. */
  browser: string;
  n: number;
  /** Time of the last attempt, milliseconds since 1970, UTC. */
  lastAt: number;
}

/** Stored together with a new session. */
export interface SignInRecord {
  attempt?: SignInAttempts;
  /** The earlier session of this browser, which ends. */
  replaces?: string | undefined;
  /** The email to the owner about the sign-in. */
  email?: OutboxEmail | undefined;
}

export type AuthStore = ReturnType<typeof createAuthStore>;

/** A session expires after this long without a request, in ms. */
export const idleLimit = 30 * dayMs;
/** A session expires at this age, in ms. */
export const absoluteLimit = 90 * dayMs;
/** Lifetime of a sign-in link in ms. */
export const linkLifetimeMs = 15 * minuteMs;

/** Creates the store of the password, sessions and sign-in attempts. */
export function createAuthStore(database: Database) {
  return {
    /** Hash of the admin's password; undefined while none is set. */
    passwordHash: () => database.read(passwordHash),

    /** Hash of the set-up code; undefined once the set-up is closed. */
    setupCodeHash: async () => {
      const row = await database.read(() => get(selectCredential));
      return row?.setup_code_at === row?.changed_at
        ? (row?.setup_code_hash ?? undefined)
        : undefined;
    },

    /** Replaces the set-up code by another one, or closes the set-up (null). Does nothing once it is closed. */
    replaceSetupCodeHash: (codeHash: string | null) =>
      database.write(function* () {
        yield* run(
          `UPDATE admin_credential SET setup_code_hash = ?
           WHERE setup_code_hash IS NOT NULL AND setup_code_at = changed_at`,
          [codeHash],
        );
      }),

    /** Sets the password and closes the set-up, by `setUpBy`. */
    setUp: (claim: SetupClaim) => database.write(() => setUpBy(claim)),

    /** Sets the password by a command, ends every session and invalidates every known-device token. */
    setPasswordHash: (hash: string, at: number) =>
      database.write(() => setPasswordHash(hash, passwordSetBy('npm run admin -- password', at))),

    /**
     * Does the same by `act` if the stored hash is still `current` (undefined: none), and opens the set-up with a
     * code of this hash. Returns false and changes nothing when another password was set meanwhile.
     */
    replacePasswordHash: (
      current: string | undefined,
      hash: string,
      act: ReportedAct,
      setupCodeHash?: string,
    ) =>
      database.write(function* () {
        if ((yield* passwordHash()) !== current) return false;
        yield* setPasswordHash(hash, act, setupCodeHash);
        return true;
      }),

    /**
     * Starts a session for a password that matched `passwordHash`, and deletes sessions that have ended.
     * Returns false and changes nothing when the password has another hash now.
     */
    addSession: (session: NewSession, hash: string, record?: SignInRecord) =>
      database.write(function* () {
        if ((yield* passwordHash()) !== hash) return false;
        yield* startSession(session, record);
        return true;
      }),

    /**
     * Starts a session with the sign-in link of this hash, and deletes the link. Returns the password's
     * hash, or undefined without a session when the link is not valid at `session.createdAt`.
     */
    async addSessionByLink(session: NewSession, tokenHash: string, record?: SignInRecord) {
      const now = session.createdAt;
      // A link that expires too late was created by a clock that was ahead.
      const isValid = 'token_hash = ? AND expires_at > ? AND expires_at <= ?';
      const values = [tokenHash, now, now + linkLifetimeMs + clockSkew];
      // Rejects a wrong link by a read, so that a flood of them causes no writes.
      const isFound = await database.read(() =>
        exists(`SELECT 1 AS one FROM sign_in_link WHERE ${isValid}`, values),
      );
      if (!isFound) return undefined;
      return database.write(function* () {
        const consumed = yield* run(`DELETE FROM sign_in_link WHERE ${isValid}`, values);
        if (consumed === 0) return undefined;
        yield* startSession(session, record);
        return yield* passwordHash();
      });
    },

    /**
     * Replaces the sign-in link. A new password and `signOutEverywhere` delete it. Returns false and
     * stores nothing while there is no password.
     */
    setSignInLink: ({ tokenHash, expiresAt }: { tokenHash: string; expiresAt: number }) =>
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

    /** Adds to the counts of attempts. */
    addAttempts: (attempts: readonly SignInAttempts[]) =>
      database.write(() => addAttempts(attempts)),

    /** The newest attempts first. */
    attempts: (limit: number): Promise<SignInAttempts[]> =>
      database.read(() => all(selectAttempts, [limit])),

    /**
     * Deletes attempts of hours before `before`, and the oldest hours of refused ones until `most` rows
     * of these are left. Returns how many rows it deleted.
     */
    deleteOldAttempts: ({ before, most }: { before: number; most: number }) =>
      database.write(() =>
        run(
          `DELETE FROM sign_in_attempt WHERE hour < ? OR (result <> 'accepted' AND hour <= (
             SELECT hour FROM sign_in_attempt WHERE result <> 'accepted'
             ORDER BY hour DESC LIMIT 1 OFFSET ?))`,
          [before, most],
        ),
      ),

    /** Adds an act to the owner's log, and queues its notice. */
    logAct: (act: ReportedAct) => database.write(() => recordAct(act)),

    /** The owner's log with sign-ins and refused ones, the newest first, after the entry `before`. */
    entries: (limit: number, before?: EntryKey): Promise<LogEntry[]> => {
      const { at, key } = before ?? { at: Number.MAX_SAFE_INTEGER, key: '' };
      return database.read(() => all(selectEntries, [at, at, key, limit]));
    },

    /** Deletes acts before `before`. Returns how many. */
    deleteOldActs: (before: number) =>
      database.write(() => run('DELETE FROM owner_log WHERE at < ?', [before])),

    /** All sessions, including expired ones, the most recently seen first. */
    sessions: (): Promise<AdminSession[]> => database.read(() => all(selectSessions)),

    session: (idHash: string): Promise<AdminSession | undefined> =>
      database.read(() => get(selectSession, [idHash])),

    touchSession: (idHash: string, seenAt: number) =>
      database.write(function* () {
        yield* run('UPDATE admin_session SET seen_at = ? WHERE id_hash = ?', [seenAt, idHash]);
      }),

    /** Stores that the password was typed, and logs it. Returns false when the session has ended, as by a new password. */
    confirmSession: (idHash: string, act: OwnerAct) =>
      database.write(function* () {
        const confirm = 'UPDATE admin_session SET confirmed_at = ? WHERE id_hash = ?';
        if ((yield* run(confirm, [act.at, idHash])) === 0) return false;
        yield* logAct(act);
        return true;
      }),

    removeSession: (idHash: string) =>
      database.write(function* () {
        yield* run('DELETE FROM admin_session WHERE id_hash = ?', [idHash]);
      }),

    /** Ends every session, deletes the sign-in link and invalidates known-device tokens issued until `at`. */
    signOutEverywhere: (at: number) => database.write(() => endAllSessions(at)),

    /** Does the same, but keeps the session of this hash. */
    signOutOthers: (idHash: string, at: number) => database.write(() => endAllSessions(at, idHash)),

    /** Time of the last `signOutEverywhere`, milliseconds since 1970, UTC; 0 if never. */
    signedOutAt: async () => (await database.read(() => get(selectCredential)))?.signed_out_at ?? 0,
  };
}

const selectCredential = sql`SELECT ${columns(
  'admin_credential',
  'password_hash',
  'signed_out_at',
  'changed_at',
  'setup_code_hash',
  'setup_code_at',
)} FROM admin_credential`;

const sessionColumns = columns('admin_session', 'browser', {
  idHash: 'id_hash',
  createdAt: 'created_at',
  seenAt: 'seen_at',
  confirmedAt: computed<number, 'confirmed_at' | 'created_at'>(
    'coalesce(confirmed_at, created_at)',
  ),
});
const selectSessions = sql`SELECT ${sessionColumns} FROM admin_session ORDER BY seen_at DESC, id_hash`;
const selectSession = sql`SELECT ${sessionColumns} FROM admin_session WHERE id_hash = ?`;

const attemptColumns = columns('sign_in_attempt', 'method', 'result', 'address', 'browser', 'n', {
  lastAt: 'last_at',
});
const selectAttempts = sql`SELECT ${attemptColumns} FROM sign_in_attempt
  ORDER BY last_at DESC, address, browser, method, result LIMIT ?`;

/** The place of an entry in the log. */
export interface EntryKey {
  at: number;
  key: string;
}

/** An entry of the log: an act, or the sign-in attempts of one kind in one hour, whose act is null. */
export interface LogEntry extends EntryKey {
  act: OwnerAct['act'] | null;
  browser: string | null;
  detail: string | null;
  method: SignInMethod | null;
  result: SignInResult | null;
  address: string | null;
  n: number | null;
}

const selectEntries = handTyped<LogEntry>(`SELECT * FROM (
    SELECT at, id AS key, act, browser, detail, NULL AS method, NULL AS result, NULL AS address, NULL AS n
    FROM owner_log
    UNION ALL
    SELECT last_at, address || ' ' || browser || ' ' || method || ' ' || result,
      NULL, browser, NULL, method, result, address, n
    FROM sign_in_attempt
  ) AS entries
  WHERE at < ? OR (at = ? AND key < ?) ORDER BY at DESC, key DESC LIMIT ?`);

function* startSession(
  { idHash, createdAt, seenAt, browser }: NewSession,
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
    lastAt - (lastAt % hourMs),
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

/** `last_at` keeps the later time: clocks of instances differ, and a failed write is retried later. */
const upsertAttempts = sql`INSERT INTO sign_in_attempt (${keyColumns}, n, last_at)
  SELECT ${keyColumns}, sum(n), max(last_at) FROM ${jsonRows(schema.sign_in_attempt)} AS added
  GROUP BY ${keyColumns}
  ON CONFLICT (${keyColumns}) DO UPDATE
  SET n = sign_in_attempt.n + excluded.n,
    last_at = ${{ sqlite: 'max', postgres: 'greatest' }}(sign_in_attempt.last_at, excluded.last_at)`;

function* passwordHash(): Statements<string | undefined> {
  return (yield* get(selectCredential))?.password_hash;
}

/** A change of the password without a browser, for the owner's log. */
export const passwordSetBy = (detail: string, at: number): OwnerAct => ({
  ...{ at, act: 'password_changed', browser: null, detail },
});

/** A set-up with the right code. */
export interface SetupClaim {
  codeHash: string;
  passwordHash: string;
  act: ReportedAct;
}

/** Sets the password and closes the set-up. Throws `NOT_FOUND` when it does not wait for this code. */
export function* setUpBy({ codeHash, passwordHash, act }: SetupClaim): Statements<void> {
  // An update, not a read: of two instances, PostgreSQL lets one wait for the other.
  const close = `UPDATE admin_credential SET setup_code_hash = NULL
    WHERE setup_code_hash = ? AND setup_code_at = changed_at`;
  if ((yield* run(close, [codeHash])) === 0) throw new ApiError('NOT_FOUND');
  yield* setPasswordHash(passwordHash, act);
}

/** Sets the password and ends all sessions. The set-up is open with a code of the hash `setupCodeHash`, else closed. */
function* setPasswordHash(
  hash: string,
  act: ReportedAct,
  setupCodeHash?: string,
): Statements<void> {
  const { at } = act;
  yield* run(
    `INSERT INTO admin_credential (id, password_hash, changed_at, setup_code_hash, setup_code_at)
     VALUES (1, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE
     SET password_hash = excluded.password_hash, changed_at = excluded.changed_at,
       setup_code_hash = excluded.setup_code_hash, setup_code_at = excluded.setup_code_at`,
    [hash, at, setupCodeHash ?? null, at],
  );
  yield* endAllSessions(at);
  yield* recordAct(act);
}

/** Ends all sessions but the one with the hash `kept`. */
function* endAllSessions(at: number, kept = ''): Statements<void> {
  yield* run('DELETE FROM sign_in_link');
  yield* run('DELETE FROM admin_session WHERE id_hash <> ?', [kept]);
  yield* run('UPDATE admin_credential SET signed_out_at = ?', [at]);
}
