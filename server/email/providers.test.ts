/** What a real SMTP server with the rules of the large providers answers, and what the owner hears of it. */
import { format } from 'node:util';
import { createTransport } from 'nodemailer';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate, expiredCertificate, key } from '../testing/certificate.ts';
import { brand } from '../testing/email.ts';
import { openTestSmtp, rejection, type SmtpBehaviour } from '../testing/smtp.ts';
import type { Email } from './email.ts';
import { createSmtp, type SmtpOptions } from './smtp.ts';
import { adviceOn } from './smtp-errors.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Starts a server with `rules`, and records what both sides say. */
async function openProvider(rules: SMTPServerOptions = {}, password?: string) {
  const transcript: string[] = [];
  const ignore = () => {};
  const logger = {
    level: ignore,
    trace: ignore,
    debug: (_: unknown, text: string, ...values: unknown[]) => {
      const line = format(text, ...values).trim();
      if (/^[CS]: /.test(line)) transcript.push(line);
    },
    info: ignore,
    warn: ignore,
    error: ignore,
    fatal: ignore,
  };
  const smtp = await openTestSmtp({ ...(password && { password }), rules: { logger, ...rules } });
  opened.push(smtp);
  return { ...smtp, transcript };
}

const withLogin = (url: string, login = 'me%40studio.example:right') =>
  url.replace('//', `//${login}@`);

/** Sends an email to the owner and returns the result. */
const send = (options: Partial<SmtpOptions> & { url: string }, email: Partial<Email> = {}) =>
  createSmtp({ to: ['owner@mailbox.example'], brand, timeoutMs: 20_000, ...options })({
    id: 'contact-1',
    queuedAt: 0,
    deferrals: 0,
    refusals: 0,
    subject: 'Message from Ada',
    blocks: [{ kind: 'text', text: 'Hello' }],
    ...email,
  });

const adviceOf = async (options: Parameters<typeof send>[0]) => {
  const result = await send(options);
  return result.status === 'sent' ? 'sent' : result.advice;
};

/** Rules of a server with TLS with a self-signed certificate. */
const tls = { key, cert: certificate };
/** Another name of this machine than those that need no TLS. */
const remote = (url: string) => url.replace('127.0.0.1', '0.0.0.0');

