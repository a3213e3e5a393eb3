import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { sourceOf } from '../attribution/source-name.ts';
import { controls } from '../contract/controls.ts';
import { isSameSecret } from '../same-secret.ts';
import { sentences } from '../trpc/errors.ts';
import { adminProcedure, hotChange, publicProcedure, router } from '../trpc/trpc.ts';
import { isoDate } from './iso-date.ts';
import { isTimeZone, localDays } from './local-days.ts';
import { ownHosts, record } from './record.ts';
import { listed, listedDay, listedSources, saidBy, summaryOf, windowSince } from './report.ts';
import { rowsInput, rowsOf, windowInput, windowOf } from './rows.ts';
import { conversionOf, sale } from './sale.ts';
import { activities } from './store.ts';

const activity = z.object({
  type: z.enum(activities, 'The type must be page_view, cta_click, checkout_open or call_booked.'),
  control: z.enum(controls, 'There is no such control.').optional(),
  /** The query of the page's address, and the address of the page before: where the visitor is from. */
  search: z.string().optional(),
  referrer: z.string().optional(),
  /** A program drives the browser. */
  automated: z.boolean().optional(),
  /** The visitor asked not to be counted, and the browser says so to pages only. */
  privacy: z.boolean().optional(),
});

const timeZone = z
  .string()
  .refine(isTimeZone, 'There is no such time zone. Please name one such as Europe/Berlin.');

/** The list on the dashboard is bounded, so that the answer's size does not grow with the sales. */
const listLength = 100;

/** So are its days, in ms: a list of three years can still be looked at. */
const longestSeries = 1100 * 24 * 60 * 60_000;

/** Counts a view or a click of a visitor. Answers alike whether it was counted or not. */
export const hotRecord = hotChange({
  gate: [{ name: 'activity', max: 120, windowMs: 60_000 }, (ctx, why) => ctx.exclude(why)],
  input: activity,
  run: ({ ctx, input }) =>
    record(ctx, {
      activity: input.type,
      control: input.control ?? null,
      source: sourceOf(
        { search: input.search ?? '', referrer: input.referrer ?? '' },
        ownHosts(ctx),
      ),
      isAutomated: input.automated === true || !ctx.request.isFromBrowser,
      wantsPrivacy: input.privacy === true,
    }),
});

export const analyticsRouter = router({
  /** What happened since `startDate` (30 days ago when absent), up to now. */
  dashboard: adminProcedure
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
        trouble: await ctx.ownerAlerts(),
        /** Unread messages in the owner's inbox. */
        unread: await ctx.contact.unread(),
        stripe: saidBy(await ctx.stripe()),
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /**
   * The same period looked at more closely: day by day on the clocks of `timeZone`, source by source,
   * beside the period before, and what was left out.
   */
  breakdown: adminProcedure
    .input(windowInput.extend({ timeZone: timeZone.optional() }).optional())
    .query(async ({ ctx, input }) => {
      const { analytics } = ctx;
      const window = windowOf(input ?? {}, ctx.now());
      const before = { from: 2 * window.from - window.to, to: window.from };
      const first = await analytics.firstView();
      const days = localDays(
        { ...window, from: Math.max(window.from, window.to - longestSeries) },
        input?.timeZone ?? 'UTC',
      );
      const [[previous, ...totals], sources, uncounted] = await Promise.all([
        analytics.totalsOfEach([before, ...days]),
        analytics.sources(window),
        analytics.uncounted(window),
      ]);
      return {
        days: days.flatMap((day, i) => (totals[i] ? [listedDay(day, totals[i])] : [])),
        sources: listedSources(sources),
        /** The same length of time before; null unless all of it was counted. */
        previous:
          previous && first !== undefined && first <= before.from ? summaryOf(previous) : null,
        uncounted,
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /** The rows that make one of the dashboard's numbers, a hundred at a time, newest first. */
  rows: adminProcedure.input(rowsInput).query(async ({ ctx, input }) => {
    const window = windowOf(input, ctx.now());
    return {
      ...(await rowsOf(ctx.analytics, input, window)),
      startDate: new Date(window.from).toISOString(),
      asOf: new Date(window.to).toISOString(),
    };
  }),

  record: hotRecord.procedure,

  /** Takes a sale from another checkout. The same id twice counts once. */
  importConversion: publicProcedure
    .use(({ ctx, next }) => {
      if (!ctx.conversionKey) {
        throw new TRPCError({ code: 'NOT_FOUND', message: sentences.unknownCall });
      }
      if (!ctx.request.bearer || !isSameSecret(ctx.request.bearer, ctx.conversionKey)) {
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
