import { setTimeout as sleep } from 'node:timers/promises';
import { currencyOf } from '../../../site.defaults.ts';
import { pluralize } from '../../contract/numbers.ts';
import { type SampleOptions, sampleActivity } from '../../contract/sample/activity.ts';
import { AppError } from '../../errors.ts';
import type { Stores } from '../../stores/stores.ts';
import {
  type Command,
  emptyDatabaseHint,
  type Io,
  parse,
  printLine,
  wholeNumber,
  withStores,
} from '../command.ts';
import { demoBookings } from './bookings.ts';
import { demoMessages } from './messages.ts';

/** Milliseconds between batches, so that a server on the same database can write. */
const pauseMs = 10;

export const demo: Command = {
  name: 'demo',
  usage: '[--events N] [--days D] [--seed S]',
  summary:
    'Fills an empty database with made-up activity, sales, messages and calls, to try out the dashboard.',
  details: [
    '--events N  number of views, clicks, booked calls and opened checkouts (20000; at most 10000000)',
    '--days D    number of days up to now that they are spread over (90; at most 3650)',
    '--seed S    any text; another one makes other visitors',
    'A database that holds anything is refused, and a site with demo data sends no email, no webhook and no',
    'request to another server. To keep real data apart, use another folder:',
    'DATA_DIR=./demo npm run admin -- demo, then DATA_DIR=./demo npm start.',
  ],

  async run(args, io) {
    const { values } = parse({
      args,
      options: {
        events: { type: 'string', default: '20000' },
        days: { type: 'string', default: '90' },
        seed: { type: 'string', default: 'shingle' },
      },
    });
    const options = {
      events: wholeNumber(values.events, { name: '--events', min: 1, max: 10_000_000 }),
      days: wholeNumber(values.days, { name: '--days', min: 1, max: 3650 }),
      seed: values.seed,
      now: io.now(),
    };
    const made = await withStores(io, async (stores, config) => {
      await requireEmpty(stores, io);
      await stores.markAsDemo();
      return {
        bookings: await addBookings(stores, demoBookings(config.calls, options.now)),
        messages: await addMessages(stores, options.now),
        sales: await addActivity(stores, { ...options, currency: currencyOf(config) }),
      };
    });
    printLine(
      io.stdout,
      `${pluralize(options.events, 'event')} and ${pluralize(made.sales, 'sale')} were made up, ` +
        `over ${pluralize(options.days, 'day')} up to now; and ` +
        `${pluralize(made.messages, 'message')} and ${pluralize(made.bookings, 'booking')}.`,
    );
    printLine(
      io.stdout,
      'A site with this data sends no email and calls no other server. Restart it if it is running.',
    );
  },
};

async function requireEmpty({ analytics, contact, bookings }: Stores, io: Io): Promise<void> {
  const { upcoming, past, cancelled } = await bookings.counts(io.now());
  const records = (await contact.count()) + upcoming + past + cancelled;
  if ((await analytics.isEmpty()) && records === 0) return;
  throw new AppError(
    'COMMAND_FAILED',
    'This database holds activity, sales, messages or bookings, and demo data needs an empty one. ' +
      emptyDatabaseHint(io, 'demo npm run admin -- demo'),
  );
}

/** Returns the number of bookings. */
async function addBookings(
  { bookings }: Stores,
  calls: ReturnType<typeof demoBookings>,
): Promise<number> {
  for (const booking of calls) {
    await bookings.book(booking, {
      idempotencyKey: booking.id,
      isFree: () => true,
      maxUpcoming: Number.POSITIVE_INFINITY,
      quotas: [],
      emails: () => [],
    });
  }
  return calls.length;
}

/** Returns the number of messages. */
async function addMessages({ contact }: Stores, now: number): Promise<number> {
  const messages = demoMessages(now);
  for (const { folder, isRead, suspicions, ...message } of messages) {
    await contact.add(message, { folder: folder === 'spam' ? folder : 'inbox', suspicions });
    await contact.sort([message.id], { folder, isRead, now });
  }
  return messages.length;
}

/** Returns the number of sales. */
async function addActivity({ analytics, sales }: Stores, options: SampleOptions): Promise<number> {
  let total = 0;
  for (const batch of sampleActivity(options)) {
    // Concurrent writes share a commit.
    await Promise.all([
      analytics.importEvents(batch.events),
      ...batch.sales.map((sale) => sales.report(sale)),
    ]);
    total += batch.sales.length;
    await sleep(pauseMs);
  }
  return total;
}
