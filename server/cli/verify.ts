import type { Difference } from '../analytics/model.ts';
import { formatNumber, pluralize } from '../contract/numbers.ts';
import { readEnv } from '../env.ts';
import { AppError } from '../errors.ts';
import type { RowDifference } from '../sales/compare.ts';
import { isLiveKey, isPermissionError, keyErrorSentence } from '../sales/stripe/api.ts';
import { compareFees } from '../sales/stripe/fees.ts';
import { type Reconciliation, reconcile } from '../sales/stripe/reconcile.ts';
import { connectedEnv } from '../stores/connected-env.ts';
import type { Stores } from '../stores/stores.ts';
import { dayMs } from '../time/units.ts';
import { type Command, type Io, parse, printLine, withStores } from './command.ts';

/** Number of differences that are printed for each check. */
const maxShown = 20;

export const verify: Command = {
  name: 'verify',
  usage: '',
  summary: 'Recounts everything and compares it with the figures on the dashboard.',
  details: [
    'Compares every counter with the rows it counts, and every row of a sale with the events and reports that',
    'it results from. With STRIPE_API_KEY, also compares the payments and fees of the last 30 days with',
    'Stripe’s list. The exit code is 1 if anything differs. Changes nothing.',
  ],

  async run(args, io) {
    parse({ args });
    const { counters, sales, stripe } = await withStores(io, async (stores) => ({
      counters: await stores.analytics.compareCounters(),
      sales: await stores.sales.compare(),
      stripe: await compareWithStripe(stores, io),
    }));
    const checks = [
      {
        ...checkOf(counters, lineOf),
        one: 'counter',
        many: 'counters',
        comparedWith: 'the rows',
      },
      {
        ...checkOf(sales, rowLineOf),
        differ: new Set(sales.differences.map(({ sale }) => sale)).size,
        one: 'sale',
        many: 'sales',
        comparedWith: 'the events and reports behind them',
      },
      {
        ...stripe.fees,
        one: 'fee of the last 30 days',
        many: 'fees of the last 30 days',
        comparedWith: 'Stripe’s list',
      },
      {
        ...stripe.payments,
        one: 'payment of the last 30 days',
        many: 'payments of the last 30 days',
        comparedWith: 'Stripe’s list',
      },
    ].filter(({ checked }) => checked > 0);
    const errors: string[] = [];
    if (stripe.failure !== undefined) errors.push(stripe.failure);
    if (checks.length === 0) printLine(io.stdout, 'Nothing has been counted yet.');

    for (const { checked, differ, lines, one, many, comparedWith } of checks) {
      if (differ === 0) {
        const agree = checked === 1 ? 'agrees' : 'agree';
        printLine(io.stdout, `${pluralize(checked, one, many)} ${agree} with ${comparedWith}.`);
        continue;
      }
      for (const line of lines.slice(0, maxShown)) printLine(io.stdout, line);
      if (lines.length > maxShown) {
        printLine(io.stdout, `and ${formatNumber(lines.length - maxShown)} more`);
      }
      errors.push(
        `${formatNumber(differ)} of ${pluralize(checked, one, many)} ${differ === 1 ? 'differs' : 'differ'} from ${comparedWith}.`,
      );
    }
    if (sales.unconverted.length > 0) {
      errors.push(
        `Refunds or disputes in another currency than their sale are not deducted: ${listed(sales.unconverted)}.`,
      );
    }
    if (errors.length > 0) throw new AppError('COMMAND_FAILED', errors.join('\n'));
  },
};

/** The first of these ids, and how many more there are. */
const listed = (ids: readonly string[]) =>
  [
    ...ids.slice(0, maxShown),
    ...(ids.length > maxShown ? [`and ${formatNumber(ids.length - maxShown)} more`] : []),
  ].join(', ');

/** A check with its differences as lines of text. */
const checkOf = <T>(
  { checked, differences }: { checked: number; differences: T[] },
  format: (difference: T) => string,
) => ({ checked, differ: differences.length, lines: differences.map(format) });

/** Compares the payments and fees of the last thirty days with Stripe's list, if there is a key to read it. */
async function compareWithStripe(stores: Stores, io: Io) {
  const { payments: store, analytics } = stores;
  const { STRIPE_API_KEY: apiKey, PUBLIC_URL } = await connectedEnv(readEnv(io.env), stores);
  const nothing = { checked: 0, differ: 0, lines: [] };
  // A live site ignores test payments, so there is nothing to compare.
  const isIgnored = apiKey && PUBLIC_URL?.startsWith('https:') && !isLiveKey(apiKey);
  const neither = { payments: nothing, fees: nothing, failure: undefined };
  if (!apiKey || isIgnored) return neither;
  if (await stores.isDemo()) {
    printLine(io.stdout, 'The data are made up, so payments are not compared with Stripe’s list.');
    return neither;
  }
  const currency = await analytics.currency();
  const options = { apiKey, endpoint: io.stripeEndpoint, store, currency, now: io.now };
  try {
    const { payments, differ, differing } = await reconcile(
      { ...options, settle: async () => {} },
      new AbortController().signal,
    );
    const since = Math.floor((io.now() - 30 * dayMs) / 1000) * 1000;
    const fees = await compareFees(options, since).catch((error: unknown) => {
      if (isPermissionError(error)) return { checked: 0, differences: [] };
      throw error;
    });
    return {
      payments: { checked: payments, differ, lines: differing.map(stripeLineOf) },
      fees: checkOf(fees, rowLineOf),
      failure: undefined,
    };
  } catch (error) {
    const isOfStripe =
      error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');
    if (!isOfStripe) throw error;
    const failure =
      keyErrorSentence(error) ??
      `The request to Stripe failed (${error.message}), so payments are not compared with Stripe’s list. Try again later.`;
    return { ...neither, failure };
  }
}

function lineOf({ what, source, button, hour, counter, rows }: Difference): string {
  const of = [
    what,
    ...(source === undefined ? [] : [`from ${source}`]),
    ...(button === undefined ? [] : [`by button ${button}`]),
  ].join(' ');
  const start = new Date(hour).toISOString().slice(0, 16);
  return `${of}, hour of ${start}Z: counter ${counter}, rows ${rows}`;
}

const rowLineOf = ({ table, row, problem }: Omit<RowDifference, 'sale'>) =>
  `${table} ${row}: ${problem}`;

type DifferingPayment = Reconciliation['differing'][number];

const stripeLineOf = ({ payment, stripe, ours }: DifferingPayment) =>
  `${payment}: counted as ${sideText(ours)}; Stripe has ${sideText(stripe)}`;

const sideText = (side: DifferingPayment['ours']) =>
  side
    ? `amount ${side.amount}, refunded ${side.refunded}, disputed ${side.disputed} ${side.currency}`
    : 'no sale';
