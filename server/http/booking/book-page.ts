/** `/book/<call>`: the free times and the form. It works without JavaScript. */
import type { Request, Response } from 'express';
import type { Context } from '../../app/context.ts';
import { stampAt, stampedAt } from '../../booking/token.ts';
import { type CallName, callNames } from '../../contract/calls.ts';
import { honeypot } from '../../contract/honeypot.ts';
import { hourMs } from '../../time/units.ts';
import { rateLimitKey } from '../../trpc/trpc.ts';
import { formFailure } from '../form-failure.ts';
import type { AddRoute } from '../handler.ts';
import { bodyLimit } from '../request/body.ts';
import { queryOf } from '../request/url.ts';
import { sendRedirect } from '../response.ts';
import { callProcedure } from '../rest.ts';
import { freeTimesVariables, sourceQuery, zoneOf } from './free-times.ts';
import { type BookingPagesOptions, frameOf, sendErrorPage, withErrorPage } from './responses.ts';

/** Shortest time in ms in which a person chooses a time and fills in two fields. */
const minElapsedMs = 3000;

/** Forms of one address in an hour, beyond which quick ones look like those of a program. */
const burstQuota = { max: 3, windowMs: hourMs };

/** The path of the page of a call. */
export const bookPath = (call: CallName) => `/book/${call}`;

/** Adds the routes of the pages of all calls. */
export function addBookPages(addRoute: AddRoute, options: BookingPagesOptions): void {
  for (const call of callNames) {
    addRoute(bookPath(call), 'page', 'GET', 'HEAD', 'POST')
      .get(
        withErrorPage(options, call, (ctx, { req, res }) =>
          sendBookPage(options, ctx, { call, res, query: queryOf(req) }),
        ),
      )
      .post(
        withErrorPage(options, call, (ctx, exchange) =>
          bookCall(options, ctx, { call, ...exchange }),
        ),
      );
  }
}

/** What the form sends, and what is wrong with it. */
interface BookPage {
  call: CallName;
  res: Response;
  query: URLSearchParams;
  status?: number;
  form?: URLSearchParams;
  error?: string;
  nearest?: readonly string[];
  confirmed?: boolean;
}

export async function sendBookPage(
  { pages }: Pick<BookingPagesOptions, 'pages'>,
  ctx: Context,
  page: BookPage,
) {
  const { call, res, query, form, error, nearest, status = 200 } = page;
  const path = bookPath(call);
  const zone = zoneOf(form ?? query) ?? ctx.schedule.timeZone;
  const key = await ctx.bookingKey();
  const typed = (name: string) => form?.get(name) ?? '';
  const times = { call, zone, query, path, action: path, nearest, chosen: typed('start') };
  await pages.fill(res, `book-${call}`, status, {
    ...(await freeTimesVariables(ctx, times)),
    ...frameOf(res.req),
    asksZone: form || query.has('timeZone') ? '' : 'yes',
    error,
    name: typed('name'),
    email: typed('email'),
    note: typed('note'),
    search: typed('search') || searchOf(query),
    referrer: typed('referrer'),
    button: typed('button') || (query.get('button') ?? ''),
    stamp: stampAt(ctx.now(), key),
    timeZone: zone,
    confirmed: page.confirmed ? 'yes' : '',
  });
}

/** The query as that of a visit, which names its source; '' without one. */
function searchOf(query: URLSearchParams): string {
  const rest = sourceQuery(query);
  return rest.size > 0 ? `?${rest}` : '';
}

async function bookCall(
  options: BookingPagesOptions,
  ctx: Context,
  { call, req, res }: { call: CallName; req: Request; res: Response },
) {
  const query = queryOf(req);
  let form: URLSearchParams | undefined;
  try {
    form = await options.body.form(req, res, bodyLimit);
    const key = await ctx.bookingKey();
    const stamp = form.get('stamp') ?? '';
    const madeAt = stampedAt(stamp, ctx.now(), key);
    const isSuspicious = await looksAutomatic(ctx, form, madeAt);
    if (madeAt === undefined || (isSuspicious && !form.get('confirmed'))) {
      // One more press, with a new stamp: a person is not refused, and a program books nothing at once.
      const page = {
        call,
        res,
        query,
        form,
        error: ctx.words.bookingPages.confirm,
        confirmed: true,
      };
      return await sendBookPage(options, ctx, { ...page, status: 400 });
    }
    const start = form.get('start');
    if (!start) {
      const page = { call, res, query, form, error: `${ctx.words.bookingPages.choose}.` };
      return await sendBookPage(options, ctx, { ...page, status: 400 });
    }
    const input = {
      ...Object.fromEntries(form),
      call,
      timeZone: zoneOf(form),
      referrer: form.get('referrer') || referrerOf(ctx, options.publicOrigin),
    };
    const { url } = (await callProcedure('booking.create', async () => input, {
      ...ctx,
      request: { ...ctx.request, idempotencyKey: idempotencyKeyOf(stamp) },
    })) as { url: string };
    sendRedirect(res, 303, url);
  } catch (error) {
    const { message, ...failure } = formFailure(options, error, { req, res, words: ctx.words });
    try {
      if (form === undefined) throw error;
      await sendBookPage(options, ctx, { call, res, query, form, error: message, ...failure });
    } catch {
      // Without the database there is no form to repeat the values in.
      const page = {
        call,
        res,
        status: failure.status,
        error: `${message} ${ctx.words.errors.goBack}`,
      };
      await sendErrorPage(options, page);
    }
  }
}

/** Whether a form has the signs of a program: the honeypot, or many forms that were filled in at once. */
async function looksAutomatic(
  ctx: Context,
  form: URLSearchParams,
  madeAt: number | undefined,
): Promise<boolean> {
  const isBurst =
    (await ctx.limiter.consume(rateLimitKey('booking form', ctx.request), burstQuota)) > 0;
  const isQuick = madeAt !== undefined && ctx.now() - madeAt < minElapsedMs;
  return Boolean(form.get(honeypot)) || (isBurst && isQuick);
}

/** A key of the length that the API accepts. */
const idempotencyKeyOf = (stamp: string) => stamp.replace('.', '').slice(0, 64);

/** The page before, unless it is of this site. */
function referrerOf({ request }: Context, publicOrigin: string | undefined): string {
  const page = URL.canParse(request.referrer) ? new URL(request.referrer) : undefined;
  const isOurs = page?.host === request.host || page?.origin === publicOrigin;
  return page && !isOurs ? request.referrer : '';
}