describe('four providers', () => {
  it('provider whose login is no address refuses every email until EMAIL_FROM is set, and the owner hears that', async () => {
    const provider = await openProvider(
      {
        onMailFrom: ({ address }, _, done) =>
          address.endsWith('@studio.example')
            ? done()
            : done(rejection(550, `5.7.1 The domain of ${address} is not verified`)),
      },
      're_key',
    );
    const url = withLogin(provider.url, 'resend:re_key');
    expect(await send({ url })).toMatchObject({
      status: 'refused',
      code: 'EENVELOPE 550 5.7.1',
      error: expect.stringContaining('The domain of owner@mailbox.example is not verified'),
      advice: expect.stringContaining('Choose one that your provider lets you send from'),
    });
    expect(provider.transcript).toContainEqual(expect.stringContaining('MAIL FROM:<owner@mail'));
    expect(await send({ url, from: 'hello@studio.example' })).toEqual({ status: 'sent' });
    expect(provider.transcript).toContainEqual(expect.stringContaining('MAIL FROM:<hello@studio'));
    expect(provider.emails[0]?.from?.address).toBe('hello@studio.example');
  });

  it.each([
    [550, '5.7.1 Sender address is not allowed for this account', 'MAIL FROM'],
    [553, '5.7.1 <hello@other.example>: Sender address rejected: not owned by user', 'RCPT TO'],
    [550, 'The from address does not match a verified Sender Identity', 'DATA'],
    [554, 'Message rejected: Email address is not verified', 'DATA'],
  ])(
    'provider that refuses the domain of another sender leads to EMAIL_FROM: %i %s after %s',
    async (code, text, command) => {
      const isForeign = (session: { envelope: { mailFrom: false | { address: string } } }) =>
        session.envelope.mailFrom && !session.envelope.mailFrom.address.endsWith('@studio.example');
      const refused = rejection(code, text);
      const provider = await openProvider(
        {
          ...(command === 'MAIL FROM' && {
            onMailFrom: ({ address }, _, done) =>
              done(address.endsWith('@studio.example') ? undefined : refused),
          }),
          ...(command === 'RCPT TO' && {
            onRcptTo: (_, session, done) => done(isForeign(session) ? refused : undefined),
          }),
          ...(command === 'DATA' && {
            onData: (stream, session, done) => {
              stream.resume();
              stream.on('end', () => done(isForeign(session) ? refused : undefined));
            },
          }),
        },
        'right',
      );
      const url = withLogin(provider.url);
      expect(await send({ url, from: 'hello@other.example' })).toMatchObject({
        status: 'refused',
        error: expect.stringContaining(text),
        advice: expect.stringContaining('Choose one that your provider lets you send from'),
      });
      expect(await send({ url })).toEqual({ status: 'sent' });
    },
  );

  it.each([
    ['postponed', 452, '4.5.3 Your message has too many recipients today'],
    ['postponed', 550, '5.4.5 Daily user sending limit exceeded'],
    ['postponed', 454, '4.7.0 Throttling failure: Maximum sending rate exceeded'],
  ])('provider whose daily limit is reached: %s %i %s', async (status, code, text) => {
    let today = 0;
    const provider = await openProvider(
      {
        onRcptTo(_, __, done) {
          today += 1;
          done(today > 1 ? rejection(code, text) : undefined);
        },
      },
      'right',
    );
    const url = withLogin(provider.url);
    expect(await send({ url })).toEqual({ status: 'sent' });
    expect(await send({ url })).toMatchObject({
      status,
      error: expect.stringContaining(text),
      advice: expect.stringMatching(/its limit is reached\. They are sent later/),
    });
    today = 0;
    expect(await send({ url })).toEqual({ status: 'sent' });
  });

  it.each([
    [true, 550, '5.1.1 No such user'],
    [true, 552, '5.2.2 Mailbox full'],
    [true, 550, '5.1.1 <sender@gone.example>: Recipient address rejected: User unknown'],
    [true, 550, '5.1.2 <dmarc@x.example>: host not found SPF'],
    [true, 550, 'No such user (rate limit: hourly quota)'],
    [false, 554, '5.7.1 Client host [1.2.3.4] blocked using zen.spamhaus.org'],
    [false, 550, '5.4.5 Daily user sending limit exceeded'],
    [false, 553, '5.7.1 Sender address rejected: not owned by user'],
    [false, 554, '5.7.1 Relay access denied'],
  ])(
    'email to a visitor is given up at once only when the address is at fault: %s %i %s',
    async (isFinal, code, text) => {
      const { url } = await openProvider({
        onRcptTo: (_, __, done) => done(rejection(code, text)),
      });
      const to = { name: 'Tom', address: 'tom@brightcourse.example' };
      const result = await send({ url }, { to });
      expect('isFinal' in result).toBe(isFinal);
    },
  );

  it('provider that takes a login only after STARTTLS gets one, once its certificate is accepted', async () => {
    const provider = await openProvider(
      { ...tls, disabledCommands: [], allowInsecureAuth: false },
      'right',
    );
    const url = withLogin(remote(provider.url));
    expect(await send({ url })).toMatchObject({
      status: 'unreachable',
      error: expect.stringContaining('self-signed certificate'),
      advice: expect.stringContaining('give it one of a public authority'),
    });
    expect(provider.transcript).not.toContainEqual(expect.stringMatching(/^C: AUTH/));
    expect(await send({ url: `${url}?tls.rejectUnauthorized=false` })).toEqual({ status: 'sent' });
    const commands = provider.transcript.filter((line) => /^C: (STARTTLS|AUTH)/.test(line));
    expect(commands.slice(-2)).toEqual(['C: STARTTLS', expect.stringMatching(/^C: AUTH/)]);
    // A server on this machine is asked for no encryption.
    expect(await adviceOf({ url: withLogin(provider.url) })).toMatch(/wants an encrypted conn/);
  });
});

