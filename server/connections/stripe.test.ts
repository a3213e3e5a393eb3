/** Stripe as the owner connects it, on a running site. */
import { describe, expect, it, vi } from 'vitest';
import { routes } from '../contract/routes.ts';
import { run } from '../database/database.ts';
import { markAsDemo } from '../database/demo-data.ts';
import { eventTypes } from '../sales/stripe/facts.ts';
import { connectionTests, ownerOf } from '../testing/connections.ts';
import { engines, openDatabase, sqlite } from '../testing/engines.ts';
import type { TestSite } from '../testing/site.ts';
import { openTestStripe, type TestStripe } from '../testing/stripe/api.ts';
import { secret as deliverySecret, event, session, signed } from '../testing/stripe/events.ts';

const { closed, createDatabase, open } = connectionTests();

/** The status of the site's response to a delivery that this secret signs. */
async function deliver(site: TestSite, key: string) {
  const body = JSON.stringify(event('checkout.session.completed', session()));
  const headers = { 'stripe-signature': signed(body, { key }) };
  return (await site.post('/api/webhooks/stripe', body, headers)).status;
}

/** The signing secret of an endpoint that was made by way of the test server. */
const secretOf = (endpoint: { id?: unknown } | undefined) => `whsec_of_${endpoint?.id}`;

it('a key of Stripe that lacks rights is refused with their names, one that has them is used', async () => {
  const stripe = closed(await openTestStripe());
  const site = await open({ overrides: { stripeEndpoint: stripe.endpoint } });
  const { set, list } = await ownerOf(site);
  const error = { type: 'invalid_request_error', message: 'no' };
  stripe.failure = { path: /disputes|refunds/, status: 403, error };
  expect((await set('stripe', { key: 'rk_test_1234' })).issues?.[0]?.message).toBe(
    'This key may not read Charges and Refunds and Disputes. Please allow it at Stripe, or create another key.',
  );
  stripe.failure = { path: /./, status: 401, error };
  expect((await set('stripe', { key: 'rk_test_1234' })).issues?.[0]?.message).toMatch(
    /^Stripe rejects the key/,
  );
  stripe.failure = undefined;
  expect((await set('stripe', { key: 'rk_test_1234' })).status).toBe(200);
  expect((await list()).stripe).toMatchObject({ state: 'browser', hint: 'Key …1234' });
  expect(stripe.keys.at(-1)).toBe('Bearer rk_test_1234');
});

it('the response to a new key has no problem of the key before', async () => {
  const env = await createDatabase();
  const stripe = closed(await openTestStripe());
  const overrides = { stripeEndpoint: stripe.endpoint };
  const before = await open({ env, overrides });
  await (await ownerOf(before)).set('stripe', { key: 'rk_test_1234' });
  await before.close();
  const error = { type: 'invalid_request_error', message: 'no' };
  stripe.failure = { path: /./, status: 401, error };
  const { set, list } = await ownerOf(await open({ env, overrides }));
  await vi.waitFor(
    async () => expect((await list()).stripe?.problem).toMatch(/^Stripe rejects the key/),
    10_000,
  );
  stripe.failure = undefined;
  const { connection } = await set('stripe', { key: 'rk_test_5678' });
  expect(connection?.problem).toBeUndefined();
});

