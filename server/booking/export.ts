/** Bookings as a CSV file. */
import type { CsvFormat } from '../text/csv.ts';
import { isoOf } from '../time/iso.ts';
import type { Booking } from './rows.ts';

/** The cells of a booking by their column. Times are UTC; `time_zone` is that of the visitor. */
const cells = {
  id: ({ id }) => id,
  call: ({ call }) => call,
  start: ({ start }) => isoOf(start),
  end: ({ end }) => isoOf(end),
  state: ({ state }) => state,
  name: ({ name }) => name,
  email: ({ email }) => email,
  time_zone: ({ timeZone }) => timeZone,
  note: ({ note }) => note ?? '',
  answers: ({ answers }) =>
    Object.entries(answers)
      .map(([question, answer]) => `${question} ${answer}`)
      .join('\n'),
  owner_note: ({ ownerNote }) => ownerNote ?? '',
  source: ({ source }) => source ?? '',
  button: ({ button }) => button ?? '',
  booked: ({ createdAt }) => isoOf(createdAt),
  changed: ({ changedAt }) => isoOf(changedAt),
} satisfies Record<string, Cell>;

type Cell = (booking: Booking) => string;

/** The format of the CSV export. */
export const bookingsCsv: CsvFormat<Booking> = {
  columns: Object.keys(cells),
  cellsOf: (booking) => Object.values<Cell>(cells).map((cell) => cell(booking)),
};
