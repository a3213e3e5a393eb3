import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../database/database.ts';
import { openSqlite } from '../database/sqlite/sqlite.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { createOwner, now, type TestOwner } from '../testing/cli-io.ts';
import { sampleSale } from '../testing/sale.ts';
import { openTestStripe, type TestStripe } from '../testing/stripe/api.ts';
import { charge, event, ofPayment, refund, session } from '../testing/stripe/events.ts';

let owner: TestOwner;
beforeEach(async () => {
  owner = await createOwner();
});
afterEach(() => owner.remove());

async function changeRow(sql: string): Promise<void> {
  const database = openSqlite(join(owner.folder, 'shingle.db'));
  expect(await database.write(() => run(sql))).toBe(1);
  await database.close();
}

it('verify finds nothing to compare in an empty database', async () => {
  expect(await owner.admin(['verify'])).toEqual({
    code: 0,
    out: 'Nothing has been counted yet.\n',
    err: '',
  });
});

it('verify prints that all counters agree with the rows', async () => {
  await owner.admin(['demo', '--events', '2000']);
  const { code, out } = await owner.admin(['verify']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^[\d,]+ counters agree with the rows\.\n[\d,]+ sales agree with the events and reports behind them\.\n$/,
  );
});

const key = '(source, button, kind, hour, slot)';
const counterOf = (
  condition: string,
) => `${key} = (SELECT source, button, kind, hour, slot FROM counter
  WHERE ${condition} AND n = 1 ORDER BY hour LIMIT 1)`;
const directView =
  '(SELECT kind, at, serial FROM event WHERE kind = 1 AND source = 1 ORDER BY at LIMIT 1)';

it.each([
  [
    'a counter too high',
    `UPDATE counter SET n = n + 1 WHERE ${counterOf("source = 0 AND button = '' AND kind = 1")}`,
    /^page_view, hour of \S+Z: counter 2, rows 1\n$/,
    1,
  ],
  [
    'a counter that is missing',
    `DELETE FROM counter WHERE ${counterOf("source = 0 AND button = '' AND kind = 1")}`,
    /^page_view, hour of \S+Z: counter 0, rows 1\n$/,
    1,
  ],
  [
    'a counter without rows',
    `INSERT INTO counter ${key.slice(0, -1)}, n) VALUES (0, '', 7, 0, 0, 5)`,
    /^call_booked, hour of 1970-01-01T00:00Z: counter 5, rows 0\n$/,
    1,
  ],
  [
    'a counter of an unknown kind',
    `INSERT INTO counter ${key.slice(0, -1)}, n) VALUES (0, '', 9, 0, 0, 1)`,
    /^kind 9, hour of 1970-01-01T00:00Z: counter 1, rows 0\n$/,
    1,
  ],
  [
    'a counter of one source',
    `UPDATE counter SET n = 0 WHERE ${counterOf("source > 1 AND button = '' AND kind = 1")}`,
    /^page_view from \S+, hour of \S+Z: counter 0, rows 1\n$/,
    1,
  ],
  [
    'a counter of one button',
    `UPDATE counter SET n = n + 1 WHERE ${counterOf("source = 0 AND button = 'hero' AND kind = 2")}`,
    /^cta_click by button hero, hour of \S+Z: counter 2, rows 1\n$/,
    1,
  ],
  [
    'a row that is missing',
    `DELETE FROM event WHERE (kind, at, serial) IN ${directView}`,
    /^(page_view( from \S+)?, hour of \S+Z: counter \d+, rows \d+\n){2}$/,
    2,
  ],
])('verify finds %s', async (_name, sql, line, n) => {
  await owner.admin(['demo', '--events', '1000', '--days', '400']);
  await changeRow(sql);
  const { code, out, err } = await owner.admin(['verify']);
  expect(code).toBe(1);
  expect(out.replaceAll(/^(conversion demo-\d+:|[\d,]+ sales agree with) .*\n/gm, '')).toMatch(
    line,
  );
  expect(err).toMatch(new RegExp(`^${n} of [\\d,]+ counters (differs|differ) from the rows\\.\\n`));
});

it('verify prints at most 20 differences and the number of the others', async () => {
  await owner.admin(['demo', '--events', '1000']);
  const database = openSqlite(join(owner.folder, 'shingle.db'));
  await database.write(() => run('DELETE FROM counter'));
  await database.close();
  const { out } = await owner.admin(['verify']);
  const lines = out.split('\n');
  expect(lines[20]).toMatch(/^and [\d,]+ more$/);
  expect(lines.slice(21)).toEqual([expect.stringContaining('sales agree'), '']);
});

