import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventOf } from '../payments/stripe-facts.ts';
import { event, session, timeOf } from '../payments/test-stripe.ts';
import { openStores } from '../stores.ts';
import { createOwner, now, type TestOwner } from './test-io.ts';

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
