/** The compiler checks this file: each expected error must be one. */
import { expect, expectTypeOf, it } from 'vitest';
import { columns, computed, count, handTyped, max, min, unionAll } from './columns.ts';
import { all, get } from './database.ts';
import { type Columns, type Query, sql } from './sql.ts';

type RowOf<Q> = Q extends Query<infer Row> ? Row : never;
type Selected<C> = C extends Columns<infer Row> ? { [Name in keyof Row]: Row[Name] } : never;

it('columns give a statement its text and its rows their type', () => {
  const queued = sql`SELECT ${columns('outbox', 'id', { queuedAt: 'queued_at', error: 'error' })}
    FROM outbox WHERE state = ${{ sqlite: '?', postgres: '$1' }} LIMIT ${5}`;
  expect(queued.postgres).toBe(
    `SELECT outbox.id AS "id", outbox.queued_at AS "queuedAt", outbox.error AS "error"
    FROM outbox WHERE state = $1 LIMIT 5`,
  );
  expectTypeOf<RowOf<typeof queued>>().toEqualTypeOf<
    { id: string } & { queuedAt: number; error: string | null }
  >();
});

it('columns of two tables add up to one row', () => {
  const message = columns('contact_message', 'folder', { emailId: 'email_id' });
  const joined = sql`SELECT ${message}, ${columns('outbox', 'state')}
    FROM contact_message JOIN outbox ON outbox.id = contact_message.email_id`;
  expectTypeOf<RowOf<typeof joined>['folder']>().toEqualTypeOf<'inbox' | 'archive' | 'spam'>();
  expectTypeOf<RowOf<typeof joined>['emailId']>().toEqualTypeOf<string | null>();
  expectTypeOf<RowOf<typeof joined>['state']>().toEqualTypeOf<
    'waiting' | 'sent' | 'refused' | 'erased'
  >();
  expect(joined.sqlite).toContain('contact_message.email_id AS "emailId", outbox.state AS "state"');
});

it('aggregates of columns are null without rows, except counts', () => {
  const sums = columns('outbox', {
    n: count,
    first: min('queued_at'),
    last: max('due_at'),
    bytes: computed<number>('coalesce(sum(length(content)), 0)'),
  });
  expect(sums.sqlite).toBe(
    'count(*) AS "n", min(queued_at) AS "first", max(due_at) AS "last", ' +
      'coalesce(sum(length(content)), 0) AS "bytes"',
  );
  expectTypeOf<Selected<typeof sums>>().toEqualTypeOf<{
    n: number;
    first: number | null;
    last: number | null;
    bytes: number;
  }>();
});

it('unionAll keeps the row type of its statements', () => {
  const times = unionAll(
    [
      sql`SELECT ${columns('event', 'at')} FROM event`,
      sql`SELECT ${columns('counter', { at: 'hour' })} FROM counter`,
    ],
    'ORDER BY at',
  );
  expect(times.sqlite).toBe(
    'SELECT event.at AS "at" FROM event UNION ALL SELECT counter.hour AS "at" FROM counter ORDER BY at',
  );
  expectTypeOf<RowOf<typeof times>>().toEqualTypeOf<{ at: number }>();
});

it('wrong tables, columns and uses of rows do not compile', () => {
  const wrong = [
    // @ts-expect-error There is no such table.
    () => columns('email_id', 'id'),
    // @ts-expect-error The column is called queued_at.
    () => columns('outbox', 'queuedAt'),
    // @ts-expect-error The column is called queued_at.
    () => columns('outbox', { queuedAt: 'queued' }),
    // @ts-expect-error The column belongs to another table.
    () => columns('event', { at: 'settled_at' }),
    // @ts-expect-error The column belongs to another table.
    () => columns('event', { at: max('settled_at') }),
    // @ts-expect-error The statement and not its caller types the rows.
    () => all<{ id: number }>(sql`SELECT ${columns('outbox', 'id')} FROM outbox`),
    // @ts-expect-error Text alone has no rows.
    () => all<{ id: number }>('SELECT id FROM outbox'),
    function* () {
      const row = yield* get(sql`SELECT ${columns('outbox', { at: 'settled_at' })} FROM outbox`);
      // @ts-expect-error The column may be null.
      return row ? row.at + 1 : 0;
    },
    function* () {
      const row = yield* get(sql`SELECT ${columns('outbox', 'state')} FROM outbox`);
      // @ts-expect-error No email is in this state.
      return row?.state === 'lost';
    },
    function* () {
      const row = yield* get(sql`SELECT id FROM outbox`);
      // @ts-expect-error The statement has no described columns.
      return row.id;
    },
  ];
  expect(wrong).toHaveLength(10);
});

it('handTyped states the row type of a statement on system tables', () => {
  const checked = handTyped<{ integrity_check: string }>('PRAGMA integrity_check');
  expectTypeOf<RowOf<typeof checked>>().toEqualTypeOf<{ integrity_check: string }>();
  expect(checked).toEqual({
    sqlite: 'PRAGMA integrity_check',
    postgres: 'PRAGMA integrity_check',
  });
});
