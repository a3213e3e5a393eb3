import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../app/stores.ts';
import { all, type Database, run } from '../database/database.ts';
import { openPostgres } from '../database/postgres/postgres.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { tables } from '../maintenance/transfer/tables.ts';
import { eventOf } from '../stripe/facts.ts';
import { createOwner, engines, now, type TestOwner } from '../testing/cli-io.ts';
import { event, session, timeOf } from '../testing/stripe/events.ts';

const ada = 'ada@example.com';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
  await owner.inside(async ({ contact, analytics, payments }) => {
    for (const [id, email] of [
      ['a', ada],
      ['b', 'bob@example.com'],
    ] as const) {
      await contact.add({
        ...{ id, email, receivedAt: now, name: id, company: null },
        message: `Words of ${id}. `.repeat(1000),
      });
      await analytics.addConversion({
        ...{ id, email, at: now, amount: 4900, refunded: 0, disputed: 0, currency: 'USD' },
        ...{ source: null, firstSource: null, control: null },
      });
    }
    const told = event('checkout.session.completed', session());
    await payments.receive({
      event: eventOf(told),
      payload: JSON.stringify(told),
      receivedAt: timeOf(),
    });
  });
});
afterEach(() => owner.remove());

it('writes everything that is held of one person, and of nobody else', async () => {
  const { code, out } = await owner.admin(['person', 'export', 'Ada@example.com']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    email: 'Ada@example.com',
    messages: [{ id: 'a', receivedAt: '2026-11-21T02:30:00.000Z' }],
    sales: [
      { id: 'pi_3TestA', email: ada },
      { id: 'a', email: ada, at: '2026-11-21T02:30:00.000Z' },
    ],
    stripeEvents: [{ data: { object: { customer_details: { name: 'Ada' } } } }],
  });
  expect(out).not.toContain('bob');
});

it('erases nobody before it is told that this is meant', async () => {
  expect(await owner.admin(['person', 'erase', ada])).toEqual({
    code: 1,
    out: '',
    err: `Of ${ada} there are 1 message, 2 sales and 1 event of Stripe. Nothing was erased. To erase them, add --yes: npm run admin -- person erase ${ada} --yes\n`,
  });
  expect(await owner.inside(({ contact }) => contact.count())).toBe(2);
});

it('erases the person from every file, also while the site is running, and says so', async () => {
  const site = await openStores({ DATA_DIR: owner.folder });
  const { code, out } = await owner.admin(['person', 'erase', ada, '--yes']);
  expect([code, out]).toEqual([
    0,
    `Erased of ${ada}: 1 message, 2 sales and 1 event of Stripe. The sales themselves stay, without the person.\n` +
      'Backups made before, and folders before-restore-… in DATA_DIR, still hold the person until they are deleted. Your mailbox and Stripe hold their own.\n',
  ]);
  const files = await readdir(owner.folder);
  expect(files).toContain('shingle.db-wal');
  for (const name of files) {
    const text = await readFile(join(owner.folder, name), 'latin1');
    expect(text).not.toMatch(/ada@example\.com|Words of a/);
  }
  expect(await site.contact.list({ limit: 9 })).toMatchObject([{ id: 'b' }]);
  expect(await site.payments.compare()).toMatchObject({ checked: 1, differences: [] });
  expect(await site.analytics.totals({ from: 0, to: now + 1 })).toMatchObject({
    conversions: 3,
    revenue: 4900 * 2 + 9700,
  });
  await site.close();
  expect(await owner.admin(['person', 'erase', ada, '--yes'])).toEqual({
    code: 0,
    out: `Nothing is held of ${ada}.\n`,
    err: '',
  });
});

it.each([[[]], [['ada']], [[ada, ada]]])('asks for one address when it gets %j', async (args) => {
  for (const verb of ['export', 'erase']) {
    const { code, err } = await owner.admin(['person', verb, ...args]);
    expect([code, err]).toEqual([1, expect.stringMatching(/^Please give one e-mail address\./)]);
  }
});

