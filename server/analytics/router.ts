import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { z } from 'zod';
import type { Context } from '../app/context.ts';
import { sourceOf } from '../attribution/source-name.ts';
import { buttonNames } from '../contract/button-names.ts';
import { isAppError } from '../errors.ts';
import { imported, planImport, storeImport } from '../sales/import/import-sales.ts';
import { importOptions } from '../sales/import/options.ts';
import { previewOf, previewOutput } from '../sales/import/preview.ts';
import { readSales } from '../sales/import/read-sales.ts';
import { listedSale } from '../sales/outputs.ts';
import { reportOf, sale } from '../sales/report-input.ts';
import { timeZoneInput } from '../text/inputs.ts';
import { windowDate } from '../text/iso-date.ts';
import { done } from '../text/outputs.ts';
import { storableText } from '../text/storable.ts';
import { dayMs } from '../time/units.ts';
import { ApiError } from '../trpc/errors.ts';
import {
  adminMutation,
  keyProcedure,
  publicMutation,
  readProcedure,
  router,
} from '../trpc/trpc.ts';
import { localDays } from './local-days.ts';
import { activities, type TimeWindow } from './model.ts';
import { monthsOf } from './months.ts';
import { breakdownOutput, dashboardOutput, monthsOutput, rowsOutput } from './outputs.ts';
import { ownHosts, record } from './record.ts';
import {
  listedButtons,
  listedDay,
  listedSources,
  listedStripe,
  summaryOf,
  windowSince,
} from './report.ts';
import { filterInput, filterOf, rowsInput, rowsOf, windowInput, windowOf } from './rows.ts';

/**
 * The input of `analytics.record`.
 *
 * @public The bench loads it by path.
 */
export const activity = z.object({
  type: z.enum(activities, 'The type must be page_view, cta_click, checkout_open or call_booked.'),
  button: z.enum(buttonNames, 'There is no such button.').optional(),
  search: z.string().optional().describe('The query string of the page’s URL.'),
  referrer: z.string().optional().describe('With `search`, it determines the traffic source.'),
  automated: z.boolean().optional().describe('The browser is automated (`navigator.webdriver`).'),
  privacy: z
    .boolean()
    .optional()
    .describe(
      'The visitor opted out (`navigator.globalPrivacyControl`), where the browser sends no header.',
    ),
});

/** Maximum sales on the dashboard, so that the response size does not grow with the sales. */
const maxSales = 100;

/** Maximum rows of a file that the owner imports in the browser. */
const maxFileRows = 50_000;

/** How long one call stores sales, in ms. */
const importMs = 15_000;

/** The text of a file of sales, and how to read it: by default, that is found out. */
const salesFile = z.object({
  text: z.string('Please send the text of a file.'),
  options: importOptions.optional(),
});

/** Maximum length of the daily series in ms: about three years. */
const maxSeriesMs = 1100 * dayMs;

