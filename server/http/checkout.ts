/**
 * Redirects to the owner's checkout with a signed attribution token, and records the click. A slow or
 * failing database never blocks the redirect.
 */

import { excludeOnOutage, ownHosts, record } from '../analytics/record.ts';
import { dayOf } from '../analytics/time-window.ts';
import type { Context } from '../app/context.ts';
import { sourceIn, sourceOf } from '../attribution/source-name.ts';
import { tokenOf } from '../attribution/token.ts';
import { buttonNames } from '../contract/button-names.ts';
import type { Referral } from '../contract/referral.ts';
import { rateLimitKey } from '../trpc/trpc.ts';
import type { AdapterOptions, Handler } from './handler.ts';
import { queryOf } from './request/url.ts';
import { sendRedirect } from './response.ts';

export const checkoutPath = '/api/checkout';

/** How many checkout clicks of one address are recorded. */
const clickQuota = { max: 30, windowMs: 60_000 };

/** How long a buyer waits for a busy database, in ms. */
const timeoutMs = 300;

export interface Checkout {
  /** The owner's Stripe Payment Link. */
  address: string;
  /** The key that signs tokens. */
  key: () => Promise<Buffer>;
}

interface CheckoutHandlerOptions extends AdapterOptions {
  checkout: Checkout;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
}

/** Creates the handler of `checkoutPath`, which responds with 302. */
export function createCheckoutHandler({
  checkout,
  publicOrigin,
  createContext,
  report,
}: CheckoutHandlerOptions): Handler {
  return async function handleCheckout(req, res) {
    const address = new URL(checkout.address);
    // Link previews send HEAD: they are not clicks, and need no token.
    if (req.method === 'HEAD') return sendRedirect(res, 302, address.href);
    const visit = visitOf(createContext(req, res), queryOf(req), publicOrigin);
    const onError = (error: unknown) => report(error, req);
    const [token] = await Promise.all([
      withTimeout(tokenFor(visit, checkout.key), onError),
      withTimeout(count(visit, publicOrigin), onError),
    ]);
    if (token) address.searchParams.set('client_reference_id', token);
    sendRedirect(res, 302, address.href);
  };
}

type Visit = ReturnType<typeof visitOf>;

/** The visitor's first and last touch: from the page's query parameters, or from this request. */
function visitOf(ctx: Context, query: URLSearchParams, publicOrigin: string | undefined) {
  const own = ownHosts(ctx);
  const sourceFrom = (referral: Referral) => sourceOf(referral, own);
  const current =
    sourceFrom({ search: `?${query}`, referrer: '' }) ?? sourceFrom(referralOf(ctx, publicOrigin));
  const [first, last] = ['first', 'last'].map((name) => sourceFrom(touchOf(query.get(name) ?? '')));
  const earliest = first ?? last ?? current;
  return {
    ctx,
    button: buttonNames.find((name) => name === query.get('button')) ?? null,
    wantsPrivacy: ctx.request.wantsPrivacy || query.has('private'),
    first: earliest && sourceIn(earliest),
    last: last ?? current ?? first ?? null,
  };
}

/** The referral of the request. Without JavaScript the referrer is the site's own page, whose query counts. */
function referralOf({ request }: Context, publicOrigin: string | undefined): Referral {
  const { referrer, host } = request;
  const page = URL.canParse(referrer) ? new URL(referrer) : undefined;
  const isOurs = page?.host === host || (page && page.origin === publicOrigin);
  return isOurs ? { search: page?.search ?? '', referrer: '' } : { search: '', referrer };
}

/** A touch as the page stored it: the referrer, the query of its first page, or both. */
function touchOf(text: string): Referral {
  const [referrer = ''] = text.split('?', 1);
  return { search: text.slice(referrer.length), referrer };
}

async function count(
  { ctx, button, wantsPrivacy, last }: Visit,
  publicOrigin: string | undefined,
): Promise<void> {
  // Images and frames on another site's page are not clicks.
  if (!ctx.request.isNavigation) return ctx.exclude('foreign');
  const key = rateLimitKey('checkout', ctx.request);
  const wait = await excludeOnOutage(ctx, () => ctx.limiter.consume(key, clickQuota));
  if (wait > 0) return ctx.exclude('rate');
  const sighting = { activity: 'checkout_open', button, source: last, wantsPrivacy } as const;
  // Browsers describe each request to an https address; mail scanners, which open every link, do not.
  const isAutomated = !ctx.request.isFromBrowser && publicOrigin?.startsWith('https:') === true;
  await record(ctx, { ...sighting, isAutomated });
}

async function tokenFor(
  { ctx, button, wantsPrivacy, first, last }: Visit,
  key: Checkout['key'],
): Promise<string | undefined> {
  if (wantsPrivacy) return undefined;
  return tokenOf({ first, last, button, day: dayOf(ctx.now()) }, await key());
}

/** Resolves with the result, or with undefined after `timeoutMs`; the work then continues in the background. */
function withTimeout<T>(
  work: Promise<T>,
  onError: (error: unknown) => void,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, undefined);
    work
      .then(resolve, (error: unknown) => {
        onError(error);
        resolve(undefined);
      })
      .finally(() => clearTimeout(timer));
  });
}
