import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { engines, type Stores } from '../database/test-engines.ts';
import { createLog } from '../log.ts';
import { catchUp, catchUpHourly } from './catch-up.ts';
import { eventOf } from './stripe-facts.ts';
import { event, refund, session, type TestEvent, timeOf } from './test-stripe.ts';

const day = 24 * 60 * 60;
const now = timeOf(20 * day);
const always = { from: 0, to: now };
const never = new AbortController().signal;

let place: { open: () => Promise<Stores>; remove: () => Promise<void> };
let stores: Stores;
/** Stripe's side: what it has to tell, what it was asked, and whether it answers at all. */
let events: TestEvent[];
let asked: URL[];
let keys: (string | undefined)[];
let refuses: boolean;
let stripe: Server;

beforeEach(async () => {
  [events, asked, keys, refuses] = [[], [], [], false];
  place = await (engines[0] as (typeof engines)[number]).create();
  stores = await place.open();
  stripe = createServer(answer).listen(0, '127.0.0.1');
  await once(stripe, 'listening');
});
afterEach(async () => {
  stripe.closeAllConnections();
  stripe.close();
  await stores.close();
  await place.remove();
});

/** Lists events as Stripe does: the newest first, in pages of two so that a few are many. */
function answer(req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url ?? '', 'http://stripe');
  asked.push(url);
  keys.push(req.headers.authorization);
  if (refuses) {
    const error = { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_***' };
    return void res
      .writeHead(401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error }));
  }
  const since = Number(url.searchParams.get('created[gte]'));
  const types = [...url.searchParams].filter(([key]) => key.startsWith('types')).map(([, t]) => t);
  const told = events
    .filter(({ created, type }) => created >= since && types.includes(type))
    .sort((a, b) => b.created - a.created);
  const from = told.findIndex(({ id }) => id === url.searchParams.get('starting_after')) + 1;
  const list = { object: 'list', url: '/v1/events', has_more: from + 2 < told.length };
  res
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...list, data: told.slice(from, from + 2) }));
}

const options = (change: { takesTrials?: boolean } = {}) => ({
  apiKey: 'rk_live_51Nq8ZkT3vYw0sLb',
  store: stores.payments,
  takesTrials: false,
  now: () => now,
  log: createLog('silent', { pretty: false }),
  api: {
    host: '127.0.0.1',
    port: (stripe.address() as AddressInfo).port,
    protocol: 'http' as const,
  },
  ...change,
});
const receive = (told: TestEvent) =>
  stores.payments.receive({
    event: eventOf(told),
    payload: JSON.stringify(told),
    receivedAt: now,
  });

describe('catching up', () => {
  it('takes what was missed, page after page, and nothing twice', async () => {
    const heard = event('checkout.session.completed', session(), 0);
    events = [
      heard,
      event('refund.created', refund(), day),
      event('refund.created', refund({ id: 're_2', amount: 700 }), 2 * day),
      event('checkout.session.completed', session({ payment_intent: 'pi_2' }), 2 * day + 1),
      event('customer.created', { id: 'cus_1' }, 2 * day),
    ];
    await receive(heard);
    expect(await catchUp(options(), never)).toBe(3);
    expect(await stores.analytics.totals(always)).toMatchObject({
      conversions: 2,
      revenue: 9700 + 9700 - 2700,
      refunded: 2700,
    });
    expect(await catchUp(options(), never)).toBe(0);
    expect(await stores.payments.compare()).toEqual({ checked: 2, differences: [] });
    expect(new Set(keys)).toEqual(new Set(['Bearer rk_live_51Nq8ZkT3vYw0sLb']));
  });

  it('asks for thirty days the first time, then for what Stripe may still be trying to deliver', async () => {
    const since = () => Number(asked.at(-1)?.searchParams.get('created[gte]')) * 1000;
    await catchUp(options(), never);
    expect(since()).toBe(now - 30 * day * 1000);
    await receive(event('checkout.session.completed', session(), 18 * day));
    await catchUp(options(), never);
    expect(since()).toBe(timeOf(15 * day));
  });

  it('leaves trial payments out on a live site', async () => {
    events = [{ ...event('checkout.session.completed', session()), livemode: false }];
    expect(await catchUp(options(), never)).toBe(0);
    expect(await catchUp(options({ takesTrials: true }), never)).toBe(1);
  });

  it('takes the oldest first, so that being cut off misses none', async () => {
    const session1 = event('checkout.session.completed', session(), 0);
    const session2 = event(
      'checkout.session.completed',
      session({ payment_intent: 'pi_2' }),
      9 * day,
    );
    events = [session1, session2];
    const stopped = new AbortController();
    const store: Stores['payments'] = {
      ...stores.payments,
      receive(letter) {
        stopped.abort();
        return stores.payments.receive(letter);
      },
    };
    expect(await catchUp({ ...options(), store }, stopped.signal)).toBe(1);
    expect(await stores.payments.newest()).toBe(timeOf(0));
    expect(await catchUp(options(), never)).toBe(1);
  });

  it('ends when it is told to', async () => {
    events = [event('checkout.session.completed', session())];
    expect(await catchUp(options(), AbortSignal.abort())).toBe(0);
  });
});

it('goes on when Stripe refuses, and says so without the key', async () => {
  refuses = true;
  const said = vi.fn();
  const log = { ...createLog('silent', { pretty: false }), error: said };
  const stop = catchUpHourly({ ...options(), log: log as never });
  await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(1));
  stop();
  expect(said.mock.calls[0]?.[1]).toBe('Stripe could not be asked; trying again in an hour');
  expect(JSON.stringify(said.mock.calls)).not.toContain('rk_live_51Nq8ZkT3vYw0sLb');
});
