import { listed } from '../contact/inbox.ts';
import { type Folder, type FolderCount, folders, type StoredMessage } from '../contact/store.ts';
import { inLine, inLines } from '../text/printable.ts';
import {
  type Command,
  counted,
  grouped,
  parse,
  printLine,
  Refusal,
  wholeNumber,
  withStores,
} from './command.ts';
import { localTime } from './local-time.ts';
import { inJson } from './printable.ts';

export const messages: Command = {
  name: 'messages',
  takes: '[--folder F] [--limit N] [--json]',
  summary: 'Shows what visitors wrote, the newest first.',
  details: [
    '--folder F  shows one folder: inbox, archive or spam.',
    '--limit N   shows so many (20).',
    '--json      writes them for another program; times are UTC.',
    'To have all of them in a file: messages export.',
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
    const folder = folders.find((one) => one === values.folder);
    if (values.folder !== undefined && !folder) {
      throw new Refusal('--folder must be inbox, archive or spam.');
    }
    const limit = wholeNumber(values.limit, { name: '--limit', min: 1, max: 1_000_000 });
    const { list, counts } = await withStores(io, async ({ contact }) => ({
      list: await contact.list({ limit, ...(folder && { folder }) }),
      counts: await contact.counts(),
    }));
    const told = list.map((message) => ({ ...listed(message), company: message.company }));
    if (values.json) return printLine(io.stdout, inJson(told));
    const asked: readonly Folder[] = folder ? [folder] : folders;
    const total = asked.reduce((sum, one) => sum + counts[one].all, 0);
    if (total === 0) {
      return printLine(io.stdout, folder ? 'This folder is empty.' : 'No messages yet.');
    }
    for (const message of list) {
      for (const line of linesOf(message)) printLine(io.stdout, line);
    }
    printLine(io.stdout, asked.map((one) => sumOf(one, counts[one])).join(' '));
    const shown =
      list.length < total
        ? `${grouped(list.length)} of ${counted(total, 'message')}.`
        : `${counted(total, 'message')}.`;
    printLine(io.stdout, shown);
  },
};

/** `Inbox: 8, 3 unread.` */
function sumOf(folder: Folder, { all, unread }: FolderCount): string {
  const name = `${folder[0]?.toUpperCase()}${folder.slice(1)}`;
  return `${name}: ${grouped(all)}${unread > 0 ? `, ${grouped(unread)} unread` : ''}.`;
}

/** The text is indented, so that nobody can write a line that looks like the next message. */
function linesOf(kept: StoredMessage): string[] {
  const { receivedAt, name, email, company, message } = kept;
  const sender = `${inLine(name)} <${inLine(email)}>${company ? `, ${inLine(company)}` : ''}`;
  const text = inLines(message)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd());
  return [`${localTime.format(receivedAt)}  ${sender}`, stateOf(kept), '', ...text, ''];
}

/** Where it is, and what became of its letter. */
function stateOf({ folder, isRead, suspicions, delivery }: StoredMessage): string {
  const place = suspicions.length > 0 ? `${folder} (${suspicions.join(', ')})` : folder;
  return [isRead ? 'read' : 'unread', place, letterStateOf(delivery)].join(', ');
}

function letterStateOf(delivery: StoredMessage['delivery']): string {
  if (!delivery) return 'not mailed';
  const reason = 'error' in delivery && delivery.error ? ` (${inLine(delivery.error)})` : '';
  if (delivery.state === 'sent') return `mailed ${localTime.format(delivery.at)}`;
  if (delivery.state === 'refused') return `refused by your mail server${reason}`;
  return `waits to be mailed, next try ${localTime.format(delivery.dueAt)}${reason}`;
}
