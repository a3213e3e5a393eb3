import { expect, it } from 'vitest';
import { databaseFile } from '../data-folder.ts';
import type { Database, Job, Steps } from '../database/database.ts';
import { openPostgres } from '../database/postgres.ts';
import { openSqlite } from '../database/sqlite.ts';
import { engines } from '../database/test-engines.ts';
import { rowOverhead } from './store.ts';
import { createContactStore } from './store-sql.ts';

/** The same database, with the statements of its writes counted. */
function counting(database: Database) {
  const count = { statements: 0 };
  function* counted<T>(job: Job<T>): Steps<T> {
    const steps = job();
    let step = steps.next();
    while (!step.done) {
      count.statements += 1;
      step = steps.next(yield step.value);
    }
    return step.value;
  }
  const write = <T>(job: Job<T>) => database.write(() => counted(job));
  return { count, database: { ...database, write } };
}

it.each(engines)(
  'messages are moved and marked by one statement on $name, however many',
  async (engine) => {
    const place = await engine.create();
    const stores = await place.open();
    const ids = Array.from({ length: 1000 }, (_, n) => `m${n}`);
    await Promise.all(
      ids.map((id) =>
        stores.contact.add({
          id,
          receivedAt: 1,
          name: 'Ada',
          email: 'ada@example.com',
          company: null,
          message: id,
        }),
      ),
    );
    const { DATABASE_URL: url, DATA_DIR: folder = '' } = place.env;
    const opened = url === undefined ? openSqlite(databaseFile(folder)) : await openPostgres(url);
    const { count, database } = counting(opened);
    const contact = createContactStore(database);

    await contact.sort([...ids.slice(1), 'unknown', 'm1'], { folder: 'archive', isRead: true });
    expect(count.statements).toBe(1);
    expect(await contact.counts()).toMatchObject({
      inbox: { all: 1, unread: 1 },
      archive: { all: 999, unread: 0 },
    });
    await contact.sort(ids, { isRead: false });
    expect(await contact.counts()).toMatchObject({
      inbox: { unread: 1 },
      archive: { all: 999, unread: 999 },
    });
    await contact.sort(ids, {});
    expect(await contact.counts()).toMatchObject({ archive: { unread: 999 } });

    await opened.close();
    await stores.close();
    await place.remove();
  },
);

it.each(engines)(
  'spam folder knows its bytes and is emptied up to a moment on $name',
  async (engine) => {
    const place = await engine.create();
    const { contact, close } = await place.open();
    const keep = (id: string, receivedAt: number, folder: 'inbox' | 'spam') =>
      contact.add(
        {
          id,
          receivedAt,
          name: 'Zoë',
          email: 'zoe@example.com',
          company: receivedAt > 1 ? null : 'Ö',
          message: 'ü',
        },
        { folder },
      );
    await Promise.all(Array.from({ length: 1500 }, (_, n) => keep(`s${n}`, 1, 'spam')));
    await keep('late', 2, 'spam');
    await keep('a', 1, 'inbox');
    expect(await contact.spamBytes()).toBe(1501 * (rowOverhead + 4 + 15 + 2) + 1500 * 2);
    expect(await contact.emptySpam(1)).toBe(1500);
    expect((await contact.list({ limit: 9 })).map(({ id }) => id)).toEqual(['late', 'a']);
    expect(await contact.emptySpam(2)).toBe(1);
    expect(await contact.spamBytes()).toBe(0);
    await close();
    await place.remove();
  },
);