describe.each(engines)('on $name', (engine) => {
  let keeper: TestOwner;
  beforeEach(async () => {
    keeper = await createOwner(engine);
  });
  afterEach(() => keeper.remove());

  const onDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const { DATABASE_URL: url } = keeper.settings;
    const database = url ? await openPostgres(url) : openSqlite(join(keeper.folder, 'shingle.db'));
    return work(database).finally(() => database.close());
  };
  const everything = () =>
    onDatabase((database) =>
      database.read(function* () {
        const rows = [];
        for (const { name, key } of tables) {
          rows.push(yield* all(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`));
        }
        return JSON.stringify(rows);
      }),
    );
  const always = { from: 0, to: now + 1 };
  const sale = (id: string, source: string) => ({
    ...{ id, email: ada, at: now, amount: 4900, refunded: 0, disputed: 0, currency: 'USD' },
    ...{ source, firstSource: null, control: null },
  });

  /** What versions stored that did not look for addresses in every place. */
  const plantOldRows = async () => {
    await keeper.inside(async ({ analytics, payments }) => {
      for (const source of [ada, 'email', null]) {
        for (const activity of ['page_view', 'cta_click'] as const) {
          await analytics.importEvents([{ activity, source, control: null, at: now - 1 }]);
        }
      }
      await analytics.addConversion(sale('direct', 'email'));
      await analytics.addConversion(sale('encoded', 'ada2540example.com'));
      const told = event(
        'checkout.session.completed',
        session({ metadata: { utm_source: 'email' } }),
      );
      await payments.receive({
        event: eventOf(told),
        payload: JSON.stringify(told),
        receivedAt: timeOf(),
      });
      await payments.erase(ada);
    });
    await onDatabase((database) =>
      database.write(function* () {
        yield* run(`UPDATE conversion SET source = ?, first_source = ? WHERE id = 'direct'`, [
          `news to ${ada}`,
          ada,
        ]);
        yield* run(`UPDATE conversion SET source = 'ada%2540example.com' WHERE id = 'encoded'`);
        yield* run(`UPDATE conversion SET source = ? WHERE via = 'payment'`, [ada]);
        yield* run(`UPDATE payment_event SET payload = replace(payload, 'source":"email"', ?)`, [
          `source":"${ada}"`,
        ]);
      }),
    );
  };

  it('person erase leaves no email address in a source name, and every figure stays', async () => {
    await plantOldRows();
    expect(await everything()).toContain(`source\\":\\"${ada}`);
    const totals = () => keeper.inside(({ analytics }) => analytics.totals(always));
    const before = await totals();
    const { code } = await keeper.admin(['person', 'erase', ada, '--yes']);
    expect(code).toBe(0);
    expect(await everything()).not.toContain('example.com');
    expect(await totals()).toEqual(before);
    const sources = await keeper.inside(({ analytics }) => analytics.sources(always));
    expect(
      sources.map(({ source, pageViews, conversions }) => [source, pageViews, conversions]),
    ).toEqual([
      [null, 1, 0],
      ['email', 2, 3],
    ]);
    expect(await keeper.admin(['verify'])).toMatchObject({ code: 0 });
    const erased = await everything();
    await keeper.admin(['person', 'erase', ada, '--yes']);
    expect(await everything()).toBe(erased);
  });

  it('person erase leaves no email address in a source name when nothing else is held', async () => {
    await keeper.inside(({ analytics }) =>
      analytics.importEvents([{ activity: 'page_view', source: ada, control: null, at: now - 1 }]),
    );
    expect(await keeper.admin(['person', 'erase', ada, '--yes'])).toMatchObject({ code: 0 });
    expect(await everything()).not.toContain('example.com');
    expect(await keeper.admin(['verify'])).toMatchObject({ code: 0 });
  });

  it('the nightly job leaves no email address in a source name, and every figure stays', async () => {
    await plantOldRows();
    expect(await keeper.admin(['verify'])).toMatchObject({ code: 0 });
    const before = await keeper.inside(({ analytics }) => analytics.totals(always));
    await keeper.inside(async ({ analytics, payments }) => {
      await payments.cleanSources();
      await analytics.cleanSources();
    });
    expect(await keeper.inside(({ analytics }) => analytics.totals(always))).toEqual(before);
    expect((await everything()).replaceAll(`"email":"${ada}"`, '')).not.toContain('example.com');
    expect(await keeper.admin(['verify'])).toMatchObject({ code: 0 });
  });
});
