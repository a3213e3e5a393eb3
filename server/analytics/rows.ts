/** The rows behind a number of the dashboard, page by page, newest first. */
import { z } from 'zod';
import { listedSale } from '../sales/outputs.ts';
import type { Sale } from '../sales/sale.ts';
import { cursor, foreignCursor } from '../text/cursor.ts';
import { windowDate } from '../text/iso-date.ts';
import { storableText } from '../text/storable.ts';
import {
  activities,
  type Filter,
  type ListedEvent,
  type PagePosition,
  type TimeWindow,
  type Totals,
} from './model.ts';
import { windowSince } from './report.ts';
import type { AnalyticsStore } from './store.ts';

const pageLength = 100;

const kinds = [...activities, 'sale'] as const;
type Kind = (typeof kinds)[number];

/** The window of a dashboard response, so that later queries read the same period. */
export const windowInput = z.object({
  startDate: windowDate
    .optional()
    .describe('The start of the window; default: 30 days before its end.'),
  asOf: windowDate.optional().describe('The end of the window; default: now.'),
});

/** Restricts figures to a source or campaign by its path (`direct`: direct visits), a button, or both. */
export const filterInput = z.object({
  source: storableText
    .min(1, 'Please give a source, or direct for visits without one.')
    .max(200)
    .optional()
    .describe(
      'Restricts all figures to a source or a campaign (`newsletter/email/spring-sale`); `direct`: visits without a source. Missing: all figures; an empty text is invalid.',
    ),
  button: storableText
    .min(1, 'Please give the name of a call-to-action.')
    .max(100)
    .optional()
    .describe(
      'Restricts all figures to a call-to-action. Page views have none, so they are 0. Missing: all figures; an empty text is invalid.',
    ),
});

/** The requested filter. No source has the name `direct` (see `isEmptySource`). */
export const filterOf = ({ source, button }: z.output<typeof filterInput> = {}): Filter => ({
  source: source === 'direct' ? null : source,
  button,
});

/** The requested window; by default the thirty days up to `now`. */
export function windowOf(
  { startDate, asOf }: z.output<typeof windowInput>,
  now: number,
): TimeWindow {
  return windowSince(startDate, asOf === undefined ? now : Date.parse(asOf));
}

/** Sales and events have different keys. */
const pageCursor = cursor(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.enum(activities), at: z.int(), key: z.string().regex(/^\d{1,15}$/) }),
    z.object({ kind: z.literal('sale'), at: z.int(), key: storableText.max(200) }),
  ]),
);

/** The kind of rows, their window and the cursor of the previous page. */
export const rowsInput = windowInput
  .extend(filterInput.shape)
  .extend({
    kind: z.enum(
      kinds,
      'The kind must be page_view, cta_click, checkout_open, call_booked or sale.',
    ),
    after: pageCursor.input.optional(),
  })
  .refine(({ kind, after }) => after === undefined || after.kind === kind, {
    path: ['after'],
    error: foreignCursor,
  });

/**
 * Returns one page and, when there is another, its cursor as `next`. `counted` is the dashboard's number;
 * a fully refunded sale is listed but not counted.
 */
export async function rowsOf(
  analytics: AnalyticsStore,
  {
    kind,
    after,
    ...input
  }: { kind: Kind; after?: PagePosition | undefined } & z.output<typeof filterInput>,
  window: TimeWindow,
) {
  const filter = filterOf(input);
  const options = { limit: pageLength + 1, after, filter };
  const [totals, page] = await Promise.all([
    analytics.totals(window, filter),
    kind === 'sale'
      ? analytics.sales(window, options).then((sales) => {
          const keyed = sales.map((sale) => ({ ...sale, key: sale.id }));
          return pageIn(kind, keyed, saleInList);
        })
      : analytics.events(kind, window, options).then((found) => pageIn(kind, found, listedEvent)),
  ]);
  return { ...page, counted: totals[columns[kind]] };
}

/** The page at the start of these rows, and the cursor of the next one when they are more. */
function pageIn<K extends Kind, Found extends PagePosition, Listed>(
  kind: K,
  found: Found[],
  listed: (row: Found) => Listed,
) {
  const end = found[pageLength - 1];
  const hasMore = found.length > pageLength;
  return {
    kind,
    rows: found.slice(0, pageLength).map(listed),
    next: hasMore && end ? pageCursor.of({ kind, at: end.at, key: end.key }) : undefined,
  };
}

const saleInList = (sale: Sale) => ({
  ...listedSale(sale),
  isGivenBack: (sale.amount > 0 && sale.refunded >= sale.amount) || undefined,
});

/** An event in the response: no visitor key is stored with it. */
const listedEvent = ({ at, button, source }: ListedEvent) => ({
  timestamp: new Date(at).toISOString(),
  button: button ?? undefined,
  source: source ?? undefined,
});

/** The total that counts the rows of a kind. */
const columns = {
  page_view: 'pageViews',
  cta_click: 'ctaClicks',
  checkout_open: 'checkoutOpens',
  call_booked: 'callsBooked',
  sale: 'conversions',
} as const satisfies Record<Kind, keyof Totals>;
