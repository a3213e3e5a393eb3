/** For tests: a real mail server, which does what it is told to letters. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** What the server does with the next letters. */
export type Mood =
  | 'take'
  | 'refuse recipient'
  | 'refuse letter'
  | 'refuse and quote'
  | 'later'
  | 'greylist later@'
  | 'hang up after taking'
  | 'hang';

export interface TestSmtp {
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** Letters that arrived whole, in order. */
  letters: Email[];
  will(mood: Mood): void;
  close(): Promise<void>;
}

const quoteOf = ({ replyTo }: Email) =>
  `Spam from ${replyTo?.map(({ name, address }) => `${name} <${address}>`)}`;

export async function openTestSmtp({ password }: { password?: string } = {}): Promise<TestSmtp> {
  const letters: Email[] = [];
  let mood: Mood = 'take';
  const answer = (code: number, text: string) =>
    Object.assign(new Error(text), { responseCode: code });
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: auth.username })
        : done(answer(535, 'Wrong password')),
    onRcptTo({ address }, _session, done) {
      if (mood === 'refuse recipient') return done(answer(550, 'No such mailbox'));
      if (mood === 'greylist later@' && address.startsWith('later@')) {
        return done(answer(450, 'Greylisted, try again'));
      }
      done();
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        if (mood === 'hang') return;
        if (mood === 'later') return done(answer(451, 'Greylisted, try again'));
        if (mood === 'refuse letter') return done(answer(554, 'Looks like spam'));
        const letter = await PostalMime.parse(Buffer.concat(parts));
        if (mood === 'refuse and quote') return done(answer(550, `5.7.1 ${quoteOf(letter)}`));
        letters.push(letter);
        if (mood !== 'hang up after taking') return done();
        for (const connection of server.connections) {
          if (connection.id === session.id) connection.close();
        }
      });
    },
  });
  // A client that goes away in the middle is what some tests are about.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    letters,
    will(wanted) {
      mood = wanted;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
