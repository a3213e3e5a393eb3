/** The rows that make a number of the dashboard, page by page, newest first. */
import { z } from 'zod';
import { storableText } from '../text/storable.ts';
import { isoDate } from './iso-date.ts';
import { listed, windowSince } from './report.ts';
import {
  type Activity,
  type AnalyticsStore,
  activities,
  type ListedEvent,
  type PagePosition,
  type TimeWindow,
  type Totals,
} from './store.ts';

const pageLength = 100;

const kinds = [...activities, 'sale'] as const;
type Kind = (typeof kinds)[number];

/** A window as a dashboard has answered it, so that what is asked of it is of the same moment. */
export const windowInput = z.object({
  startDate: isoDate.optional(),
  asOf: isoDate.optional(),
});

/** The window that was asked for: the thirty days up to `now` where nothing is said. */
export function windowOf(
  { startDate, asOf }: z.output<typeof windowInput>,
  now: number,
): TimeWindow {
  return windowSince(startDate, asOf === undefined ? now : Date.parse(asOf));
}

/** Which rows, of which window, and where the page before has ended. */
export const rowsInput = windowInput
  .extend({
    kind: z.enum(
      kinds,
      'The kind must be page_view, cta_click, checkout_open, call_booked or sale.',
    ),
    after: z.string().optional(),
  })
  .transform(({ after, ...rest }, { addIssue }) => {
    const place = after === undefined ? undefined : placeOf(after, rest.kind);
    if (after !== undefined && !place) {
      addIssue({
        code: 'custom',
        path: ['after'],
        message: 'This is no place in this list. Please take it from the answer before.',
      });
    }
    return { ...rest, after: place };
  });

/**
 * One page, and `next` while there is another: to be sent back as `after`. `counted` is the number
 * that the rows of all pages make; a sale that was given back whole is a row and not counted.
 */
export async function rowsOf(
  analytics: AnalyticsStore,
  { kind, after }: { kind: Kind; after: PagePosition | undefined },
  window: TimeWindow,
) {
  const options = { limit: pageLength + 1, after };
  const [totals, page] = await Promise.all([
    analytics.totals(window),
    kind === 'sale'
      ? pageOfSales(analytics, window, options)
      : pageOf(analytics, kind, window, options),
  ]);
  return { ...page, counted: totals[columns[kind]] };
}

type Options = Parameters<AnalyticsStore['conversions']>[1];

async function pageOfSales(analytics: AnalyticsStore, window: TimeWindow, options: Options) {
  const found = await analytics.conversions(window, options);
  const rows = found.slice(0, pageLength).map((sale) => ({
    ...listed(sale),
    ...(sale.amount > 0 && sale.refunded >= sale.amount && { isGivenBack: true }),
  }));
  const end = found[pageLength - 1];
  return {
    kind: 'sale' as const,
    rows,
    ...(found.length > pageLength &&
      end && { next: cursorOf('sale', { at: end.at, key: end.id }) }),
  };
}

async function pageOf(
  analytics: AnalyticsStore,
  kind: Activity,
  window: TimeWindow,
  options: Options,
) {
  const found = await analytics.marks(kind, window, options);
  const end = found[pageLength - 1];
  return {
    kind,
    rows: found.slice(0, pageLength).map(listedMark),
    ...(found.length > pageLength && end && { next: cursorOf(kind, end) }),
  };
}

/** What is known of somebody who did something, and that is little. */
const listedMark = ({ at, control, source }: ListedEvent) => ({
  timestamp: new Date(at).toISOString(),
  ...(control !== null && { control }),
  ...(source !== null && { source }),
});

/** The figure that the rows of a kind make. */
const columns = {
  page_view: 'pageViews',
  cta_click: 'ctaClicks',
  checkout_open: 'checkoutOpens',
  call_booked: 'callsBooked',
  sale: 'conversions',
} as const satisfies Record<Kind, keyof Totals>;

/** A place as text without meaning to whoever sends it back. */
const cursorOf = (kind: Kind, { at, key }: PagePosition) =>
  Buffer.from(JSON.stringify([kind, at, key])).toString('base64url');

const placeIn = {
  mark: z.tuple([z.string(), z.int(), z.string().regex(/^\d{1,15}$/)]),
  sale: z.tuple([z.string(), z.int(), storableText.max(200)]),
};

/** The place that a cursor of this kind of rows stands for; undefined when it is none. */
function placeOf(cursor: string, kind: Kind): PagePosition | undefined {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
  const result = placeIn[kind === 'sale' ? 'sale' : 'mark'].safeParse(content);
  if (!result.success) return undefined;
  const [of, at, key] = result.data;
  return of === kind ? { at, key } : undefined;
}
