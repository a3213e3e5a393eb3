/** What the scheduler's pages share: their errors and calendar files. */
import type { Request, Response } from 'express';
import type { Context } from '../../app/context.ts';
import type { CallName } from '../../contract/calls.ts';
import { refuse } from '../../trpc/errors.ts';
import { rateLimitKey } from '../../trpc/trpc.ts';
import { formFailure } from '../form-failure.ts';
import type { AdapterOptions, Handler } from '../handler.ts';
import type { Pages } from '../pages/pages.ts';

export interface BookingPagesOptions extends AdapterOptions {
  pages: Pick<Pages, 'fill'>;
  /** The site's own origin, when the owner has set one. */
  publicOrigin: string | undefined;
}

/** A handler that has the context of its request. */
type ContextHandler = (ctx: Context, exchange: { req: Request; res: Response }) => Promise<void>;

/** Creates a handler that shows its errors on the page of a call, without times and form. */
export const withErrorPage =
  (options: BookingPagesOptions, call: CallName, handle: ContextHandler): Handler =>
  async (req, res) => {
    const ctx = options.createContext(req, res);
    try {
      await handle(ctx, { req, res });
    } catch (error) {
      if (res.headersSent) throw error;
      const { status, message } = formFailure(options, error, { req, res, words: ctx.words });
      await sendErrorPage(options, { call, res, status, error: message });
    }
  };

/** Sends the page of a call with an error instead of times and form. */
export async function sendErrorPage(
  { pages }: BookingPagesOptions,
  { call, res, status, error }: { call: CallName; res: Response; status: number; error: string },
) {
  await pages.fill(res, `book-${call}`, status, { ...frameOf(res.req), error });
}

/** Sends the not-found page of the site, the same for every path that leads nowhere. */
export async function sendNotFound({ pages }: BookingPagesOptions, res: Response) {
  await pages.fill(res, 'not-found', 404, {});
}

/** Sends a calendar file. */
export function sendCalendar(res: Response, name: string, text: string): void {
  const body = Buffer.from(text);
  res
    .writeHead(200, {
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
    })
    .end(body);
}

/** How many unknown tokens of one address are looked up, against guessing. */
const unknownTokenQuota = { max: 30, windowMs: 60_000 };

/** Counts an unknown token of the visitor's network. Throws `RATE_LIMITED` beyond the limit. */
export async function limitGuesses(ctx: Context): Promise<void> {
  refuse(await ctx.limiter.consume(rateLimitKey('booking token', ctx.request), unknownTokenQuota));
}

/** Whether the page is shown in the frame of a dialog, which has a header of its own. */
export const frameOf = ({ headers }: Request) => ({
  isFramed: headers['sec-fetch-dest'] === 'iframe',
});
