import { site } from '../../site.config.ts';
import { spanInWords } from '../booking/format.ts';
import { type BookingState, type ListedBooking, withIsoTimes } from '../booking/rows.ts';
import { AppError } from '../errors.ts';
import { inLine, inLines } from '../text/printable.ts';
import {
  type Command,
  formatNumber,
  parse,
  printLine,
  wholeNumber,
  withStores,
} from './command.ts';
import { printableJson } from './printable.ts';

const states: readonly BookingState[] = ['upcoming', 'past', 'cancelled'];

export const bookings: Command = {
  name: 'bookings',
  usage: '[--state S] [--limit N] [--json]',
  summary: 'Shows the calls that visitors booked on this site.',
  details: [
    '--state S   shows upcoming (default), past or cancelled calls.',
    '--limit N   shows at most N calls (20).',
    '--json      prints JSON for other programs; times are UTC.',
  ],

  async run(args, io) {
    const { values } = parse({
      args,
      options: {
        state: { type: 'string', default: 'upcoming' },
        limit: { type: 'string', default: '20' },
        json: { type: 'boolean' },
      },
    });
    const state = states.find((name) => name === values.state);
    if (!state) {
      throw new AppError('COMMAND_FAILED', '--state must be upcoming, past or cancelled.');
    }
    const limit = wholeNumber(values.limit, { name: '--limit', min: 1, max: 1_000_000 });
    const now = io.now();
    const { list, counts } = await withStores(io, async ({ bookings }) => ({
      list: await bookings.list({ state, now, limit }),
      counts: await bookings.counts(now),
    }));
    if (values.json) return printLine(io.stdout, printableJson(list.map(withIsoTimes)));
    for (const booking of list) {
      for (const line of linesOf(booking)) printLine(io.stdout, line);
    }
    const total = states.map((name) => `${formatNumber(counts[name])} ${name}`).join(', ');
    printLine(io.stdout, `Calls: ${total}.`);
  },
};

function linesOf(booking: ListedBooking): string[] {
  const { start, end, name, email, call, source, note, ownerNote, answers } = booking;
  const texts = [note, ...Object.entries(answers).flat(), ownerNote];
  return [
    spanInWords(start, end, site.calls.timeZone),
    `${inLine(name)} <${inLine(email)}>, ${call}, from ${source ?? 'Direct'}, ${emailStateOf(booking)}`,
    // Indented, so that a line of it cannot pass for the header of the next call.
    ...texts
      .flatMap((text) => (text ? inLines(text).split('\n') : []))
      .map((line) => `    ${line}`),
    '',
  ];
}

function emailStateOf({ delivery }: ListedBooking): string {
  if (!delivery) return 'not emailed';
  if (delivery.state === 'sent') return 'emailed';
  return delivery.state === 'refused' ? 'email address refused' : 'email waiting';
}
