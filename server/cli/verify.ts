import type { Difference } from '../analytics/store.ts';
import { counted, grouped, parse, printLine, Refusal, type Verb, withStores } from './verb.ts';

const shown = 20;

export const verify: Verb = {
  name: 'verify',
  takes: '',
  summary: 'Recounts everything and compares it with every counter behind the dashboard.',
  details: ['Ends with exit code 1 when a counter differs. Changes nothing.'],

  async run(args, io) {
    parse({ args });
    const { checked, differences } = await withStores(io, ({ analytics }) =>
      analytics.compareCounters(),
    );
    if (differences.length === 0) {
      const verdict = checked === 1 ? 'It says' : 'All say';
      return printLine(
        io.stdout,
        checked === 0
          ? 'Nothing has been counted yet.'
          : `${counted(checked, 'counter')} compared with the rows. ${verdict} the same.`,
      );
    }
    for (const difference of differences.slice(0, shown)) printLine(io.stdout, lineOf(difference));
    if (differences.length > shown) printLine(io.stdout, '…');
    throw new Refusal(
      `${grouped(differences.length)} of ${counted(checked, 'counter')} ${differences.length === 1 ? 'differs' : 'differ'} from the rows.`,
    );
  },
};

const spans: Record<number, string> = { 60000: 'minute', 3600000: 'hour', 86400000: 'day' };

function lineOf({ what, from, width, counter, rows }: Difference): string {
  const start = new Date(from).toISOString().slice(0, 16);
  const cents =
    counter.cents === rows.cents ? '' : ` (cents: ${counter.cents}, rows ${rows.cents})`;
  return `${what}, ${spans[width]} of ${start}Z: counter ${counter.n}, rows ${rows.n}${cents}`;
}
