import { createHash, timingSafeEqual } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { controls } from '../contract/controls.ts';
import { sentences } from '../errors.ts';
import { storableText } from '../storable-text.ts';
import { admin, limited, open, router, sameOrigin } from '../trpc.ts';
import { listed, summaryOf, windowSince } from './report.ts';
import { activities } from './store.ts';
import { isCountable, visitorKey } from './visitors.ts';

const isoDate = z.iso.datetime({
  offset: true,
  error: 'Please give a date with time and zone, such as 2026-01-31T00:00:00Z.',
});

const activity = z.object({
  type: z.enum(activities, 'The type must be page_view, cta_click or checkout_open.'),
  control: z.enum(controls, 'There is no such control.').optional(),
});

const sale = z.object({
  id: storableText.min(1, 'Please give the sale’s own id.').max(200),
  amount: z.int('Please give the amount in cents, as a whole number.').nonnegative(),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, 'Please give a currency such as USD.')
    .toUpperCase(),
  email: storableText.trim().max(320).nullish(),
  source: storableText.trim().max(100).nullish(),
  timestamp: isoDate.optional(),
});

/** The list on the dashboard is bounded, so that the answer's size does not grow with the sales. */
const listLength = 100;

export const analyticsRouter = router({
  /** What happened since `startDate` (30 days ago when absent), up to now. */
  dashboard: admin
    .input(z.object({ startDate: isoDate.optional() }).optional())
    .query(async ({ ctx, input }) => {
      const window = windowSince(input?.startDate, ctx.now());
      const [totals, conversions] = await Promise.all([
        ctx.analytics.totals(window),
        ctx.analytics.conversions(window, { limit: listLength }),
      ]);
      return {
        summary: summaryOf(totals),
        conversions: conversions.map(listed),
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /** Counts a view or a click of a visitor. Answers alike whether it was counted or not. */
  record: sameOrigin
    .use(limited('activity', { max: 120, per: 60_000 }))
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
      await ctx.analytics.addConversion({
        id: input.id,
        at: input.timestamp ? Date.parse(input.timestamp) : ctx.now(),
        amount: input.amount,
        currency: input.currency,
        email: input.email || null,
        source: input.source || null,
      });
      return { ok: true as const };
    }),
});

/** Compares secrets in a time that tells nothing about them. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
