import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { all, type Database } from '../database/database.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { sql } from '../database/sql.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { tables } from '../maintenance/transfer/tables.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { openStores } from '../stores/stores.ts';
import { addBooking, newBooking } from '../testing/booking.ts';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { sampleMessage } from '../testing/message.ts';
import { sampleSale } from '../testing/sale.ts';
import { event, session, timeOf } from '../testing/stripe/events.ts';

const ada = 'ada@example.com';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
  await owner.inside(async ({ contact, bookings, sales, payments }) => {
    for (const [id, email, days] of [
      ['a', ada, 1],
      ['b', 'bob@example.com', 2],
    ] as const) {
      const message = `Words of ${id}. `.repeat(1000);
      await contact.add(sampleMessage({ id, email, receivedAt: now, name: id, message }));
      const start = now + days * 24 * 60 * 60_000;
      await addBooking(bookings, newBooking({ start, email, note: `Note of ${id}. ` }));
      await sales.report(sampleSale({ id, email, at: now, amount: 4900 }));
    }
    const completed = event('checkout.session.completed', session());
    await payments.receive({
      event: eventOf(completed),
      payload: JSON.stringify(completed),
      receivedAt: timeOf(),
    });
  });
});
afterEach(() => owner.remove());

it('person export prints all data of one person and no other person’s', async () => {
  const { code, out } = await owner.admin(['person', 'export', 'Ada@example.com']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    email: 'Ada@example.com',
    messages: [{ id: 'a', receivedAt: '2026-11-21T02:30:00.000Z' }],
    bookings: [{ email: ada, start: '2026-11-22T02:30:00.000Z', note: 'Note of a. ' }],
    sales: [
      { id: 'pi_3TestA', email: ada },
      { id: 'a', email: ada, at: '2026-11-21T02:30:00.000Z' },
    ],
    stripeEvents: [{ data: { object: { customer_details: { name: 'Ada' } } } }],
  });
  expect(out).not.toContain('bob');
});

it('person erase erases nothing without --yes', async () => {
  expect(await owner.admin(['person', 'erase', ada])).toEqual({
    code: 1,
    out: '',
    err: `Found for ${ada}: 1 message, 1 booking, 2 sales and 1 Stripe event. 1 of the calls is still to come: nobody tells them. Cancel it under Bookings first, so that they get an email. Nothing was erased. To erase them, add --yes: npm run admin -- person erase ${ada} --yes\n`,
  });
  expect(await owner.inside(({ contact }) => contact.count())).toBe(2);
});

it('person erase removes the person from every file while the site runs, and reports it', async () => {
  const site = await openStores({ DATA_DIR: owner.folder });
  const { code, out } = await owner.admin(['person', 'erase', ada, '--yes']);
  expect([code, out]).toEqual([
    0,
    `Erased for ${ada}: 1 message, 1 booking, 2 sales and 1 Stripe event. The sales themselves stay, without personal data.\n` +
      '1 of the calls was still to come: tell the person yourself.\n' +
      'Earlier backups and the folders before-restore-… in DATA_DIR still hold the person until they are deleted. So do your mailbox and Stripe.\n',
  ]);
  const files = await readdir(owner.folder);
  expect(files).toContain('shingle.db-wal');
  for (const name of files) {
    const text = await readFile(join(owner.folder, name), 'latin1');
    expect(text).not.toMatch(/ada@example\.com|Words of a/);
  }
  expect(await site.contact.list({ limit: 9 })).toMatchObject([{ id: 'b' }]);
  expect(await site.sales.compare()).toMatchObject({ checked: 3, differences: [] });
  expect(await site.analytics.totals({ from: 0, to: now + 1 })).toMatchObject({
    conversions: 3,
    revenue: 4900 * 2 + 9700,
  });
  await site.close();
  expect(await owner.admin(['person', 'erase', ada, '--yes'])).toEqual({
    code: 0,
    out: `No data was found for ${ada}.\n`,
    err: '',
  });
});

it.each([[[]], [['ada']], [[ada, ada]]])(
  'person export and erase ask for one email address when given %j',
  async (args) => {
    for (const name of ['export', 'erase']) {
      const { code, err } = await owner.admin(['person', name, ...args]);
      expect([code, err]).toEqual([1, expect.stringMatching(/^Please give one email address\./)]);
    }
  },
);

