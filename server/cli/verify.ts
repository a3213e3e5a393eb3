import type { Difference } from '../analytics/store.ts';
import { AppError } from '../errors.ts';
import type { SaleDifference } from '../sales/store-sql.ts';
import { type Command, formatNumber, parse, pluralize, printLine, withStores } from './command.ts';

/** Number of differences that are printed for each check. */
const maxShown = 20;

export const verify: Command = {
  name: 'verify',
  usage: '',
  summary: 'Recounts everything and compares it with the figures on the dashboard.',
  details: [
    'Compares every counter with the rows it counts, and every sale from Stripe with the events that Stripe',
    'sent. The exit code is 1 if anything differs. Changes nothing.',
  ],

  async run(args, io) {
    parse({ args });
    const { counters, sales } = await withStores(io, async (stores) => ({
      counters: await stores.analytics.compareCounters(),
      sales: await stores.sales.compare(),
    }));
    const checks = [
      {
        ...checkOf(counters, lineOf),
        what: 'counter',
        comparedWith: 'the rows',
      },
      {
        ...checkOf(sales, saleLineOf),
        what: 'sale',
        comparedWith: 'the events and reports behind them',
      },
    ].filter(({ checked }) => checked > 0);
    if (checks.length === 0) return printLine(io.stdout, 'Nothing has been counted yet.');

    const errors: string[] = [];
    for (const { checked, lines, what, comparedWith } of checks) {
      if (lines.length === 0) {
        const agree = checked === 1 ? 'agrees' : 'agree';
        printLine(io.stdout, `${pluralize(checked, what)} ${agree} with ${comparedWith}.`);
        continue;
      }
      for (const line of lines.slice(0, maxShown)) printLine(io.stdout, line);
      if (lines.length > maxShown) printLine(io.stdout, '…');
      const differ = lines.length === 1 ? 'differs' : 'differ';
      errors.push(
        `${formatNumber(lines.length)} of ${pluralize(checked, what)} ${differ} from ${comparedWith}.`,
      );
    }
    if (sales.unconverted.length > 0) {
      errors.push(
        `Refunds or disputes in another currency than their sale are not deducted: ${sales.unconverted.slice(0, maxShown).join(', ')}.`,
      );
    }
    if (errors.length > 0) throw new AppError('COMMAND_FAILED', errors.join('\n'));
  },
};

/** A check with its differences as lines of text. */
const checkOf = <T>(
  { checked, differences }: { checked: number; differences: T[] },
  format: (difference: T) => string,
) => ({ checked, lines: differences.map(format) });

const widths: Record<number, string> = { 60000: 'minute', 3600000: 'hour', 86400000: 'day' };

function lineOf({ what, source, from, width, counter, rows }: Difference): string {
  const start = new Date(from).toISOString().slice(0, 16);
  const cents =
    counter.cents === rows.cents ? '' : ` (cents: ${counter.cents}, rows ${rows.cents})`;
  const of = source === undefined ? what : `${what} from ${source}`;
  return `${of}, ${widths[width]} of ${start}Z: counter ${counter.n}, rows ${rows.n}${cents}`;
}

function saleLineOf({ id, stored, rebuilt }: SaleDifference): string {
  if (!stored || !rebuilt) {
    const [here, there] = [stored, rebuilt].map((sale) => (sale ? 'a sale' : 'no sale'));
    return `${id}: counted as ${here} instead of ${there}`;
  }
  const fields = (Object.keys(stored) as (keyof typeof stored)[])
    .map((field) => ({ field, from: textOf(stored[field]), to: textOf(rebuilt[field]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => `${field} ${from} instead of ${to}`);
  return `${id}: counted with ${fields.join('; ')}`;
}

const textOf = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : String(value));
