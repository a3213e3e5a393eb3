/** Export and erasure of one person's data. */

import { upcomingInWords } from '../contract/calls.ts';
import { AppError } from '../errors.ts';
import { countsInWords, createPeople } from '../maintenance/people.ts';
import { personAddress } from '../text/email-address.ts';
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
    const file = await withStores(io, (stores) => createPeople(stores, io).export(email));
    printLine(io.stdout, printableJson(file));
  },
};

export const personErase: Command = {
  name: 'person erase',
  usage: '<email> --yes',
  summary:
    'Erases the person with this email address. Their purchases stay, without personal data.',
  details: [
    'Deletes their messages and bookings, sent or not, and removes them from sales, also from their ids, and',
    'from Stripe events. An upcoming call is deleted too, and its time is free again: nobody tells',
    'the person, so cancel it under Bookings first. No figure changes.',
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
      const people = createPeople(stores, io);
      const found = await people.find(email);
      const summary = countsInWords(found);
      const { upcomingCalls } = found;
      if (summary !== undefined && !values.yes) {
        const toCome = upcomingCalls > 0 ? ` ${upcomingInWords(upcomingCalls)}` : '';
        throw new AppError(
          'COMMAND_FAILED',
          `Found for ${email}: ${summary}.${toCome} Nothing was erased. To erase them, add --yes: npm run admin -- person erase ${email} --yes`,
        );
      }
      const { isWiped } = values.yes
        ? await people.erase(email, (detail) => ({
            ...{ at: io.now(), act: 'person_erased', browser: null },
            detail: `${detail}, by npm run admin -- person erase`,
          }))
        : { isWiped: true };
      if (summary === undefined) return printLine(io.stdout, `No data was found for ${email}.`);
      printLine(
        io.stdout,
        `Erased for ${email}: ${summary}. The sales themselves stay, without personal data.`,
      );
      if (upcomingCalls > 0) {
        printLine(
          io.stdout,
          `${upcomingCalls} of the calls ${upcomingCalls === 1 ? 'was' : 'were'} still to come: tell the person yourself.`,
        );
      }
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

function addressIn(positionals: string[]): string {
  const [email, ...more] = positionals;
  if (email !== undefined && more.length === 0 && personAddress.test(email)) return email.trim();
  throw new AppError(
    'COMMAND_FAILED',
    'Please give one email address. For example: npm run admin -- person export ada@example.com',
  );
}
