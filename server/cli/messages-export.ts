import { messagesCsv } from '../contact/message-files.ts';
import { type Command, counted, withStores } from './command.ts';
import { exportRows } from './csv-file.ts';

export const messagesExport: Command = {
  name: 'messages export',
  takes: '[file.csv | -]',
  summary: 'Writes every message of every folder as CSV, the oldest first.',
  details: [
    'Without a file it writes to standard output; then use npm run --silent admin -- …,',
    'because npm writes two lines of its own there. A file that exists is not touched.',
    'What a spreadsheet would take for a formula gets an apostrophe before it, also within a text.',
  ],

  run: (args, io) =>
    withStores(io, async ({ contact }) => {
      await exportRows(args, io, {
        rows: contact.all(),
        format: messagesCsv,
        say: (n) => counted(n, 'message'),
      });
    }),
};
