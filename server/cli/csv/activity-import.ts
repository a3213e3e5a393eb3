import { setTimeout as sleep } from 'node:timers/promises';
import { activityCsv } from '../../analytics/bulk/activity-csv.ts';
import { importedEvent } from '../../analytics/bulk/imported-event.ts';
import { pluralize } from '../../contract/numbers.ts';
import { AppError } from '../../errors.ts';
import type { Stores } from '../../stores/stores.ts';
import { knownColumns, readRows } from '../../text/csv-rows.ts';
import { type Command, emptyDatabaseHint, type Io, printLine, withStores } from '../command.ts';
import { countedRows } from './activity-export.ts';
import { fileToRead, textOf, throwOnErrors } from './csv-file.ts';
import { createEventList, type EventList } from './event-list.ts';

/** Events per transaction. */
const batchSize = 10_000;
/** Milliseconds between batches, so that a server on the same database can write. */
const pauseMs = 10;

const { columns } = activityCsv;

export const activityImport: Command = {
  name: 'activity import',
  usage: '<file.csv | ->',
  summary: 'Imports a file of `activity export` into a database without activity.',
  details: [
    `The first line names the columns: ${columns.join(', ')}.`,
    'activity   page_view, cta_click, checkout_open or call_booked',
    'timestamp  such as 2026-01-31T09:30:00.123Z',
    'button     the call-to-action, and source: where the visitor came from; both may be empty',
    'Every line is checked first. If one has an error, nothing is imported. Rows have no id, so a second',
    'import would count them twice: a database that already has activity is left unchanged.',
    '- reads standard input.',
  ],

  async run(args, io) {
    const bytes = fileToRead(args, io, 'activity import activity.csv');
    await withStores(io, async (stores) => {
      await requireNoActivity(stores, io);
      const events = await read(bytes);
      await add(events, stores);
      printLine(io.stdout, `${pluralize(events.length, 'row')} imported`);
    });
  },
};

async function requireNoActivity(stores: Stores, io: Io): Promise<void> {
  if ((await countedRows(stores, io)) === 0) return;
  throw new AppError(
    'COMMAND_FAILED',
    'This database already holds activity, and activity rows have no id: rows in both would ' +
      `count twice. ${emptyDatabaseHint(io, 'new npm run admin -- activity import activity.csv')}`,
  );
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<EventList> {
  const events = createEventList();
  const required = ['activity', 'timestamp'];
  const columnsOf = (header: string[]) => knownColumns(header, { known: columns, required });
  const errors = await readRows(textOf(bytes), { columnsOf }, ({ number, cells }) => {
    const result = importedEvent.safeParse(cells);
    if (result.success) events.add(result.data);
    return (result.error?.issues ?? []).map(
      ({ path, message }) => `Line ${number}, column ${path.join('.')}: ${message}`,
    );
  });
  throwOnErrors(errors);
  return events;
}

async function add(events: EventList, { analytics }: Stores): Promise<void> {
  for (let i = 0; i < events.length; i += batchSize) {
    await analytics.importEvents(events.slice(i, i + batchSize));
    await sleep(pauseMs);
  }
}
