import { messagesCsv } from '../contact/inbox.ts';
import { pluralize } from '../contract/numbers.ts';
import { type Command, withStores } from './command.ts';
import { exportRows, formulaDetail, outputDetails } from './csv/csv-file.ts';

export const messagesExport: Command = {
  name: 'messages export',
  usage: '[file.csv | -]',
  summary: 'Exports every message of every folder as CSV, oldest first.',
  details: [...outputDetails, formulaDetail],

  run: (args, io) =>
    withStores(io, async ({ contact }) => {
      await exportRows(args, io, {
        rows: contact.all(),
        format: messagesCsv,
        describe: (n) => pluralize(n, 'message'),
      });
    }),
};
