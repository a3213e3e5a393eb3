/**
 * The way to the owner's checkout: counts that it was opened, and sends the visitor on with a signed
 * word of where they came from. Whatever cannot be counted is sent on all the same.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { ownHosts, record } from '../analytics/record.ts';
import { dayOf } from '../analytics/visitors.ts';
import { type Arrival, sourceOf } from '../attribution/source-name.ts';
import { tokenOf } from '../attribution/token.ts';
import type { Context, RequestFacts } from '../context.ts';
import { type Control, controls } from '../contract/controls.ts';
import { faultOf, sentences } from '../errors.ts';
import { limitKey } from '../trpc.ts';
import { sendFault } from './fault.ts';
import type { DoorOptions } from './rest.ts';

export const checkoutPath = '/api/checkout';

/** How often an address may open the checkout and be counted. */
const allowance = { max: 30, per: 60_000 };

export interface Checkout {
  /** Where the owner takes payments: a Payment Link. */
  address: string;
  /** The key that signs tokens. */
  key: () => Promise<Buffer>;
}

/** @param checkout without one there is no such call */
export function createCheckoutDoor(
  checkout: Checkout | undefined,
  { createContext, report }: DoorOptions,
) {
  return async function checkoutDoor(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (!checkout) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('Allow', 'GET, HEAD');
        throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
      }
    } catch (error) {
      return sendFault(res, faultOf(error));
    }
    const address = new URL(checkout.address);
    // A visitor who wants to pay is never kept from it by our own counting.
    try {
      const token = await attributed(createContext(req, res), req, checkout.key);
      if (token) address.searchParams.set('client_reference_id', token);
    } catch (error) {
      report(error);
    }
    res.writeHead(302, { Location: address.href, 'Cache-Control': 'no-store' }).end();
  };
}

/** Counts that the checkout was opened; the token that goes along, unless the visitor wants privacy. */
async function attributed(
  ctx: Context,
  req: IncomingMessage,
  key: Checkout['key'],
): Promise<string | undefined> {
  const query = new URLSearchParams(req.url?.split('?', 2)[1] ?? '');
  const control = controls.find((name) => name === query.get('control')) ?? null;
  const here = arrivalHere(query, ctx.request);
  const arrivals = { first: touchOf(query.get('first')), last: touchOf(query.get('last')) };
  // A preview of the link opens nothing.
  if (req.method === 'GET') await count(ctx, control, arrivals.last ?? here);
  if (ctx.request.wantsPrivacy) return undefined;

  const own = ownHosts(ctx);
  const last = sourceOf(arrivals.last ?? here, own);
  const first = (arrivals.first && sourceOf(arrivals.first, own)) ?? last;
  return tokenOf({ first, last: last ?? first, control, day: dayOf(ctx.now()) }, await key());
}

async function count(ctx: Context, control: Control | null, arrival: Arrival): Promise<void> {
  const wait = ctx.limiter.take(limitKey('checkout', ctx.request), allowance);
  if (wait > 0) return ctx.leaveOut('rate');
  await record(ctx, {
    activity: 'checkout_open',
    control,
    arrival,
    isAutomated: false,
    wantsPrivacy: false,
  });
}

/** How somebody came whose browser remembers nothing: by the page they were on, or by a link to here. */
function arrivalHere(query: URLSearchParams, { referrer, host }: RequestFacts): Arrival {
  const page = URL.canParse(referrer) ? new URL(referrer) : undefined;
  const ours = page?.host === host ? page.search : '';
  return { search: `?${query}&${ours.slice(1)}`, referrer };
}

/** A visit as the page remembers it (`src/checkout`): the query it began with, or the page before. */
function touchOf(text: string | null): Arrival | undefined {
  if (!text) return undefined;
  return text.startsWith('?') ? { search: text, referrer: '' } : { search: '', referrer: text };
}