describe.each(engines)('on $name', (engine) => {
  let own: TestOwner;
  beforeEach(async () => {
    own = await createOwner(engine);
  });
  afterEach(() => own.remove());

  const onDatabase = async <T>(use: (database: Database) => Promise<T>): Promise<T> => {
    const { DATABASE_URL: url } = own.settings;
    const database = url ? await openPostgres(url) : openSqlite(join(own.folder, 'shingle.db'));
    return use(database).finally(() => database.close());
  };
  /** Every row of every table, as one text. */
  const everything = () =>
    onDatabase((database) =>
      database.read(function* () {
        const rows = [];
        for (const { name, key } of tables) {
          rows.push(yield* all(sql`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`));
        }
        return JSON.stringify(rows);
      }),
    );
  const always = { from: 0, to: now + 1 };
  const sale = (id: string, source: string) =>
    sampleSale({ id, email: ada, at: now, amount: 4900, source });

  it.each([
    ['jörg@bücher.example', 'jörg@bücher.example'],
    ['jo@bücher.example', 'jo@xn--bcher-kva.example'],
    ['Vic Tim <vic@x.example>', 'Vic Tim <vic@x.example>'],
    ['Vic Tim <vic@x.example>', 'vic@x.example'],
  ])('person export and erase find a sale to %s by %s', async (email, typed) => {
    await own.inside(async ({ sales, payments }) => {
      await sales.report({ ...sale('one', 'news'), email });
      const completed = event(
        'checkout.session.completed',
        session({ customer_details: { email, name: 'Jo' } }),
      );
      await payments.receive({
        event: eventOf(completed),
        payload: JSON.stringify(completed),
        receivedAt: timeOf(),
      });
    });
    const exported = JSON.parse((await own.admin(['person', 'export', typed])).out);
    expect([exported.sales.length, exported.stripeEvents.length]).toEqual([2, 1]);
    expect(await own.admin(['person', 'erase', typed, '--yes'])).toMatchObject({ code: 0 });
    expect(await everything()).not.toMatch(/bücher|bcher|x\.example|Vic/);
    expect(await own.admin(['verify'])).toMatchObject({ code: 0 });
  });

  it('person erase removes the email address from the ids of sales, which stay recognized', async () => {
    const ids = ['Ada@example.com', `order 7 of ${ada}`];
    const other = 'nada@example.com';
    await own.inside(async ({ sales, analytics }) => {
      for (const id of [...ids, other]) {
        await sales.report({ ...sale(id, 'news'), email: id === ids[0] ? null : 'jo@x.example' });
      }
      const pair = (await analytics.doubts()).flatMap((doubt) => doubt.map(({ id }) => id));
      expect(await sales.decideDoubt(pair as [string, string], true)).toBe(true);
      await sales.report({ ...sale(ids[0] ?? '', 'news'), refunded: 900 });
    });
    const totals = () => own.inside(({ analytics }) => analytics.totals(always));
    const before = await totals();
    const exported = JSON.parse((await own.admin(['person', 'export', ada])).out);
    expect(exported.sales.map(({ id }: { id: string }) => id).sort()).toEqual(ids);
    expect(await own.admin(['person', 'erase', ada, '--yes'])).toMatchObject({ code: 0 });
    expect((await everything()).replaceAll(other, '')).not.toMatch(/ada@/i);
    expect(await everything()).toContain(other);
    expect(await totals()).toEqual(before);
    const known = await own.inside(async ({ sales }) => {
      const result = await sales.report({ ...sale(ids[0] ?? '', 'news'), email: ada });
      return [result, [...(await sales.known(ids)).keys()].sort()];
    });
    expect(known).toEqual(['known', ids]);
    expect((await everything()).replaceAll(other, '')).not.toMatch(/ada@/i);
    expect(await totals()).toEqual(before);
    expect(await own.admin(['verify'])).toMatchObject({ code: 0 });
  });

  it('nightly job deletes old buyers from the ids of sales, too', async () => {
    await own.inside(async ({ sales }) => {
      await sales.report({ ...sale(ada, 'news'), email: null });
      expect(await sales.eraseBuyersBefore(now + 1)).toBe(1);
      expect(await sales.eraseBuyersBefore(now + 1)).toBe(0);
    });
    expect(await everything()).not.toContain('example.com');
    expect(await own.admin(['verify'])).toMatchObject({ code: 0 });
  });
});
