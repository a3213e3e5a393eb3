import { setTimeout as wait } from 'node:timers/promises';
import { activityCsv } from '../analytics/csv-formats.ts';
import { importedEvent } from '../analytics/imported-event.ts';
import { countedRows } from './activity-export.ts';
import {
  type Command,
  counted,
  elsewhere,
  type Io,
  printLine,
  Refusal,
  type Stores,
  withStores,
} from './command.ts';
import { fileToRead, readCsv, refuseFaults } from './csv-file.ts';
import { createEventList, type EventList } from './event-list.ts';

/** Marks that go to the disk together, and the milliseconds in which a server beside gets to write. */
const batchLength = 10_000;
const breath = 10;

const { columns } = activityCsv;

export const activityImport: Command = {
  name: 'activity import',
  takes: '<file.csv | ->',
  summary: 'Takes what `activity export` wrote into a database that holds no activity yet.',
  details: [
    `The first line names the columns: ${columns.join(', ')}.`,
    'activity   page_view, cta_click, checkout_open or call_booked',
    'timestamp  such as 2026-01-31T09:30:00.123Z',
    'control    the call-to-action, and source: where the visitor came from; both may be empty',
    'Every line is checked first. When one is wrong, nothing is imported. Rows have no id, so a',
    'database that has some already would have them twice, and is left as it is.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'activity import activity.csv');
    await withStores(io, async (stores) => {
      await refuseActivity(stores, io);
      const marks = await read(bytes);
      await add(marks, stores);
      printLine(io.stdout, `${counted(marks.length, 'row')} imported`);
    });
  },
};

async function refuseActivity(stores: Stores, io: Io): Promise<void> {
  if ((await countedRows(stores, io)) === 0) return;
  throw new Refusal(
    'This database holds activity already, and rows of activity have no id: what is in both would ' +
      `count twice. ${elsewhere(io, 'new npm run admin -- activity import activity.csv')}`,
  );
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<EventList> {
  const marks = createEventList();
  const needed = ['activity', 'timestamp'];
  const faults = await readCsv(bytes, { columns, needed }, ({ number, cells }) => {
    const result = importedEvent.safeParse(cells);
    if (result.success) marks.add(result.data);
    return (result.error?.issues ?? []).map(
      ({ path, message }) => `Line ${number}, column ${path.join('.')}: ${message}`,
    );
  });
  refuseFaults(faults);
  return marks;
}

async function add(marks: EventList, { analytics }: Stores): Promise<void> {
  for (let i = 0; i < marks.length; i += batchLength) {
    await analytics.importEvents(marks.slice(i, i + batchLength));
    await wait(breath);
  }
}