it('verify accepts sales before 1970', async () => {
  await owner.inside(({ sales }) =>
    Promise.all(
      [-1, -60_001, Date.parse('0001-01-01T00:00:00Z'), now].map((at, i) =>
        sales.report(
          sampleSale({ id: `s${i}`, at, amount: 100, currency: i === 0 ? 'EUR' : 'USD' }),
        ),
      ),
    ),
  );
  expect(await owner.admin(['verify'])).toMatchObject({ code: 0, err: '' });
});

describe('sales from Stripe', () => {
  beforeEach(async () => {
    const events = [
      event('checkout.session.completed', session()),
      event('refund.created', refund()),
      event('checkout.session.completed', session({ payment_intent: 'pi_3TestB' })),
    ];
    await owner.inside(({ payments }) =>
      Promise.all(
        events.map((one) =>
          payments.receive({ event: eventOf(one), payload: JSON.stringify(one), receivedAt: now }),
        ),
      ),
    );
  });

  it('verify recomputes sales from the events from Stripe', async () => {
    expect((await owner.admin(['verify'])).out).toContain(
      '2 sales agree with the events and reports behind them.\n',
    );
  });

  it('verify names payments with a refund in a third currency', async () => {
    const body = event('refund.created', refund({ id: 're_eur', currency: 'eur' }), 300);
    await owner.inside(({ payments }) =>
      payments.receive({ event: eventOf(body), payload: JSON.stringify(body), receivedAt: now }),
    );
    const { code, err } = await owner.admin(['verify']);
    expect(code).toBe(1);
    expect(err).toContain('in another currency than their sale are not deducted: pi_3TestA.');
  });

  it('verify says how many payments with a refund in a third currency it does not name', async () => {
    const events = Array.from({ length: 22 }, (_, n) =>
      ofPayment(
        [
          event('checkout.session.completed', session()),
          event('refund.created', refund({ currency: 'eur' }), 300),
        ],
        n,
      ),
    ).flat();
    await owner.inside(({ payments }) =>
      Promise.all(
        events.map((one) =>
          payments.receive({ event: eventOf(one), payload: JSON.stringify(one), receivedAt: now }),
        ),
      ),
    );
    expect((await owner.admin(['verify'])).err).toMatch(/pi_3TestAx\d+, and 2 more\.$/m);
  });

  it.each([
    [
      'a price that changed',
      "UPDATE conversion SET amount = 9800 WHERE id = 'pi_3TestA'",
      'conversion pi_3TestA: amount 9800 instead of 9700',
    ],
    [
      'a sale that is missing',
      "DELETE FROM conversion WHERE id = 'pi_3TestB'",
      'conversion pi_3TestB: is missing',
    ],
    [
      'a sale without an event from Stripe',
      "DELETE FROM payment_event WHERE payment = 'pi_3TestB'",
      'conversion pi_3TestB: is not what anything results in',
    ],
  ])('verify of sales from Stripe finds %s', async (_name, sql, line) => {
    await changeRow(sql);
    const { code, out, err } = await owner.admin(['verify']);
    expect(code).toBe(1);
    expect(out.split('\n')).toContain(line);
    expect(err).toContain('1 of 2 sales differs from the events and reports behind them.\n');
  });
});

