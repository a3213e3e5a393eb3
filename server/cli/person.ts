/** What is held of one person, for them to have or to be gone. */
import type { ContactMessage } from '../contact/store.ts';
import { emailAddress } from '../text/email-address.ts';
import {
  type Command,
  counted,
  parse,
  printLine,
  Refusal,
  type Stores,
  withStores,
} from './command.ts';
import { inJson } from './printable.ts';

export const personExport: Command = {
  name: 'person export',
  takes: '<e-mail>',
  summary: 'Writes everything that is held of the person with this e-mail address, as JSON.',
  details: [
    'Their messages, the sales to them, and what Stripe said of these. Visits name nobody, so none',
    'can be found. To keep it in a file:',
    'npm run --silent admin -- person export ada@example.com > data/ada.json',
  ],

  async run(args, io) {
    const email = addressIn(parse({ args, allowPositionals: true }).positionals);
    const held = await withStores(io, (stores) => heldOf(stores, email));
    printLine(
      io.stdout,
      inJson({
        email,
        messages: held.messages.map(timed('receivedAt')),
        sales: held.sales.map(timed('at')),
        stripeEvents: held.events,
      }),
    );
  },
};

export const personErase: Command = {
  name: 'person erase',
  takes: '<e-mail> --yes',
  summary: 'Erases the person with this e-mail address. Sales stay, without them.',
  details: [
    'Deletes their messages, sent or not, and takes them off the sales and out of what Stripe said.',
    'Every figure stays as it is. Without --yes it says what it would do. It cannot be taken back.',
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
      const held = await heldOf(stores, email);
      const said = sentenceOn(held);
      if (said !== undefined && !values.yes) {
        throw new Refusal(
          `Of ${email} there are ${said}. Nothing was erased. To erase them, add --yes: npm run admin -- person erase ${email} --yes`,
        );
      }
      if (values.yes) await erase(stores, email);
      if (said === undefined) return printLine(io.stdout, `Nothing is held of ${email}.`);
      const isShredded = await stores.wipeDeletedRows();
      printLine(
        io.stdout,
        `Erased of ${email}: ${said}. The sales themselves stay, without the person.`,
      );
      if (!isShredded) {
        printLine(
          io.stdout,
          'Another program was reading the database all the while: traces in shingle.db-wal go with the next nights’ work, or when the site is stopped.',
        );
      }
      printLine(
        io.stdout,
        'Backups made before, and folders before-restore-… in DATA_DIR, still hold the person until they are deleted. Your mailbox and Stripe hold their own.',
      );
    });
  },
};

/** Also cleans the sources, which may name a person of whom nothing else is stored. */
async function erase({ contact, analytics, payments }: Stores, email: string): Promise<void> {
  await contact.erase(email);
  await payments.erase(email);
  await analytics.eraseBuyer(email);
  await payments.cleanSources();
  await analytics.cleanSources();
}

interface Held {
  messages: ContactMessage[];
  sales: Awaited<ReturnType<Stores['analytics']['salesTo']>>;
  events: unknown[];
}

const heldOf = async ({ contact, analytics, payments }: Stores, email: string): Promise<Held> => ({
  messages: await contact.from(email),
  sales: await analytics.salesTo(email),
  events: await payments.eventsOf(email),
});

/** What there is, in words; undefined: nothing. */
function sentenceOn({ messages, sales, events }: Held): string | undefined {
  if (messages.length + sales.length + events.length === 0) return undefined;
  return `${counted(messages.length, 'message')}, ${counted(sales.length, 'sale')} and ${counted(events.length, 'event')} of Stripe`;
}

function addressIn(positionals: string[]): string {
  const [email, ...more] = positionals;
  if (email !== undefined && more.length === 0 && emailAddress.test(email)) return email;
  throw new Refusal(
    'Please give one e-mail address. For example: npm run admin -- person export ada@example.com',
  );
}

/** With its time as a date that people can read. */
const timed =
  <Name extends string>(name: Name) =>
  <Row extends Record<Name, number>>(row: Row) => ({
    ...row,
    [name]: new Date(row[name]).toISOString(),
  });
