import type { Difference } from '../analytics/store.ts';
import type { PaymentDifference } from '../stripe/store.ts';
import {
  type Command,
  counted,
  grouped,
  parse,
  printLine,
  Refusal,
  withStores,
} from './command.ts';

const shown = 20;

export const verify: Command = {
  name: 'verify',
  takes: '',
  summary: 'Recounts everything and compares it with what the dashboard shows.',
  details: [
    'Every counter is compared with the rows it counts, and every sale that Stripe told of with what',
    'Stripe said. Ends with exit code 1 when anything differs. Changes nothing.',
  ],

  async run(args, io) {
    parse({ args });
    const { counters, payments } = await withStores(io, async (stores) => ({
      counters: await stores.analytics.compareCounters(),
      payments: await stores.payments.compare(),
    }));
    const checks = [
      {
        ...checkOf(counters, lineOf),
        what: 'counter',
        same: 'compared with the rows',
        others: 'the rows',
      },
      {
        ...checkOf(payments, paymentLineOf),
        what: 'payment',
        same: 'made again from what Stripe said',
        others: 'what Stripe said',
      },
    ].filter(({ checked }) => checked > 0);
    if (checks.length === 0) return printLine(io.stdout, 'Nothing has been counted yet.');

    const verdicts: string[] = [];
    for (const { checked, lines, what, same, others } of checks) {
      if (lines.length === 0) {
        const verdict = checked === 1 ? 'It says' : 'All say';
        printLine(io.stdout, `${counted(checked, what)} ${same}. ${verdict} the same.`);
        continue;
      }
      for (const line of lines.slice(0, shown)) printLine(io.stdout, line);
      if (lines.length > shown) printLine(io.stdout, '…');
      const differ = lines.length === 1 ? 'differs' : 'differ';
      verdicts.push(
        `${grouped(lines.length)} of ${counted(checked, what)} ${differ} from ${others}.`,
      );
    }
    if (verdicts.length > 0) throw new Refusal(verdicts.join('\n'));
  },
};

/** A check whose differences are lines. */
const checkOf = <T>(
  { checked, differences }: { checked: number; differences: T[] },
  line: (difference: T) => string,
) => ({ checked, lines: differences.map(line) });

const spans: Record<number, string> = { 60000: 'minute', 3600000: 'hour', 86400000: 'day' };

function lineOf({ what, source, from, width, counter, rows }: Difference): string {
  const start = new Date(from).toISOString().slice(0, 16);
  const cents =
    counter.cents === rows.cents ? '' : ` (cents: ${counter.cents}, rows ${rows.cents})`;
  const of = source === undefined ? what : `${what} from ${source}`;
  return `${of}, ${spans[width]} of ${start}Z: counter ${counter.n}, rows ${rows.n}${cents}`;
}

function paymentLineOf({ payment, kept, rebuilt }: PaymentDifference): string {
  if (!kept || !rebuilt) {
    const [here, there] = [kept, rebuilt].map((sale) => (sale ? 'a sale' : 'no sale'));
    return `${payment}: counted as ${here}; Stripe said ${there}`;
  }
  const fields = (Object.keys(kept) as (keyof typeof kept)[])
    .filter((field) => kept[field] !== rebuilt[field])
    .map((field) => `${field} ${kept[field]}, Stripe said ${rebuilt[field]}`);
  return `${payment}: counted with ${fields.join('; ')}`;
}
