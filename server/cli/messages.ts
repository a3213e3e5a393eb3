import { listed } from '../contact/inbox.ts';
import { type Folder, type FolderCount, folders, type StoredMessage } from '../contact/message.ts';
import { emptyFields, optionalTexts } from '../contract/contact-fields.ts';
import { formatNumber, pluralize } from '../contract/numbers.ts';
import { adviceOn } from '../email/smtp-errors.ts';
import { AppError } from '../errors.ts';
import { inLine, inLines, printableJson } from '../text/printable.ts';
import { type Command, parse, printLine, wholeNumber, withStores } from './command.ts';
import { localTime } from './local-time.ts';

export const messages: Command = {
  name: 'messages',
  usage: '[--folder F] [--limit N] [--json]',
  summary: 'Shows the messages of visitors, newest first.',
  details: [
    '--folder F  shows one folder: inbox, archive or spam.',
    '--limit N   shows at most N messages (20).',
    '--json      prints JSON for other programs; times are UTC.',
    'To write all of them to a file: messages export.',
  ],

  async run(args, io) {
    const { values } = parse({
      args,
      options: {
        folder: { type: 'string' },
        limit: { type: 'string', default: '20' },
        json: { type: 'boolean' },
      },
    });
    const folder = folders.find((name) => name === values.folder);
    if (values.folder !== undefined && !folder) {
      throw new AppError('COMMAND_FAILED', '--folder must be inbox, archive or spam.');
    }
    const limit = wholeNumber(values.limit, { name: '--limit', min: 1, max: 1_000_000 });
    const { list, counts } = await withStores(io, async ({ contact }) => ({
      list: await contact.list({ limit, ...(folder && { folder }) }),
      counts: await contact.counts(),
    }));
    if (values.json) {
      const rows = list.map((message) => ({ ...emptyFields, ...listed(message) }));
      return printLine(io.stdout, printableJson(rows));
    }
    const shownFolders: readonly Folder[] = folder ? [folder] : folders;
    const total = shownFolders.reduce((sum, name) => sum + counts[name].all, 0);
    if (total === 0) {
      return printLine(io.stdout, folder ? 'This folder is empty.' : 'No messages yet.');
    }
    for (const message of list) {
      for (const line of linesOf(message)) printLine(io.stdout, line);
    }
    printLine(io.stdout, shownFolders.map((name) => countOf(name, counts[name])).join(' '));
    const shown =
      list.length < total
        ? `${formatNumber(list.length)} of ${pluralize(total, 'message')}.`
        : `${pluralize(total, 'message')}.`;
    printLine(io.stdout, shown);
  },
};

/** Formats `Inbox: 8, 3 unread.` */
function countOf(folder: Folder, { all, unread }: FolderCount): string {
  const name = `${folder[0]?.toUpperCase()}${folder.slice(1)}`;
  return `${name}: ${formatNumber(all)}${unread > 0 ? `, ${formatNumber(unread)} unread` : ''}.`;
}

/** Indents the text, so that a line of it cannot pass for the header of the next message. */
function linesOf(stored: StoredMessage): string[] {
  const { receivedAt, name, email, message } = stored;
  const sender = [`${name} <${email}>`, ...optionalTexts(stored)].map(inLine).join(', ');
  const text = inLines(message)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd());
  const header = [`${localTime.format(receivedAt)}  ${sender}`, stateOf(stored)];
  return [...header, ...failureOf(stored), '', ...text, ''];
}

/** Whether it is read, its folder, and the state of its email to the owner. */
function stateOf({ folder, isRead, suspicions, delivery }: StoredMessage): string {
  const location = suspicions.length > 0 ? `${folder} (${suspicions.join(', ')})` : folder;
  return [isRead ? 'read' : 'unread', location, emailStateOf(delivery)].join(', ');
}

function emailStateOf(delivery: StoredMessage['delivery']): string {
  if (!delivery) return 'not emailed';
  if (delivery.state === 'sent') return `emailed ${localTime.format(delivery.at)}`;
  if (delivery.state === 'refused') return `email refused by your mail server`;
  return `email waiting, next try ${localTime.format(delivery.dueAt)}`;
}

/** What to do about an email that could not be sent, and the mail server's own sentence. */
function failureOf({ delivery }: StoredMessage): string[] {
  if (!delivery || !('error' in delivery) || !delivery.error) return [];
  const advice = adviceOn(delivery.error);
  return [...(advice ? [advice] : []), `The mail server says: ${inLine(delivery.error)}`];
}
