import type { ContactMessage } from '../contact/store.ts';
import { localTime } from './local-time.ts';
import { inJson, inLine, inLines } from './printable.ts';
import { counted, grouped, parse, printLine, type Verb, wholeNumber, withStores } from './verb.ts';

export const messages: Verb = {
  name: 'messages',
  takes: '[--limit N] [--json]',
  summary: 'Shows what visitors wrote, the newest first.',
  details: [
    '--limit N  shows so many (20).',
    '--json     writes them for another program; times are UTC.',
  ],

  async run(args, io) {
    const { values } = parse({
      args,
      options: { limit: { type: 'string', default: '20' }, json: { type: 'boolean' } },
    });
    const limit = wholeNumber(values.limit, { name: '--limit', min: 1, max: 1_000_000 });
    const { list, total } = await withStores(io, async ({ contact }) => ({
      list: await contact.list({ limit }),
      total: await contact.count(),
    }));
    if (values.json) return printLine(io.stdout, inJson(list.map(listed)));
    if (total === 0) return printLine(io.stdout, 'No messages yet.');
    for (const message of list) {
      for (const line of linesOf(message)) printLine(io.stdout, line);
    }
    const shown =
      list.length < total
        ? `${grouped(list.length)} of ${counted(total, 'message')}.`
        : `${counted(total, 'message')}.`;
    printLine(io.stdout, shown);
  },
};

const listed = ({ receivedAt, ...message }: ContactMessage) => ({
  receivedAt: new Date(receivedAt).toISOString(),
  ...message,
});

/** The text is indented, so that nobody can write a line that looks like the next message. */
function linesOf({ receivedAt, name, email, company, message }: ContactMessage): string[] {
  const sender = `${inLine(name)} <${inLine(email)}>${company ? `, ${inLine(company)}` : ''}`;
  const text = inLines(message)
    .split('\n')
    .map((line) => `    ${line}`.trimEnd());
  return [`${localTime.format(receivedAt)}  ${sender}`, '', ...text, ''];
}