describe('payments at Stripe', () => {
  let stripe: TestStripe;
  beforeEach(async () => {
    stripe = await openTestStripe();
    await pay('pi_1');
    await pay('pi_2');
  });
  afterEach(() => stripe.close());

  const verify = (env: Record<string, string> = { STRIPE_API_KEY: 'rk_live_51Nq8ZkT3vYw0sLb' }) =>
    owner.admin(['verify'], { env, stripeEndpoint: stripe.endpoint });

  /** Adds a payment of yesterday, here and at Stripe. */
  async function pay(payment: string) {
    const created = Math.floor(now / 1000) - 86_400;
    const paid = session({ id: `cs_of_${payment}`, payment_intent: payment, created });
    const body = { ...event('checkout.session.completed', paid), created };
    stripe.sessions.unshift(paid);
    stripe.charges[payment] = charge({ id: `ch_of_${payment}`, payment_intent: payment, created });
    await owner.inside(({ payments }) =>
      payments.receive({ event: eventOf(body), payload: JSON.stringify(body), receivedAt: now }),
    );
  }

  it('verify compares payments of the last 30 days with Stripe’s list', async () => {
    const { code, out } = await verify();
    expect(code).toBe(0);
    expect(out).toContain('2 payments of the last 30 days agree with Stripe’s list.\n');
    expect(stripe.keys).toEqual(['Bearer rk_live_51Nq8ZkT3vYw0sLb']);
  });

  it.each([
    ['id', `id = 'txn_x'`],
    ['payment', `payment = 'pi_2'`],
    ['at', 'at = at - 60000'],
    ['amount', 'amount = amount + 1'],
    ['currency', `currency = 'EUR'`],
  ])('verify finds a fee of another %s than at Stripe', async (_column, change) => {
    const created = Math.floor(now / 1000) - 86_400;
    stripe.balanceTransactions = ['txn_2', 'txn_1'].map((id, n) => ({
      ...{ id, fee: 311, currency: 'usd', created: created - n },
      source: charge({ payment_intent: 'pi_1' }),
    }));
    const fee = { payment: 'pi_1', amount: 311, currency: 'USD' };
    await owner.inside(({ payments }) =>
      payments.addFees([
        { ...fee, id: 'txn_1', at: (created - 1) * 1000 },
        { ...fee, id: 'txn_2', at: created * 1000 },
      ]),
    );
    const { code, out } = await verify();
    expect([code, out]).toEqual([0, expect.stringContaining('2 fees of the last 30 days agree')]);
    await changeRow(`UPDATE stripe_fee SET ${change} WHERE id = 'txn_1'`);
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining('stripe_fee txn_'),
      err: expect.stringMatching(/fees of the last 30 days differs? from Stripe’s list\.$/m),
    });
  });

  it('verify finds a missing fee, and needs no permission to read fees', async () => {
    const created = Math.floor(now / 1000) - 86_400;
    const fee = { id: 'txn_2', payment: 'pi_1', amount: 311, currency: 'USD', at: created * 1000 };
    await owner.inside(({ payments }) => payments.addFees([fee]));
    stripe.balanceTransactions = ['txn_2', 'txn_1'].map((id, n) => ({
      ...{ id, fee: 311, currency: 'usd', created: created - n },
      source: charge({ payment_intent: 'pi_1' }),
    }));
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringContaining('stripe_fee txn_1: is missing\n'),
    });
    const error = { type: 'invalid_request_error', message: 'No permission' };
    stripe.failure = { path: /balance_transactions/, status: 403, error };
    expect(await verify()).toMatchObject({ code: 0 });
  });

  it('verify names payments that differ from Stripe’s list', async () => {
    stripe.sessions.pop();
    stripe.charges.pi_2 = charge({ payment_intent: 'pi_2', amount_refunded: 2000 });
    stripe.refunds = [refund({ payment_intent: 'pi_2' })];
    expect(await verify()).toEqual({
      code: 1,
      out: expect.stringContaining(
        'pi_2: counted as amount 9700, refunded 0, disputed 0 USD; Stripe has amount 9700, refunded 2000, disputed 0 USD\n' +
          'pi_1: counted as amount 9700, refunded 0, disputed 0 USD; Stripe has no sale\n',
      ),
      err: '2 of 2 payments of the last 30 days differ from Stripe’s list.\n',
    });
  });

  it('verify compares everything else when Stripe rejects the key', async () => {
    stripe.failure = { path: /./, status: 401, error: { message: 'Invalid API Key provided' } };
    const { code, out, err } = await verify();
    expect(code).toBe(1);
    expect(out).toContain('2 sales agree with the events and reports behind them.\n');
    expect(err).toMatch(/^Stripe rejects the key, .* Create a new key .*\n$/);
  });

  it('verify prints why a request to Stripe failed', async () => {
    const error = { type: 'invalid_request_error', message: 'Received unknown parameter' };
    stripe.failure = { path: /./, status: 400, error };
    const { code, err } = await verify();
    expect(code).toBe(1);
    expect(err).toBe(
      'The request to Stripe failed (Received unknown parameter), so payments are not compared with Stripe’s list. Try again later.\n',
    );
  });

  it.each([
    ['without a key', {}],
    [
      'on a live site with a test key',
      { STRIPE_API_KEY: 'rk_test_abc', PUBLIC_URL: 'https://example.org' },
    ],
  ])('verify sends no request to Stripe %s', async (_name, env) => {
    const { code, out } = await verify(env);
    expect(code).toBe(0);
    expect(out).not.toContain('Stripe’s list');
    expect(stripe.requests).toEqual([]);
  });
});
