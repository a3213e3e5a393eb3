import { setTimeout as wait } from 'node:timers/promises';
import {
  type Command,
  counted,
  elsewhere,
  type Io,
  parse,
  printLine,
  Refusal,
  type Stores,
  wholeNumber,
  withStores,
} from './command.ts';
import { type DemoOptions, demoActivity } from './demo-activity.ts';

/** Milliseconds between batches, in which a server on the same file gets to write. */
const breath = 10;

export const demo: Command = {
  name: 'demo',
  takes: '[--events N] [--days D] [--seed S]',
  summary: 'Fills an empty database with made-up activity and sales, to see the dashboard alive.',
  details: [
    '--events N  so many views, clicks, booked calls and opened checkouts (20000; at most 10000000)',
    '--days D    spread over so many days up to now (90; at most 3650)',
    '--seed S    another text makes other visitors',
    'Refuses when there is anything in the database. To keep real data apart, use another folder:',
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
    const sales = await withStores(io, async (stores) => {
      await refuseUnlessEmpty(stores, io);
      return fill(stores, options);
    });
    printLine(
      io.stdout,
      `${counted(options.events, 'event')} and ${counted(sales, 'sale')} were made up, ` +
        `over ${counted(options.days, 'day')} up to now.`,
    );
  },
};

async function refuseUnlessEmpty({ analytics, contact }: Stores, io: Io): Promise<void> {
  if ((await analytics.isEmpty()) && (await contact.count()) === 0) return;
  throw new Refusal(
    'This database holds activity, sales or messages, and the demo does not mix with them. ' +
      elsewhere(io, 'demo npm run admin -- demo'),
  );
}

/** Returns the number of sales. */
async function fill({ analytics }: Stores, options: DemoOptions): Promise<number> {
  let made = 0;
  for (const { marks, sales } of demoActivity(options)) {
    // Asked for together, they share a commit.
    await Promise.all([
      analytics.importEvents(marks),
      ...sales.map((sale) => analytics.addConversion(sale)),
    ]);
    made += sales.length;
    await wait(breath);
  }
  return made;
}
