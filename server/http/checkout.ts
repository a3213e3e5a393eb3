/**
 * The way to the owner's checkout: counts that it was opened, and sends the visitor on with a signed
 * word of where they came from. Nobody is kept from paying by our counting, nor made to wait for it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRPCError } from '@trpc/server';
import { orExclude, ownHosts, record } from '../analytics/record.ts';
import { dayOf } from '../analytics/visitors.ts';
import { sourceOf } from '../attribution/source-name.ts';
import { tokenOf } from '../attribution/token.ts';
import { controls } from '../contract/controls.ts';
import type { Referral } from '../contract/referral.ts';
import type { Context } from '../trpc/context.ts';
import { errorResponseOf, sentences } from '../trpc/errors.ts';
import { rateLimitKey } from '../trpc/trpc.ts';
import { sendErrorResponse } from './error-response.ts';
import { queryOf } from './query.ts';
import type { AdapterOptions } from './rest.ts';

export const checkoutPath = '/api/checkout';

/** How often an address may open the checkout and be counted. */
const allowance = { max: 30, windowMs: 60_000 };

/** Milliseconds that a buyer waits for a database that is busy. */
const patience = 300;

export interface Checkout {
  /** Where the owner takes payments: a Payment Link. */
  address: string;
  /** The key that signs tokens. */
  key: () => Promise<Buffer>;
}

interface CheckoutDoorOptions extends AdapterOptions {
  /** Without one there is no such call. */
  checkout: Checkout | undefined;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
}

export function createCheckoutHandler({
  checkout,
  publicOrigin,
  createContext,
  report,
}: CheckoutDoorOptions) {
  return async function checkoutDoor(req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      if (!checkout) throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        res.setHeader('Allow', 'GET, HEAD');
        throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: sentences.wrongMethod });
      }
    } catch (error) {
      return sendErrorResponse(res, errorResponseOf(error));
    }
    const address = new URL(checkout.address);
    // A preview of the link opens nothing, and takes nothing along.
    if (req.method === 'HEAD') return leadTo(res, address);
    const visit = visitOf(createContext(req, res), queryOf(req), publicOrigin);
    const failed = (error: unknown) => report(error, req);
    const [token] = await Promise.all([
      soon(tokenFor(visit, checkout.key), failed),
      soon(count(visit), failed),
    ]);
    if (token) address.searchParams.set('client_reference_id', token);
    leadTo(res, address);
  };
}

function leadTo(res: ServerResponse, address: URL): void {
  res.writeHead(302, { Location: address.href, 'Cache-Control': 'no-store' }).end();
}

type Visit = ReturnType<typeof visitOf>;

/** Who opens the checkout, and who sent them: as the page remembers it, or as this request tells. */
function visitOf(ctx: Context, query: URLSearchParams, publicOrigin: string | undefined) {
  const own = ownHosts(ctx);
  const named = (arrival: Referral) => sourceOf(arrival, own);
  const here = named({ search: `?${query}`, referrer: '' }) ?? named(arrivalBy(ctx, publicOrigin));
  const [first, last] = ['first', 'last'].map((name) => named(touchOf(query.get(name) ?? '')));
  return {
    ctx,
    control: controls.find((name) => name === query.get('control')) ?? null,
    wantsPrivacy: ctx.request.wantsPrivacy || query.has('private'),
    first: first ?? last ?? here ?? null,
    last: last ?? here ?? first ?? null,
  };
}

/** By the page before, which is ours where no script remembered anything: then its query tells. */
function arrivalBy({ request }: Context, publicOrigin: string | undefined): Referral {
  const { referrer, host } = request;
  const page = URL.canParse(referrer) ? new URL(referrer) : undefined;
  const isOurs = page?.host === host || (page && page.origin === publicOrigin);
  return isOurs ? { search: page?.search ?? '', referrer: '' } : { search: '', referrer };
}

/** A visit as the page remembers it (`src/checkout`): what it began with, or the page before. */
const touchOf = (text: string): Referral =>
  text.startsWith('?') ? { search: text, referrer: '' } : { search: '', referrer: text };

async function count({ ctx, control, wantsPrivacy, last }: Visit): Promise<void> {
  // A picture or a frame on another site's page opens nothing either.
  if (!ctx.request.isNavigation) return ctx.exclude('foreign');
  const key = rateLimitKey('checkout', ctx.request);
  const wait = await orExclude(ctx, () => ctx.limiter.consume(key, allowance));
  if (wait > 0) return ctx.exclude('rate');
  const sighting = { activity: 'checkout_open', control, source: last, wantsPrivacy } as const;
  await record(ctx, { ...sighting, isAutomated: false });
}

async function tokenFor(
  { ctx, control, wantsPrivacy, first, last }: Visit,
  key: Checkout['key'],
): Promise<string | undefined> {
  if (wantsPrivacy) return undefined;
  return tokenOf({ first, last, control, day: dayOf(ctx.now()) }, await key());
}

/** What comes of it, if it comes soon; otherwise it goes on by itself. */
function soon<T>(work: Promise<T>, failed: (error: unknown) => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patience, undefined);
    work
      .then(resolve, (error: unknown) => {
        failed(error);
        resolve(undefined);
      })
      .finally(() => clearTimeout(timer));
  });
}
