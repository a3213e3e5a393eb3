/** Events in the outbox of both databases, and the worker between it and a real receiver. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../log.ts';
import { createRetention } from '../maintenance/retention.ts';
import { eventOf } from '../sales/stripe/facts.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { countResults } from '../testing/outbox.ts';
import { sampleSale } from '../testing/sale.ts';
import { site as file } from '../testing/sample-config.ts';
import { openTestSite } from '../testing/site.ts';
import {
  dispute,
  event,
  ofPayment,
  refund,
  session,
  type TestEvent,
  timeOf,
} from '../testing/stripe/events.ts';
import { openTestReceiver, type TestReceiver, webhookSecret } from '../testing/webhook-receiver.ts';
import { queueAlerts } from './alerts.ts';
import type { WebhookEvent } from './event.ts';
import type { WebhookStore } from './store.ts';
import { startWebhooks } from './worker.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const noon = Date.UTC(2026, 2, 10, 12);
const log = createLog('silent', { pretty: false });
const eventually = <T>(check: () => T | Promise<T>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

const alert = (id: string): WebhookEvent => ({
  id,
  at: noon,
  type: 'alert.raised',
  data: { kind: 'disk', text: 'The disk is full.' },
});

describe.each(engines)('$name', (engine) => {
  const { stores, openBeside } = freshStores(engine, { hasWebhook: true });
  let receiver: TestReceiver;
  let clock: number;
  let workers: ReturnType<typeof startWebhooks>[];
  /** Number of stored results. A test moves the clock only after its result is stored. */
  let recorded: number;

  beforeEach(async () => {
    receiver = await openTestReceiver();
    clock = noon;
    workers = [];
    recorded = 0;
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await receiver.close();
  });

  const start = ({
    store = stores.webhooks,
    secrets = [webhookSecret],
    url = receiver.url,
    timeoutMs = 15_000,
  }: {
    store?: WebhookStore;
    secrets?: string[];
    url?: string;
    timeoutMs?: number;
  } = {}) => {
    const worker = startWebhooks({
      receiver: { url, secrets, timeoutMs },
      store: countResults(store, () => {
        recorded += 1;
      }),
      now: () => clock,
      log,
    });
    workers.push(worker);
    return worker;
  };
  const recordedIs = (n: number) => eventually(() => expect(recorded).toBe(n));
  const ids = () => receiver.events.map(({ id }) => id);

  it('webhooks deliver each event once by its id when the receiver failed for a minute', async () => {
    receiver.setBehaviour(503);
    await stores.webhooks.queue(alert('alert-1'), clock);
    const worker = start();
    await recordedIs(1);
    await stores.webhooks.queue(alert('alert-2'), clock + 1);
    expect(await stores.webhooks.queue(alert('alert-2'), clock + 1)).toBe(false);
    worker.wake();
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 2 });
    receiver.setBehaviour(204);
    clock += minute;
    worker.wake();
    await eventually(() => expect(ids().sort()).toEqual(['alert-1', 'alert-2']));
    expect(receiver.requests.filter((id) => id === 'alert-1')).toHaveLength(2);
    expect(receiver.events[0]).toMatchObject({
      type: 'alert.raised',
      timestamp: '2026-03-10T12:00:00.000Z',
      data: { kind: 'disk', text: 'The disk is full.' },
    });
    await eventually(async () =>
      expect(await stores.webhooks.state()).toMatchObject({ waiting: 0 }),
    );
  });

  it('webhooks deliver each event once when two instances share the outbox', async () => {
    const beside = await openBeside();
    const wanted = Array.from({ length: 12 }, (_, n) => `alert-${10 + n}`);
    await Promise.all(wanted.map((id) => stores.webhooks.queue(alert(id), clock)));
    start();
    start({ store: beside.webhooks });
    await recordedIs(12);
    expect(ids().sort()).toEqual(wanted);
    for (const worker of workers.splice(0)) await worker.stop();
    await beside.close();
  });

  it('webhooks are signed with each secret while one is being replaced', async () => {
    await stores.webhooks.queue(alert('alert-1'), clock);
    start({ secrets: [`whsec_${Buffer.alloc(32, 1).toString('base64')}`, webhookSecret] });
    await eventually(() => expect(ids()).toEqual(['alert-1']));
  });

  it('an event is given up after eleven refusals, and sent at the next start', async () => {
    receiver.setBehaviour(400);
    await stores.webhooks.queue(alert('alert-1'), clock);
    const worker = start();
    for (let n = 1; n <= 11; n++) {
      worker.wake();
      await recordedIs(n);
      expect(await stores.webhooks.state()).toMatchObject({ refused: n === 11 ? 1 : 0 });
      clock += 6 * 60 * minute;
    }
    receiver.setBehaviour(204);
    start();
    await eventually(() => expect(ids()).toEqual(['alert-1']));
    expect(await stores.mail.state()).toMatchObject({ waiting: 0, refused: 0 });
  });

  it('webhooks send nothing after a 410 until the next start', async () => {
    receiver.setBehaviour(410);
    for (const n of [1, 2]) await stores.webhooks.queue(alert(`alert-${n}`), clock + n);
    clock += minute;
    start();
    await recordedIs(2);
    expect(receiver.requests).toEqual(['alert-1']);
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 0, refused: 2 });
    receiver.setBehaviour(204);
    start();
    await eventually(() => expect(ids().sort()).toEqual(['alert-1', 'alert-2']));
  });

  it('webhooks follow no redirect', async () => {
    const target = await openTestReceiver();
    const redirecting = await openTestReceiver(webhookSecret, { location: target.url });
    redirecting.setBehaviour(307);
    await stores.webhooks.queue(alert('alert-1'), clock);
    start({ url: redirecting.url });
    await recordedIs(1);
    expect(target.requests).toEqual([]);
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 1 });
    await redirecting.close();
    await target.close();
  });

  it('webhooks retry an event when the receiver does not respond in time', async () => {
    receiver.setBehaviour('hang');
    await stores.webhooks.queue(alert('alert-1'), clock);
    const worker = start({ timeoutMs: 50 });
    await recordedIs(1);
    receiver.setBehaviour(204);
    clock += minute;
    worker.wake();
    await eventually(() => expect(ids()).toEqual(['alert-1']));
  });

  it('every change of the site is an event, and spam is none', async () => {
    // The site counts the visits of the calls that its own clock allows.
    const database = await engine.create();
    const site = await openTestSite({
      env: {
        ...database.env,
        WEBHOOK_URL: receiver.url,
        WEBHOOK_SECRET: webhookSecret,
        CONVERSION_KEY: '0a4f7c1be29d4e6f',
      },
    });
    const ok = async (sending: Promise<Response>) => {
      const response = await sending;
      expect(response.status).toBe(200);
      return response.json();
    };
    const ada = { name: 'Ada', email: 'ada@example.com' };
    await ok(site.post('/api/contact', { ...ada, message: 'Hello, may I ask something?' }));
    await ok(site.post('/api/contact', { ...ada, message: 'Hello', hq7x: 'spam' }));
    const slots = await ok(site.fetch('/api/booking/slots?call=strategy-call'));
    const [first, second] = slots.days.at(-1).slots;
    const { url } = await ok(
      site.post('/api/bookings', { ...ada, call: 'strategy-call', start: first, note: 'Hi' }),
    );
    const token = new URL(url, site.origin).pathname.split('/').at(-1);
    await ok(site.post('/api/bookings/change', { token, start: second }));
    await ok(site.post('/api/bookings/change', { token, cancel: true }));
    await ok(site.post('/api/bookings/change', { token, cancel: true }));
    const sale = { id: 'order\r\n1', amount: 4900, currency: 'USD', email: ada.email };
    const bearer = { authorization: 'Bearer 0a4f7c1be29d4e6f' };
    for (const refunded of [0, 0, 900, 900, 4900]) {
      await ok(site.post('/api/conversions', { ...sale, refunded }, bearer));
    }
    await eventually(() => expect(receiver.events).toHaveLength(7));
    await site.close();
    await database.remove();

    expect(new Set(ids()).size).toBe(7);
    const of = (type: string) => receiver.events.filter((one) => one.type === type);
    expect(of('message.received')).toMatchObject([
      { data: { ...ada, company: null, message: 'Hello, may I ask something?' } },
    ]);
    expect(of('booking.created')).toMatchObject([
      { data: { ...ada, call: 'strategy-call', start: first, note: 'Hi' } },
    ]);
    expect(of('booking.moved')).toMatchObject([{ data: { ...ada, start: second } }]);
    expect(of('booking.cancelled')).toMatchObject([{ data: { ...ada, start: second } }]);
    expect(of('sale.recorded')).toMatchObject([
      { data: { id: sale.id, amount: 4900, refunded: 0, currency: 'USD' } },
    ]);
    expect(
      of('sale.refunded')
        .map(({ data }) => data.refunded)
        .sort(),
    ).toEqual([4900, 900]);
    expect(JSON.stringify([...of('sale.recorded'), ...of('sale.refunded')])).not.toContain('ada@');
  });

  const receive = (body: TestEvent) =>
    stores.payments.receive({
      event: eventOf(body),
      payload: JSON.stringify(body),
      receivedAt: timeOf(),
    });
  /** Type and refunded sum of the events that are queued. */
  const queued = async () => {
    const found: string[] = [];
    for (;;) {
      const claimed = await stores.webhooks.claim({
        now: timeOf(),
        lease: day,
        longestWait: day,
      });
      if (!claimed) return found.sort();
      const { type, data } = JSON.parse(claimed.body);
      found.push(`${type} ${data.id} ${data.refunded}`);
    }
  };
  const paid = event('checkout.session.completed', session());
  const refunded = event('refund.created', refund({ amount: 2000 }), 100);

  it('a payment is recorded once and refunded once, in any order and however often delivered', async () => {
    for (const body of [paid, refunded, paid, refunded]) await receive(body);
    expect(await queued()).toEqual(['sale.recorded pi_3TestA 0', 'sale.refunded pi_3TestA 2000']);
    const [paidLater = paid, refundedFirst = paid] = ofPayment([paid, refunded], 2);
    for (const body of [refundedFirst, paidLater]) await receive(body);
    expect(await queued()).toEqual([
      'sale.recorded pi_3TestAx2 2000',
      'sale.refunded pi_3TestAx2 2000',
    ]);
    await receive(event('charge.dispute.created', dispute({ amount: 100 }), 200));
    expect(await queued()).toEqual([]);
  });

  it('a rebuild, an import and an erasure send no events', async () => {
    const silent = await openBeside();
    await silent.payments.receive({
      event: eventOf(paid),
      payload: JSON.stringify(paid),
      receivedAt: timeOf(),
    });
    await silent.close();
    expect(await stores.sales.rebuild(new AbortController().signal)).toBe(0);
    await stores.sales.report(
      sampleSale({ id: 'a', at: noon, amount: 100, refunded: 100, email: 'ada@example.com' }),
    );
    await stores.payments.erase('ada@example.com');
    await stores.sales.eraseBuyer('ada@example.com');
    expect(await queued()).toEqual([]);
  });

  it('erasing a person erases the unsent events about them', async () => {
    const { id, at } = alert('message-received-1');
    const { receivedAt: _, ...data } = sampleMessage({ email: 'Ada@example.com' });
    await stores.webhooks.queue({ id, at, type: 'message.received', data }, clock);
    await stores.webhooks.queue(alert('alert-1'), clock);
    await stores.contact.erase('ada@example.com');
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 1 });
  });

  it('events that could not be delivered are erased after 30 days', async () => {
    await stores.webhooks.queue(alert('alert-1'), clock);
    const env = {
      KEEP_MESSAGES_DAYS: undefined,
      KEEP_BOOKINGS_DAYS: undefined,
      KEEP_BUYERS_DAYS: undefined,
    };
    const night = createRetention({
      env,
      stores,
      file,
      now: () => clock,
      elapsed: () => clock,
      log,
    });
    clock += 30 * day;
    await night();
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 1 });
    clock += 1;
    await night();
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 0 });
  });

  it('alerts are queued once a day for each kind, except that about the receiver', async () => {
    let text = 'The disk is 91% full.';
    const options = {
      currentAlerts: async () => [
        { kind: 'disk', text },
        { kind: 'webhooks', text: 'The receiver of your webhooks rejected an event.' },
      ],
      store: stores.webhooks,
      worker: { wake() {} },
      now: () => clock,
      log,
    };
    await queueAlerts(options);
    text = 'The disk is 92% full.';
    await queueAlerts(options);
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 1 });
    clock += day;
    await queueAlerts(options);
    expect(await stores.webhooks.state()).toMatchObject({ waiting: 2 });
  });
});
