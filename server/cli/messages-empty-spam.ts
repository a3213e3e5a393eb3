import { pluralize } from '../contract/numbers.ts';
import { AppError } from '../errors.ts';
import { type Command, parse, printLine, withStores } from './command.ts';

export const messagesEmptySpam: Command = {
  name: 'messages empty-spam',
  usage: '--yes',
  summary: 'Deletes every message in the spam folder.',
  details: [
    'Without --yes it only says what it would delete. It cannot be undone.',
    'Spam is deleted by itself after 30 days. Backups hold it until they are deleted.',
  ],

  async run(args, io) {
    const { values } = parse({ args, options: { yes: { type: 'boolean' } } });
    await withStores(io, async ({ contact }) => {
      const { all, unread } = (await contact.counts()).spam;
      if (all === 0) return printLine(io.stdout, 'The spam folder is empty.');
      if (!values.yes) {
        throw new AppError(
          'COMMAND_FAILED',
          `The spam folder holds ${pluralize(all, 'message')}, ${unread} of them unread. Nothing was deleted. To delete them, add --yes: npm run admin -- messages empty-spam --yes`,
        );
      }
      const deleted = await contact.emptySpam(io.now());
      printLine(io.stdout, `${pluralize(deleted, 'message')} deleted from the spam folder.`);
    });
  },
};
