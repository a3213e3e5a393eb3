import { expect, it } from 'vitest';
import {
  all,
  type Database,
  run,
  type Statement,
  type Statements,
  type Transaction,
} from '../database/database.ts';
import { type Sql, sql } from '../database/sql.ts';
import { createLog } from '../log.ts';
import { engines, openDatabase } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { summarize } from './email.ts';
import { rowOverhead } from './message.ts';
import { createContactStore } from './store.ts';

/** Wraps a database and records the statements of each transaction. */
function recording(database: Database) {
  const writes: Statement[][] = [];
  const reads: Statement[][] = [];
  function* recorded<T>(transaction: Transaction<T>, log: Statement[][]): Statements<T> {
    const recordedStatements: Statement[] = [];
    log.push(recordedStatements);
    const statements = transaction();
    let next = statements.next();
    while (!next.done) {
      recordedStatements.push(next.value);
      next = statements.next(yield next.value);
    }
    return next.value;
  }
  return {
    writes,
    reads,
    database: {
      ...database,
      write: <T>(transaction: Transaction<T>) =>
        database.write(() => recorded(transaction, writes)),
      read: <T>(transaction: Transaction<T>) => database.read(() => recorded(transaction, reads)),
    },
  };
}

it.each(engines)('moving a thousand messages takes one statement on $name', async (engine) => {
  const testDatabase = await engine.create();
  const stores = await testDatabase.open();
  const ids = Array.from({ length: 1000 }, (_, n) => `m${n}`);
  await Promise.all(ids.map((id) => stores.contact.add(sampleMessage({ id }))));
  const opened = await openDatabase(testDatabase);
  const { writes, database } = recording(opened);
  const contact = createContactStore(database);

  await contact.sort([...ids.slice(1), 'unknown', 'm1'], {
    folder: 'archive',
    isRead: true,
    now: 2,
  });
  expect(writes.map((statements) => statements.length)).toEqual([1]);
  expect(await contact.counts()).toMatchObject({
    inbox: { all: 1, unread: 1 },
    archive: { all: 999, unread: 0 },
  });
  await contact.sort(ids, { isRead: false, now: 2 });
  expect(await contact.counts()).toMatchObject({
    inbox: { unread: 1 },
    archive: { all: 999, unread: 999 },
  });
  await contact.sort(ids, { now: 2 });
  expect(await contact.counts()).toMatchObject({ archive: { unread: 999 } });

  await opened.close();
  await stores.close();
  await testDatabase.remove();
});

it.each(engines)(
  'spam folder returns its bytes and is emptied up to a time on $name',
  async (engine) => {
    const testDatabase = await engine.create();
    const { contact, close } = await testDatabase.open();
    const add = (id: string, receivedAt: number, folder: 'inbox' | 'spam') =>
      contact.add(
        sampleMessage({
          id,
          receivedAt,
          name: 'Zoë',
          email: 'zoe@example.com',
          company: receivedAt > 1 ? null : 'Ö',
          message: 'ü',
        }),
        { folder },
      );
    await Promise.all(Array.from({ length: 1500 }, (_, n) => add(`s${n}`, 1, 'spam')));
    await add('late', 2, 'spam');
    await add('a', 1, 'inbox');
    expect(await contact.spamBytes()).toBe(1501 * (rowOverhead + 4 + 15 + 2) + 1500 * 2);
    expect(await contact.emptySpam(1)).toBe(1500);
    expect((await contact.list({ limit: 9 })).map(({ id }) => id)).toEqual(['late', 'a']);
    expect(await contact.emptySpam(2)).toBe(1);
    expect(await contact.spamBytes()).toBe(0);
    await close();
    await testDatabase.remove();
  },
);

const hour = 60 * 60_000;
const textOf = ({ sql }: Statement, engine: keyof Sql) =>
  typeof sql === 'string' ? sql : sql[engine];

it.each(engines)(
  'flood summary queues each of its emails in a transaction of its own on $name',
  async (engine) => {
    const testDatabase = await engine.create();
    const stores = await testDatabase.open();
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        stores.contact.add(sampleMessage({ id: `m${n}`, message: 'x'.repeat(100_000) }), {
          isForSummary: true,
        }),
      ),
    );
    const opened = await openDatabase(testDatabase);
    const { writes, database } = recording(opened);
    await summarize({
      contact: createContactStore(database),
      outboxWorker: { wake() {} },
      address: undefined,
      now: () => hour,
      log: createLog('silent', { pretty: false }),
    });
    const emails = writes.map(
      (statements) =>
        statements.filter((one) => textOf(one, opened.engine).startsWith('INSERT INTO outbox'))
          .length,
    );
    expect(Math.max(...emails)).toBe(1);
    expect((await stores.mail.state()).waiting).toBe(4);
    await opened.close();
    await stores.close();
    await testDatabase.remove();
  },
);

it.each(engines)(
  'dashboard counts messages of queued summaries without a scan of all messages on $name',
  async (engine) => {
    const testDatabase = await engine.create();
    const stores = await testDatabase.open();
    for (const id of ['a', 'b']) {
      await stores.contact.add(sampleMessage({ id }), { isForSummary: true });
    }
    const opened = await openDatabase(testDatabase);
    const { reads, database } = recording(opened);
    const contact = createContactStore(database);
    const joins = () =>
      reads.flat().filter((one) => textOf(one, opened.engine).includes('email_id IN')).length;

    expect(await contact.flood(1)).toEqual({ inLastHour: 2, waiting: 2 });
    // Without a queued summary no query is needed.
    expect(joins()).toBe(0);
    await stores.contact.summarize(hour, () => ({
      id: 'summary-1',
      subject: 'S',
      blocks: [],
    }));
    expect(await contact.flood(2 * hour)).toEqual({ inLastHour: 0, waiting: 2 });
    expect(joins()).toBe(1);
    for (const statement of reads.flat()) {
      expect(await planOf(opened, statement)).not.toMatch(fullScan);
    }
    await opened.close();
    await stores.close();
    await testDatabase.remove();
  },
);

const fullScan = /Seq Scan on contact_message|SCAN contact_message(?! USING)/;

/** Returns the query plan; on PostgreSQL without sequential scans, as for a large table. */
const planOf = (database: Database, statement: Statement) =>
  database.read(function* () {
    const text = textOf(statement, database.engine);
    if (database.engine === 'postgres') yield* run('SET LOCAL enable_seqscan = off');
    const explain = database.engine === 'postgres' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    return JSON.stringify(yield* all(sql`${explain} ${text}`, statement.values));
  });