describe('an error says what to do', () => {
  it('smtp:// at a port for TLS', async () => {
    const { url } = await openProvider({ ...tls, secure: true });
    expect(await adviceOf({ url, timeoutMs: 500 })).toMatch(/does not greet\. .*TLS with port 465/);
  });

  it('smtps:// at a port for STARTTLS', async () => {
    const { url } = await openProvider();
    expect(await adviceOf({ url: url.replace('smtp:', 'smtps:') })).toMatch(
      /^This port starts without encryption\. .*STARTTLS with port 587/,
    );
  });

  it('another machine without STARTTLS', async () => {
    const { url } = await openProvider();
    expect(await adviceOf({ url: remote(url) })).toMatch(/offers no encryption at this port/);
  });

  it.each([
    [535, 'Authentication failed', /rejects the user or the password/],
    [534, '5.7.9 Application-specific password required.', /^Your provider wants an app password/],
    [535, '5.7.9 Please log in with your web browser', /^Your provider wants an app password/],
    [535, '5.7.139 Authentication unsuccessful, basic authentication is disabled.', /^Microsoft/],
    [454, '4.7.0 Too many login attempts, please try again later.', /asks to try again later/],
    [454, '4.7.0 Temporary authentication failure', /asks to try again later/],
  ])('login that is answered %i %s', async (code, text, sentence) => {
    const { url } = await openProvider(
      { onAuth: (_, __, done) => done(rejection(code, text)) },
      'right',
    );
    const result = await send({ url: withLogin(url, 'me:s3cret') });
    expect(result).toMatchObject({
      status: 'unreachable',
      error: expect.stringContaining(text),
      advice: expect.stringMatching(sentence),
    });
    expect(JSON.stringify(result)).not.toContain('s3cret');
  });

  it('user without a password, and no user at all', async () => {
    const { url } = await openProvider({}, 'right');
    expect(await adviceOf({ url: withLogin(url, 'me') })).toMatch(/has a user and no password/);
    expect(await adviceOf({ url })).toMatch(/sends only after a login/);
  });

  it('refused connection, unknown host and a server that never answers', async () => {
    const closed = await openTestSmtp();
    await closed.close();
    expect(await adviceOf({ url: closed.url })).toMatch(/^Nothing accepts emails at this host/);
    expect(await adviceOf({ url: 'smtp://mail..invalid' })).toMatch(/^The name .* was not found/);
    const silent = await openProvider();
    silent.setBehaviour('hang');
    expect(await adviceOf({ url: silent.url, timeoutMs: 500 })).toMatch(
      /does not answer\. Many hosting providers block ports/,
    );
  });

  it('certificate that has expired, or is for another name', async () => {
    const expired = await openProvider({ ...tls, cert: expiredCertificate, secure: true });
    const secure = (url: string) => remote(url).replace('smtp:', 'smtps:');
    expect(await adviceOf({ url: secure(expired.url) })).toMatch(/has expired/);
    const { url } = await openProvider({ ...tls, secure: true });
    const { port } = new URL(url);
    const trusting = createTransport({
      host: '127.0.0.1',
      port: Number(port),
      secure: true,
      tls: { ca: certificate },
    });
    const error = await trusting.verify().catch(String);
    expect(adviceOn(String(error))).toMatch(/certificate of the mail server is for another name/);
  });

  it.each([
    [
      550,
      '5.1.1 The email account that you tried to reach does not exist',
      /does not know the rec/,
    ],
    [
      552,
      '5.2.2 The recipient’s inbox is out of storage space',
      /mailbox of the recipient is full/,
    ],
    [554, '5.7.1 Relay access denied', /sends only after a login/],
    [454, '4.7.1 <v@x.example>: Relay access denied', /sends only after a login/],
    [454, '4.7.1 <rate-limit@x.example>: Greylisted', /asks to try again later/],
    [421, '4.7.0 Try again later, closing connection', /asks to try again later/],
    [554, '5.7.1 Client host [1.2.3.4] blocked', /is on a blocklist/],
    [550, '5.1.1 <sender@gone.example>: User unknown', /does not know the recipient/],
    [550, '5.1.2 <dmarc@x.example>: host not found SPF', /does not know the recipient/],
    [450, '4.2.0 Greylisted', /asks to try again later/],
  ])('recipient who is answered %i %s', async (code, text, sentence) => {
    const { url } = await openProvider({ onRcptTo: (_, __, done) => done(rejection(code, text)) });
    expect(await adviceOf({ url })).toMatch(sentence);
  });

  const unauthenticated = /domain that you send from is not authenticated/;
  it.each([
    [550, '5.7.26 This mail has been blocked because the sender is', unauthenticated],
    [550, '5.7.26 Unauthenticated email from x.example is not accepted due to', unauthenticated],
    [421, '4.7.26 This mail has been rate limited because it is', unauthenticated],
    [550, '5.7.27 Your email has been blocked because the sender is', unauthenticated],
    [550, '5.7.30 This mail has been blocked because DKIM does not', unauthenticated],
    [550, '5.7.509 Access denied, sending domain does not pass DMARC', unauthenticated],
    [550, '5.7.515 Access denied, the sender’s domain does not meet', unauthenticated],
    [554, '5.2.252 SendAsDenied; me not allowed', /does not send from this address/],
    [
      554,
      '5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException',
      /does not send from this address/,
    ],
    [554, '5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceeded', /its limit is reached/],
    [550, '5.7.1 Invalid credentials for relay [203.0.113.7].', /sends only after a login/],
    [550, '5.7.606 Access denied, banned sending IP [203.0.113.7].', /is on a blocklist/],
    [550, '5.7.511 Access denied, banned sender[203.0.113.7].', /is on a blocklist/],
    [550, '5.7.1 part of their network is on our block list (S3140).', /is on a blocklist/],
    [550, '5.1.8 Access denied, bad outbound sender', /^none$/],
    [550, '5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; the sender', /^none$/],
  ])('email that Gmail or Outlook answers %i %s', async (code, text, sentence) => {
    const { url } = await openProvider({
      onData(stream, _, done) {
        stream.resume();
        stream.on('end', () => done(rejection(code, text)));
      },
    });
    expect((await adviceOf({ url })) ?? 'none').toMatch(sentence);
  });

  it.each<[SmtpBehaviour, RegExp | string]>([
    ['disconnect after accepting', /closed the connection\. If it does so again/],
    ['reject email', 'none'],
    ['reject and quote', 'none'],
  ])('server set to "%s" has the advice %s', async (behaviour, advice) => {
    const smtp = await openProvider();
    smtp.setBehaviour(behaviour);
    expect((await adviceOf({ url: smtp.url })) ?? 'none').toMatch(advice);
  });
});
