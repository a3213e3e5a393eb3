import { createHash, timingSafeEqual } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { controls } from '../contract/controls.ts';
import { sentences } from '../errors.ts';
import { admin, open, router, sameOrigin } from '../trpc.ts';
import { isoDate } from './iso-date.ts';
import { listed, summaryOf, windowSince } from './report.ts';
import { conversionOf, sale } from './sale.ts';
import { activities } from './store.ts';
import { isCountable, visitorKey } from './visitors.ts';

const activity = z.object({
  type: z.enum(activities, 'The type must be page_view, cta_click or checkout_open.'),
  control: z.enum(controls, 'There is no such control.').optional(),
});

/** The list on the dashboard is bounded, so that the answer's size does not grow with the sales. */
const listLength = 100;

export const analyticsRouter = router({
  /** What happened since `startDate` (30 days ago when absent), up to now. */
  dashboard: admin
    .input(z.object({ startDate: isoDate.optional() }).optional())
    .query(async ({ ctx, input }) => {
      const window = windowSince(input?.startDate, ctx.now());
      const [totals, conversions, otherCurrencies] = await Promise.all([
        ctx.analytics.totals(window),
        ctx.analytics.conversions(window, { limit: listLength }),
        ctx.analytics.otherCurrencies(window),
      ]);
      return {
        summary: summaryOf(totals),
        conversions: conversions.map(listed),
        otherCurrencies,
        trouble: ctx.trouble() ?? null,
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /** Counts a view or a click of a visitor. Answers alike whether it was counted or not. */
  record: sameOrigin({ name: 'activity', max: 120, per: 60_000 })
    .input(activity)
    .mutation(async ({ ctx, input }) => {
      if (!isCountable(ctx.request) || (await ctx.session.isAdmin())) return;
      const at = ctx.now();
      const visitor = await visitorKey(ctx.request, at, ctx.salts);
      await ctx.analytics.addMark({
        activity: input.type,
        control: input.control ?? null,
        visitor,
        at,
      });
    }),

  /** Takes a sale from another checkout. The same id twice counts once. */
  importConversion: open
    .use(({ ctx, next }) => {
      if (!ctx.conversionKey) {
        throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      }
      if (!ctx.request.bearer || !isSame(ctx.request.bearer, ctx.conversionKey)) {
        throw new TRPCError({ code: 'UNAUTHORIZED', message: sentences.wrongKey });
      }
      return next();
    })
    .input(sale)
    .mutation(async ({ ctx, input }) => {
      await ctx.analytics.addConversion(conversionOf(input, ctx.now()));
      return { ok: true as const };
    }),
});

/** Compares secrets in a time that tells nothing about them. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