export const analyticsRouter = router({
  /** With a filter, of one source or button. Page views have no button. */
  dashboard: readProcedure({
    scope: 'read:analytics',
    summary: 'Get the totals and the latest sales of a period',
    description: 'From `startDate` (default: 30 days ago) to now.',
  })
    .input(filterInput.extend({ startDate: windowDate.optional() }).optional())
    .output(dashboardOutput)
    .query(async ({ ctx, input }) => {
      const window = windowSince(input?.startDate, ctx.now());
      const filter = filterOf(input);
      const [money, conversions, doubts, calls] = await Promise.all([
        ctx.analytics.money(window, filter),
        ctx.analytics.conversions(window, { limit: maxSales, filter }),
        ctx.analytics.doubts(),
        ctx.bookings.overview(window, window.to, filter),
      ]);
      const { currency, totals, otherCurrencies, otherSales, cash } = money;
      return {
        currency,
        summary: summaryOf(totals, currency),
        conversions: conversions.map(listedSale),
        otherCurrencies,
        otherSales,
        cash,
        doubts: doubts.map((sales) => ({ sales: sales.map(listedSale) })),
        calls: {
          cancelled: calls.cancelled,
          soon: calls.soon,
          timeZone: ctx.schedule.timeZone,
          // Visitors' names need the scope read:bookings.
          next: (ctx.request.bearer === undefined ? calls.next : []).map(
            ({ id, call, start, name }) => ({
              id,
              call,
              name,
              start: new Date(start).toISOString(),
            }),
          ),
        },
        alert: await ctx.ownerAlerts(),
        unread: await ctx.contact.unread(),
        isDemo: await ctx.isDemo(),
        stripe: listedStripe(await ctx.stripe(), currency),
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /**
   * Insights into the same period: by day in `timeZone` (default: the owner's), by source, by button, compared
   * with the previous period, and the excluded counts.
   */
  breakdown: readProcedure({
    scope: 'read:analytics',
    summary: 'Get the figures of a period by day, source and button',
    description: 'A filter by source leaves all sources in their list, one by button all buttons.',
  })
    .input(
      windowInput
        .extend(filterInput.shape)
        .extend({ timeZone: timeZoneInput.optional() })
        .optional(),
    )
    .output(breakdownOutput)
    .query(async ({ ctx, input }) => {
      const { analytics } = ctx;
      const window = windowOf(input ?? {}, ctx.now());
      const before = { from: 2 * window.from - window.to, to: window.from };
      const first = await analytics.firstView();
      const timeZone = input?.timeZone ?? ctx.schedule.timeZone;
      const daysOf = ({ from, to }: TimeWindow) =>
        localDays({ from: Math.max(from, to - maxSeriesMs), to }, timeZone);
      const isCounted = first !== undefined && first <= before.from;
      const [days, previousDays] = [daysOf(window), isCounted ? daysOf(before) : []];
      const [counted, excluded] = await Promise.all([
        analytics.breakdown(window, [before, ...days, ...previousDays], filterOf(input)),
        analytics.excludedCounts(window),
      ]);
      const { currency, sources, buttons } = counted;
      const [previous, ...totals] = counted.totals;
      const listed = [...days, ...previousDays].flatMap((day, i) =>
        totals[i] ? [listedDay(day, totals[i], currency)] : [],
      );
      return {
        timeZone,
        daysTruncated: window.to - window.from > maxSeriesMs,
        days: listed.slice(0, days.length),
        sources: listedSources(sources, currency),
        buttons: listedButtons(buttons, currency),
        previous: previous && isCounted ? summaryOf(previous, currency) : null,
        previousDays: listed.slice(days.length),
        excluded: excluded,
        countedSince: first === undefined ? null : new Date(first).toISOString(),
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  /** Months in the owner's time zone, and this year against the same part of the last one. */
  months: readProcedure({
    scope: 'read:analytics',
    summary: 'Get the figures of the last 24 months',
  })
    .input(filterInput.optional())
    .output(monthsOutput)
    .query(({ ctx, input }) =>
      monthsOf(ctx.analytics, {
        now: ctx.now(),
        timeZone: ctx.schedule.timeZone,
        filter: filterOf(input),
      }),
    ),

  rows: readProcedure({
    scope: 'read:analytics',
    summary: 'List the events or sales behind a figure',
    description: 'A hundred a page, the newest first.',
  })
    .input(rowsInput)
    .output(rowsOutput)
    .query(async ({ ctx, input }) => {
      const window = windowOf(input, ctx.now());
      return {
        ...(await rowsOf(ctx.analytics, input, window)),
        startDate: new Date(window.from).toISOString(),
        asOf: new Date(window.to).toISOString(),
      };
    }),

  record: publicMutation({
    summary: 'Record a visitor’s activity',
    description: 'The response is the same whether it was counted or not.',
    limit: { name: 'activity', max: 120, windowMs: 60_000 },
    onReject: (ctx, reason) => ctx.exclude(reason),
  })
    .input(activity)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      // The webhook of the calendar counts the same call.
      if (input.type === 'call_booked' && ctx.hasCallWebhooks) return;
      await record(ctx, {
        activity: input.type,
        button: input.button ?? null,
        source: sourceOf(
          { search: input.search ?? '', referrer: input.referrer ?? '' },
          ownHosts(ctx),
        ),
        isAutomated: input.automated === true || !ctx.request.isFromBrowser,
        wantsPrivacy: input.privacy === true,
      });
    }),

  /** One sale counts once; null asks again. */
  settleDoubt: adminMutation({
    summary: 'Decide whether two sales are one',
    errors: ['DOUBT_NOT_FOUND'],
  })
    .input(
      z.object({
        sales: z.tuple([storableText, storableText], 'Please give the ids of two sales.'),
        isOneSale: z.boolean('Please say whether it is one sale: true, false or null.').nullable(),
      }),
    )
    .output(done)
    .mutation(async ({ ctx, input: { sales, isOneSale } }) => {
      if (!(await ctx.sales.decideDoubt(sales, isOneSale))) {
        throw new ApiError('DOUBT_NOT_FOUND');
      }
      return { ok: true };
    }),

  previewImport: adminMutation({
    summary: 'Preview an import of sales',
    description: 'Takes the text of a CSV file, and how to read it. Stores nothing.',
  })
    .input(salesFile)
    .output(previewOutput)
    .mutation(async ({ ctx, input }) => {
      try {
        const file = await readFile(ctx, input);
        const plan = await planImport(file, ctx.sales);
        await yieldToEventLoop();
        return { problem: null, preview: previewOf(file, plan) };
      } catch (error) {
        if (!isAppError(error, 'INVALID_FILE')) throw error;
        return { problem: error.message, preview: null };
      }
    }),

  /**
   * Imports none when a line has an error. A long import returns where to continue, so that no proxy in
   * between times out.
   */
  importSales: adminMutation({
    summary: 'Import the sales of a file',
    description: 'Counts no sale twice. Send `next` as `from` until it is null.',
    errors: ['FILE_HAS_ERRORS'],
  })
    .input(salesFile.extend({ from: z.int().nonnegative().optional() }))
    .output(imported)
    .mutation(async ({ ctx, input }) => {
      const rejection = new ApiError('FILE_HAS_ERRORS');
      const file = await readFile(ctx, input).catch((error: unknown) => {
        throw isAppError(error, 'INVALID_FILE') ? rejection : error;
      });
      const plan = await planImport(file, ctx.sales);
      if (file.errors.count + plan.errors.length > 0) throw rejection;
      const startedAt = performance.now();
      const isOver = () => performance.now() - startedAt > importMs;
      return storeImport(plan, {
        file,
        sales: ctx.sales,
        now: ctx.now(),
        isOver,
        from: input.from ?? 0,
      });
    }),

  importConversion: keyProcedure({
    scope: 'write:conversions',
    summary: 'Report a sale of another checkout, or its refund',
    description:
      'An id counts once; send it again with a greater `refunded` to report a refund. Without any key, the call does not exist.',
    errors: ['NOT_FOUND', 'OTHER_CURRENCY'],
  })
    .input(sale)
    .output(done)
    .mutation(async ({ ctx, input }) => {
      const result = await ctx.sales.report(reportOf(input, ctx.now()), ctx.now(), {
        isAnnounced: true,
      });
      if (result === 'otherCurrency') {
        throw new ApiError('OTHER_CURRENCY');
      }
      ctx.webhooks?.wake();
      return { ok: true };
    }),
});

const readFile = (
  { now, schedule }: Pick<Context, 'now' | 'schedule'>,
  { text, options }: z.output<typeof salesFile>,
) => readSales(text, { now: now(), options, timeZone: schedule.timeZone, maxRows: maxFileRows });
