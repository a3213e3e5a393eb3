/** A test server for the parts of Stripe's API that the site uses, with its data as plain arrays. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StripeEndpoint } from '../../sales/stripe/api.ts';
import type { TestEvent } from './events.ts';

type StripeObject = Record<string, unknown>;

export interface TestStripe {
  endpoint: StripeEndpoint;
  /** The API's data: events in any order, other objects newest first. */
  events: TestEvent[];
  sessions: StripeObject[];
  /** The charge that paid a payment intent, by the intent's id. */
  charges: Record<string, StripeObject>;
  refunds: StripeObject[];
  disputes: StripeObject[];
  /** Balance transactions whose `source` is the expanded object. */
  balanceTransactions: StripeObject[];
  /** Webhook endpoints, as Stripe lists them: without their secret. */
  endpoints: StripeObject[];
  paymentLinks: StripeObject[];
  account: StripeObject;
  /** What keys of other accounts see instead, by key. */
  accounts: Record<string, Pick<TestStripe, 'account' | 'endpoints'>>;
  /** Maximum objects per page. */
  pageLength: number;
  /** Error response for matching paths. */
  failure: { path: RegExp; status: number; error: StripeObject } | undefined;
  /** Whether it takes requests and does not answer. */
  isHanging: boolean;
  /** URLs of the received requests, and their `Authorization` headers. */
  requests: URL[];
  keys: (string | undefined)[];
  close(): void;
}

export async function openTestStripe(): Promise<TestStripe> {
  const handle = async (req: IncomingMessage, res: ServerResponse) => {
    const url = new URL(req.url ?? '', 'http://stripe');
    stripe.requests.push(url);
    stripe.keys.push(req.headers.authorization);
    const { failure } = stripe;
    const text = await textOf(req);
    if (stripe.isHanging) return;
    const key = req.headers.authorization?.replace('Bearer ', '') ?? '';
    const seen = { ...stripe, ...stripe.accounts[key] };
    const [status, body] = failure?.path.test(url.pathname)
      ? [failure.status, { error: failure.error }]
      : (endpointAnswer(seen, req, url, new URLSearchParams(text)) ?? [200, readAnswer(seen, url)]);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stripe: TestStripe = {
    endpoint: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, protocol: 'http' },
    events: [],
    sessions: [],
    charges: {},
    refunds: [],
    disputes: [],
    balanceTransactions: [],
    endpoints: [],
    paymentLinks: [],
    account: { id: 'acct_1', object: 'account' },
    accounts: {},
    pageLength: 100,
    failure: undefined,
    isHanging: false,
    requests: [],
    keys: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return stripe;
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of req) text += part;
  return text;
}

const readAnswer = (stripe: TestStripe, url: URL) =>
  url.pathname === '/v1/account' ? stripe.account : listOf(stripe, url);

/** Ids are those of no other endpoint of the test run. */
let endpointsMade = 0;

/** Creates, changes or deletes a webhook endpoint; undefined for another request. */
function endpointAnswer(
  { endpoints }: TestStripe,
  { method }: IncomingMessage,
  { pathname }: URL,
  body: URLSearchParams,
): [number, unknown] | undefined {
  const [, id] = /^\/v1\/webhook_endpoints(?:\/(\w+))?$/.exec(pathname) ?? [pathname];
  if (method === 'GET' || !pathname.startsWith('/v1/webhook_endpoints')) return undefined;
  const at = endpoints.findIndex((endpoint) => endpoint.id === id);
  if (id !== undefined && at === -1) return [404, { error: { type: 'invalid_request_error' } }];
  if (method === 'DELETE') {
    endpoints.splice(at, 1);
    return [200, { id, object: 'webhook_endpoint', deleted: true }];
  }
  const events = [...body].filter(([key]) => key.startsWith('enabled_events')).map(([, v]) => v);
  const changed = { enabled_events: events, status: 'enabled' };
  if (id !== undefined) return [200, Object.assign(endpoints[at] ?? {}, changed)];
  endpointsMade += 1;
  const made = {
    ...{ id: `we_${endpointsMade}`, object: 'webhook_endpoint', ...changed },
    ...{ url: body.get('url'), api_version: body.get('api_version') },
  };
  endpoints.push(made);
  return [200, { ...made, secret: `whsec_of_${made.id}` }];
}

function listOf(stripe: TestStripe, url: URL) {
  const query = url.searchParams;
  const objects = matching(stripe, url.pathname, query);
  const from = objects.findIndex(({ id }) => id === query.get('starting_after')) + 1;
  const length = Math.min(stripe.pageLength, Number(query.get('limit') ?? 10));
  return {
    object: 'list',
    url: url.pathname,
    has_more: from + length < objects.length,
    data: objects.slice(from, from + length),
  };
}

function matching(stripe: TestStripe, path: string, query: URLSearchParams): StripeObject[] {
  const all = (name: string) =>
    [...query].filter(([key]) => key.startsWith(name)).map(([, v]) => v);
  const since = Number(query.get('created[gte]') ?? 0);
  const isInRange = ({ created }: StripeObject) => Number(created) >= since;
  if (path === '/v1/events') {
    return [...stripe.events]
      .filter((event) => isInRange({ ...event }) && all('types').includes(event.type))
      .sort((a, b) => b.created - a.created)
      .map((event) => ({ ...event }));
  }
  if (path === '/v1/checkout/sessions') {
    const isExpanded = all('expand').includes('data.payment_intent.latest_charge');
    return stripe.sessions
      .filter((session) => isInRange(session) && session.status === query.get('status'))
      .map((session) => (isExpanded ? expanded(session, stripe.charges) : session));
  }
  if (path === '/v1/balance_transactions') {
    const isExpanded = all('expand').includes('data.source');
    return stripe.balanceTransactions
      .filter(isInRange)
      .map((one) => (isExpanded ? one : { ...one, source: (one.source as StripeObject).id }));
  }
  const lists: Record<string, StripeObject[]> = {
    '/v1/refunds': stripe.refunds,
    '/v1/disputes': stripe.disputes,
  };
  if (path === '/v1/webhook_endpoints') return stripe.endpoints;
  if (path === '/v1/payment_links') return stripe.paymentLinks;
  const payment = query.get('payment_intent');
  return (lists[path] ?? []).filter(({ payment_intent: of }) => of === payment);
}

const expanded = (session: StripeObject, charges: Record<string, StripeObject>) => ({
  ...session,
  payment_intent: session.payment_intent && {
    id: session.payment_intent,
    object: 'payment_intent',
    amount: session.amount_total,
    capture_method: 'automatic_async',
    currency: session.currency,
    latest_charge: charges[String(session.payment_intent)] ?? null,
    status: session.payment_status === 'paid' ? 'succeeded' : 'processing',
  },
});