describe('with a public address', () => {
  const env = { PUBLIC_URL: 'https://www.adabrook.com' };
  const url = `${env.PUBLIC_URL}/api/webhooks/stripe`;
  const denied = { type: 'invalid_request_error', message: 'no' };

  async function openPublic(database: Record<string, string> = {}) {
    const stripe = closed(await openTestStripe());
    stripe.account = { ...stripe.account, settings: { dashboard: { display_name: 'Ada Brook' } } };
    const overrides = { stripeEndpoint: stripe.endpoint };
    const openOne = () => open({ env: { ...env, ...database }, overrides });
    const site = await openOne();
    return { stripe, site, openOne, ...(await ownerOf(site)) };
  }

  /** Another account at Stripe, and a key of it. */
  function addAccount({ accounts }: TestStripe) {
    const account = { account: { id: 'acct_2', object: 'account' }, endpoints: [] };
    accounts.rk_live_of_other = account;
    return account as TestStripe['accounts'][string];
  }

  it('a key of Stripe makes the webhook of the site, whose deliveries are accepted, and clearing deletes it', async () => {
    const { stripe, site, set, clear } = await openPublic();
    stripe.endpoints.push(
      { id: 'we_hand', url, status: 'enabled', enabled_events: ['*'] },
      { id: 'we_other', url: 'https://shop.example/hook', status: 'enabled' },
    );
    const { connection } = await set('stripe', { key: 'rk_live_1234' });
    expect(connection?.hint).toBe('Connected to Ada Brook');
    // The one that was made by hand would deliver everything twice.
    expect(stripe.endpoints).toMatchObject([
      { id: 'we_other' },
      {
        url,
        enabled_events: eventTypes,
        api_version: expect.stringMatching(/^20\d\d-/),
      },
    ]);
    const secret = secretOf(stripe.endpoints[1]);
    expect(await deliver(site, secret)).toBe(200);
    await clear('stripe');
    expect(await deliver(site, secret)).toBe(404);
    expect(stripe.endpoints).toMatchObject([{ id: 'we_other' }]);
  });

  it('the webhook at Stripe is mended by the same key, and moves with another one', async () => {
    const { stripe, set, list } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    Object.assign(stripe.endpoints[0] ?? {}, {
      status: 'disabled',
      enabled_events: ['payout.paid'],
    });
    const id = stripe.endpoints[0]?.id;
    await set('stripe', { key: 'rk_live_5678' });
    expect(stripe.endpoints).toMatchObject([{ id, status: 'enabled', enabled_events: eventTypes }]);
    stripe.endpoints.splice(0);
    await set('stripe', { key: 'rk_live_9999' });
    expect(stripe.endpoints).toHaveLength(1);
    expect((await list()).stripe?.hint).toBe('Key …9999');
  });

  it('a key of Stripe that may not make the webhook is refused, unless the owner has made it', async () => {
    const { stripe, set } = await openPublic();
    stripe.failure = { path: /webhook_endpoints/, status: 403, error: denied };
    const { issues } = await set('stripe', { key: 'rk_live_1234' });
    expect(issues?.[0]?.message).toMatch(/^This key may not write Webhook Endpoints/);
    await set('stripe', { webhookSecret: deliverySecret });
    expect((await set('stripe', { key: 'rk_live_1234' })).status).toBe(200);
  });

  it.each(engines)(
    'two keys that are set at once leave one webhook, whose deliveries are accepted: on $name',
    async (engine) => {
      const { stripe, site, openOne, set } = await openPublic(await createDatabase(engine));
      // SQLite has one instance.
      const other = engine.name === 'SQLite' ? site : await openOne();
      const { set: setThere } = await ownerOf(other);
      const results = await Promise.all([
        set('stripe', { key: 'rk_live_1234' }),
        setThere('stripe', { key: 'rk_live_5678' }),
      ]);
      expect(results.map(({ status }) => status)).toEqual([200, 200]);
      expect(stripe.endpoints).toHaveLength(1);
      for (const one of [site, other]) {
        await vi.waitFor(
          async () => expect(await deliver(one, secretOf(stripe.endpoints[0]))).toBe(200),
          10_000,
        );
      }
    },
  );

  it('a key that cannot be stored leaves the webhooks at Stripe as they were', async () => {
    const database = await createDatabase(sqlite);
    const { stripe, site, set } = await openPublic(database);
    await set('stripe', { key: 'rk_live_1234' });
    const other = addAccount(stripe);
    const beside = await openDatabase({ env: database });
    await beside.write(() => run('ALTER TABLE owner_log RENAME TO away'));
    expect((await set('stripe', { key: 'rk_live_of_other' })).status).toBe(500);
    expect(other.endpoints).toEqual([]);
    expect(stripe.endpoints).toHaveLength(1);
    expect(await deliver(site, secretOf(stripe.endpoints[0]))).toBe(200);
    await beside.write(() => run('ALTER TABLE away RENAME TO owner_log'));
    await beside.close();
  });

  it('the key of another account gets a webhook of its own, and that of the first account is deleted', async () => {
    const { stripe, site, set, clear } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    const before = secretOf(stripe.endpoints[0]);
    const other = addAccount(stripe);
    const { connection } = await set('stripe', { key: 'rk_live_of_other' });
    expect(connection?.hint).toMatch(/The webhook of the other account is not used any more\.$/);
    expect(stripe.endpoints).toEqual([]);
    expect(other.endpoints).toHaveLength(1);
    expect(await deliver(site, before)).toBe(400);
    expect(await deliver(site, secretOf(other.endpoints[0]))).toBe(200);
    await clear('stripe');
    expect(other.endpoints).toEqual([]);
  });

  it('the key of another account that may not make the webhook is refused', async () => {
    const { stripe, site, set } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    addAccount(stripe);
    stripe.failure = { path: /webhook_endpoints/, status: 403, error: denied };
    const { issues } = await set('stripe', { key: 'rk_live_of_other' });
    expect(issues?.[0]?.message).toMatch(/^This key may not write Webhook Endpoints/);
    expect(await deliver(site, secretOf(stripe.endpoints[0]))).toBe(200);
  });

  it('a key that may not make the webhook keeps that of the same account', async () => {
    const { stripe, site, set } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    stripe.failure = { path: /webhook_endpoints/, status: 403, error: denied };
    expect((await set('stripe', { key: 'rk_live_5678' })).status).toBe(200);
    expect(await deliver(site, secretOf(stripe.endpoints[0]))).toBe(200);
  });

  it('a signing secret that is pasted beside a key is used, also after another key of the account', async () => {
    const { stripe, site, set, list, clear } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    const made = stripe.endpoints.map(({ id }) => id);
    expect((await list()).stripe?.account).toEqual({
      ...{ name: 'Ada Brook', hasKey: true, webhook: 'site' },
    });
    await set('stripe', { webhookSecret: deliverySecret });
    expect((await list()).stripe?.account?.webhook).toBe('owner');
    expect(await deliver(site, deliverySecret)).toBe(200);
    const { connection } = await set('stripe', { key: 'rk_live_5678' });
    expect(connection?.hint).toBe(
      'Connected to Ada Brook. The signing secret that you pasted stays in use.',
    );
    expect(await deliver(site, deliverySecret)).toBe(200);
    // It may be the new secret of the same webhook.
    expect(stripe.endpoints.map(({ id }) => id)).toEqual(made);
    await clear('stripe');
    expect(stripe.endpoints).toEqual([]);
  });

  it('the signing secret of a webhook of the owner deletes the one of the site', async () => {
    const { stripe, site, set, list } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    stripe.endpoints.push({ id: 'we_hand', url, status: 'enabled', enabled_events: ['*'] });
    await set('stripe', { webhookSecret: deliverySecret });
    expect(stripe.endpoints).toMatchObject([{ id: 'we_hand' }]);
    expect((await list()).stripe?.account?.webhook).toBe('owner');
    expect(await deliver(site, deliverySecret)).toBe(200);
  });

  it('the webhook of the site is deleted with another account also after a secret was pasted', async () => {
    const { stripe, set } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    await set('stripe', { webhookSecret: deliverySecret });
    addAccount(stripe);
    expect((await set('stripe', { key: 'rk_live_of_other' })).status).toBe(200);
    expect(stripe.endpoints).toEqual([]);
  });

  it('a pasted signing secret is given up for the key of another account', async () => {
    const { stripe, site, set } = await openPublic();
    await set('stripe', { key: 'rk_live_1234' });
    await set('stripe', { webhookSecret: deliverySecret });
    const other = addAccount(stripe);
    const { connection } = await set('stripe', { key: 'rk_live_of_other' });
    expect(connection?.hint).toMatch(/The webhook of the other account is not used any more\.$/);
    expect(await deliver(site, deliverySecret)).toBe(400);
    expect(await deliver(site, secretOf(other.endpoints[0]))).toBe(200);
  });

  it('a Stripe that does not answer is reported while the owner waits', async () => {
    const { stripe, set } = await openPublic();
    stripe.isHanging = true;
    const { issues } = await set('stripe', { key: 'rk_live_1234' });
    expect(issues?.[0]?.message).toBe('Stripe did not answer. Please try again in a minute.');
  });

  it('Payment Links are read twenty times in ten minutes at most', async () => {
    const { site, cookie } = await openPublic();
    const statuses: number[] = [];
    for (let n = 0; n <= 20; n++) {
      const response = await site.fetch(routes['connections.paymentLinks'].path, {
        headers: { cookie },
      });
      statuses.push(response.status);
    }
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });

  it('clearing Stripe beside made-up data calls no other server', async () => {
    const database = await createDatabase(sqlite);
    const { stripe, set, clear } = await openPublic(database);
    await set('stripe', { key: 'rk_live_1234' });
    const beside = await openDatabase({ env: database });
    await markAsDemo(beside);
    await beside.close();
    expect((await clear('stripe')).status).toBe(200);
    expect(stripe.endpoints).toHaveLength(1);
  });

  it('a key for test payments is refused on a live site', async () => {
    const { set } = await openPublic();
    const { issues } = await set('stripe', { key: 'rk_test_1234' });
    expect(issues?.[0]?.message).toMatch(/^This is a key for test payments/);
  });

  it('Payment Links are listed with what they sell, or why they cannot be read', async () => {
    const { stripe, set, site, cookie } = await openPublic();
    const path = routes['connections.paymentLinks'].path;
    const links = async () => (await site.fetch(path, { headers: { cookie } })).json();
    expect(await links()).toEqual({ links: [], problem: 'Connect Stripe with a key first.' });
    await set('stripe', { key: 'rk_live_1234' });
    stripe.paymentLinks.push({
      ...{ id: 'plink_1', url: 'https://buy.stripe.com/a', object: 'payment_link' },
      line_items: { object: 'list', data: [{ description: 'Email audit' }] },
    });
    expect(await links()).toEqual({
      links: [{ id: 'plink_1', url: 'https://buy.stripe.com/a', name: 'Email audit' }],
    });
    stripe.failure = { path: /payment_links/, status: 403, error: denied };
    expect(await links()).toMatchObject({
      problem: expect.stringMatching(/may not read Payment Links/),
    });
  });
});

it('deliveries of Stripe are accepted from the moment their secret is set', async () => {
  const site = await open();
  const { set, list, clear } = await ownerOf(site);
  expect(await deliver(site, deliverySecret)).toBe(404);
  expect((await set('stripe', { webhookSecret: deliverySecret })).status).toBe(200);
  expect(await deliver(site, deliverySecret)).toBe(200);
  expect((await list()).stripe).toMatchObject({ state: 'browser' });
  await clear('stripe');
  expect(await deliver(site, deliverySecret)).toBe(404);
});
