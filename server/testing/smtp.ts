/** For tests: a real SMTP server with adjustable behaviour. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js';

// It waits 100 ms before each greeting, for clients that do not.
SMTPConnection.prototype.init = function () {
  this._setListeners(() => this.connectionReady());
};

/** How the server treats the next emails. */
export type SmtpBehaviour =
  | 'accept'
  | 'reject recipient'
  | 'reject email'
  | 'reject and quote'
  | 'defer'
  | 'greylist later@'
  | 'disconnect after accepting'
  | 'hang';

/** The error by which a rule answers `code text`. */
export const rejection = (code: number, text: string) =>
  Object.assign(new Error(text), { responseCode: code });

export interface TestSmtp {
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** Emails that were received completely, in order. */
  emails: Email[];
  /** The same emails as they came over the network. */
  sources: string[];
  setBehaviour(behaviour: SmtpBehaviour): void;
  close(): Promise<void>;
}

const quoteOf = ({ replyTo }: Email) =>
  `Spam from ${replyTo?.map(({ name, address }) => `${name} <${address}>`)}`;

/**
 * Starts the server on a free port. With a `password` it requires authentication; `rules` replace options of
 * smtp-server.
 */
export async function openTestSmtp({
  password,
  rules,
}: {
  password?: string;
  rules?: SMTPServerOptions;
} = {}): Promise<TestSmtp> {
  const emails: Email[] = [];
  const sources: string[] = [];
  let behaviour: SmtpBehaviour = 'accept';
  const server = new SMTPServer({
    authOptional: password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    // It waits up to 1.5 s for a slow name server, as long as a worker that stops waits for its email.
    disableReverseLookup: true,
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: auth.username })
        : done(rejection(535, 'Wrong password')),
    onRcptTo({ address }, _session, done) {
      if (behaviour === 'reject recipient') return done(rejection(550, 'No such mailbox'));
      if (behaviour === 'greylist later@' && address.startsWith('later@')) {
        return done(rejection(450, 'Greylisted, try again'));
      }
      done();
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        if (behaviour === 'hang') return;
        if (behaviour === 'defer') return done(rejection(451, 'Greylisted, try again'));
        if (behaviour === 'reject email') return done(rejection(554, 'Looks like spam'));
        const email = await PostalMime.parse(Buffer.concat(parts));
        if (behaviour === 'reject and quote') {
          return done(rejection(550, `5.7.1 ${quoteOf(email)}`));
        }
        emails.push(email);
        sources.push(Buffer.concat(parts).toString('latin1'));
        if (behaviour !== 'disconnect after accepting') return done();
        for (const connection of server.connections) {
          if (connection.id === session.id) connection.close();
        }
      });
    },
    ...rules,
  });
  // Some tests disconnect the client during a transfer.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    sources,
    setBehaviour(next) {
      behaviour = next;
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
