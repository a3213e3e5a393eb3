/** Export and erasure of one person's data. */

import { type Booking, withIsoTimes } from '../booking/rows.ts';
import type { ContactMessage } from '../contact/message.ts';
import { pluralize } from '../contract/numbers.ts';
import { AppError } from '../errors.ts';
import type { Stores } from '../stores/stores.ts';
import { addressForms } from '../text/email-address.ts';
import { printableJson } from '../text/printable.ts';
import { type Command, parse, printLine, withStores } from './command.ts';

export const personExport: Command = {
  name: 'person export',
  usage: '<email>',
  summary: 'Prints all data of the person with this email address, as JSON.',
  details: [
    'Their messages, their bookings, their purchases and the Stripe events of these. Visits are not linked to a person,',
    'so they cannot be exported. To write it to a file:',
    'npm run --silent admin -- person export ada@example.com > data/ada.json',
  ],

  async run(args, io) {
    const email = addressIn(parse({ args, allowPositionals: true }).positionals);
    const { messages, bookings, sales, stripeEvents } = await withStores(io, (stores) =>
      personalDataOf(stores, email),
    );
    printLine(
      io.stdout,
      printableJson({
        email,
        messages: messages.map(withIsoTime('receivedAt')),
        bookings: bookings.map(withIsoTimes),
        sales: sales.map(withIsoTime('at')),
        stripeEvents,
      }),
    );
  },
};

export const personErase: Command = {
  name: 'person erase',
  usage: '<email> --yes',
  summary:
    'Erases the person with this email address. Their purchases stay, without personal data.',
  details: [
    'Deletes their messages and bookings, sent or not, and removes them from sales, also from their ids, and',
    'from Stripe events. An upcoming call is deleted too, and its time is free again. No figure changes.',
    'Without --yes it only says what it would erase. It cannot be undone.',
    'Backups and the folders before-restore-… in DATA_DIR hold the person until they are deleted; so do',
    'your mailbox and Stripe itself.',
  ],

  async run(args, io) {
    const { values, positionals } = parse({
      args,
      allowPositionals: true,
      options: { yes: { type: 'boolean' } },
    });
    const email = addressIn(positionals);
    await withStores(io, async (stores) => {
      const summary = summaryOf(await personalDataOf(stores, email));
      if (summary !== undefined && !values.yes) {
        throw new AppError(
          'COMMAND_FAILED',
          `Found for ${email}: ${summary}. Nothing was erased. To erase them, add --yes: npm run admin -- person erase ${email} --yes`,
        );
      }
      if (values.yes) await erase(stores, email);
      if (summary === undefined) return printLine(io.stdout, `No data was found for ${email}.`);
      const isWiped = await stores.wipeDeletedRows();
      printLine(
        io.stdout,
        `Erased for ${email}: ${summary}. The sales themselves stay, without personal data.`,
      );
      if (!isWiped) {
        printLine(
          io.stdout,
          'Another program kept reading the database, so traces stay in shingle.db-wal until the next nightly job, or until the site is stopped.',
        );
      }
      printLine(
        io.stdout,
        'Earlier backups and the folders before-restore-… in DATA_DIR still hold the person until they are deleted. So do your mailbox and Stripe.',
      );
    });
  },
};

/** Also cleans source names, which may hold the address even if no other data does. */
async function erase({ contact, bookings, sales, payments }: Stores, email: string): Promise<void> {
  for (const form of addressForms(email)) {
    await contact.erase(form);
    await bookings.erase(form);
    await payments.erase(form);
    await sales.eraseBuyer(form);
  }
}

interface PersonalData {
  messages: ContactMessage[];
  bookings: Booking[];
  sales: Awaited<ReturnType<Stores['analytics']['salesTo']>>;
  stripeEvents: { id: string }[];
}

const personalDataOf = async (
  { contact, bookings, analytics, payments }: Stores,
  email: string,
): Promise<PersonalData> => {
  const ofAll = async <Row extends { id: string }>(find: (form: string) => Promise<Row[]>) => {
    const found = new Map<string, Row>();
    for (const form of addressForms(email)) {
      for (const row of await find(form)) found.set(row.id, row);
    }
    return [...found.values()];
  };
  return {
    messages: await ofAll(contact.from),
    bookings: await ofAll(bookings.of),
    sales: await ofAll(analytics.salesTo),
    stripeEvents: await ofAll(payments.eventsOf),
  };
};

/** The data as counts in words; undefined without any. */
function summaryOf({ messages, bookings, sales, stripeEvents }: PersonalData): string | undefined {
  const all = [messages, bookings, sales, stripeEvents];
  if (all.every(({ length }) => length === 0)) return undefined;
  return `${pluralize(messages.length, 'message')}, ${pluralize(bookings.length, 'booking')}, ${pluralize(sales.length, 'sale')} and ${pluralize(stripeEvents.length, 'Stripe event')}`;
}

function addressIn(positionals: string[]): string {
  const [email, ...more] = positionals;
  // Other checkouts report any text with an @ in it.
  if (email !== undefined && more.length === 0 && /[^@\s]@[^@\s]/.test(email)) return email.trim();
  throw new AppError(
    'COMMAND_FAILED',
    'Please give one email address. For example: npm run admin -- person export ada@example.com',
  );
}

/** Replaces the time in a field by its ISO 8601 text. */
const withIsoTime =
  <Name extends string>(name: Name) =>
  <Row extends Record<Name, number>>(row: Row) => ({
    ...row,
    [name]: new Date(row[name]).toISOString(),
  });
