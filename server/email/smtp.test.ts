import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emailOf } from '../contact/email.ts';
import { brand } from '../testing/email.ts';
import { sampleMessage } from '../testing/message.ts';
import { openTestSmtp, rejection, type SmtpBehaviour, type TestSmtp } from '../testing/smtp.ts';
import { createSmtp } from './smtp.ts';

const noon = Date.UTC(2026, 2, 10, 12);
let smtp: TestSmtp;

beforeEach(async () => {
  smtp = await openTestSmtp();
});
afterEach(() => smtp.close());

const message = (change: object = {}) => ({
  ...emailOf(
    sampleMessage({
      id: '019-a',
      name: 'Zoë Müller',
      email: 'zoe@example.com',
      message: 'Grüße\n<script>alert("x")</script>',
      ...change,
    }),
  ),
  queuedAt: noon,
  deferrals: 0,
  refusals: 0,
});
const to = ['owner@my-domain.com', 'other@my-domain.com'];
const deliver = (url = smtp.url, email = message(), timeoutMs = 20_000) =>
  createSmtp({ url, to, brand, timeoutMs })(email);

describe('an email', () => {
  it('email arrives unchanged, with the visitor as the reply address', async () => {
    expect(await deliver()).toEqual({ status: 'sent' });
    const [email] = smtp.emails;
    expect(email).toMatchObject({
      from: { name: 'Rowan Hale', address: 'owner@my-domain.com' },
      to: to.map((address) => ({ address })),
      replyTo: [{ name: 'Zoë Müller', address: 'zoe@example.com' }],
      subject: 'Message from Zoë Müller',
      messageId: '<contact-019-a@my-domain.com>',
      date: '2026-03-10T12:00:00.000Z',
    });
    expect(email?.text).toContain('Grüße\n<script>alert("x")</script>');
    expect(email?.html).toContain('&#60;script&#62;alert(&#34;x&#34;)');
    expect(email?.html).not.toContain('<script');
  });

  it('subject, sender name and text hold no control or bidi override characters', async () => {
    const nasty = '\u001b[2J\u009b31m\u007f\u0007\u202efdp\u2066';
    const printable = 'ليلى \u{1F469}\u200d\u{1F4BB}';
    const email = message({
      name: `${nasty}${printable}`,
      company: nasty,
      message: `a${nasty}\n${printable}`,
    });
    const withHeaders = {
      ...email,
      subject: `Message from ${nasty}${printable}`,
      replyTo: { name: nasty, address: 'zoe@example.com' },
    };
    for (const one of [email, withHeaders]) {
      expect(await deliver(smtp.url, one)).toEqual({ status: 'sent' });
      const { subject = '', replyTo, text = '', html = '' } = smtp.emails.at(-1) ?? {};
      const parts = [subject, replyTo?.[0]?.name ?? '', text, html];
      for (const part of parts) {
        expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }
      for (const part of [subject, text, html]) expect(part).toContain(printable);
      expect(text).toContain('a[2J31mfdp\n');
    }
  });

  it('email has no injected headers when the name and the company contain line breaks', async () => {
    const nasty = {
      name: 'Eve\r\nBcc: everybody@example.com\r\n\r\nHello',
      company: '"<eve@example.com>, all\nX-Evil: 1',
    };
    expect(await deliver(smtp.url, message(nasty))).toEqual({ status: 'sent' });
    const [email] = smtp.emails;
    const names = email?.headers.map(({ key }) => key) ?? [];
    expect(names).not.toContain('bcc');
    expect(names).not.toContain('x-evil');
    expect(email?.replyTo).toMatchObject([{ address: 'zoe@example.com' }]);
    expect(email?.subject).toContain('Eve Bcc: everybody@example.com Hello');
  });

  it('email is sent from EMAIL_FROM, whose domain is in its Message-ID', async () => {
    const send = createSmtp({ url: smtp.url, from: 'hello@studio.example', to, brand });
    expect(await send(message())).toEqual({ status: 'sent' });
    expect(smtp.emails).toMatchObject([
      {
        from: { name: 'Rowan Hale', address: 'hello@studio.example' },
        messageId: '<contact-019-a@studio.example>',
      },
    ]);
  });

  it('sender of a brand whose name has line breaks and controls is one printable line', async () => {
    const name = 'Rowan\r\nBcc: everybody@example.com\n\u202eHale';
    await createSmtp({ url: smtp.url, to, brand: { ...brand, name } })(message());
    expect(smtp.emails).toMatchObject([
      { from: { name: 'Rowan Bcc: everybody@example.com Hale' } },
    ]);
  });

  it.each([
    ['https://www.my-site.com', 'www.my-site.com'],
    ['http://203.0.113.7:3000', 'my-domain.com'],
    ['http://localhost:3000', 'my-domain.com'],
    [undefined, 'my-domain.com'],
  ])('site at %s greets the mail server as %s', async (origin, name) => {
    const greetings: string[] = [];
    const strict = await openTestSmtp({
      rules: {
        onMailFrom(_, { hostNameAppearsAs }, done) {
          greetings.push(String(hostNameAppearsAs));
          done();
        },
      },
    });
    await createSmtp({ url: strict.url, to, brand, origin })(message());
    expect(greetings).toEqual([name]);
    await strict.close();
  });

  it.each([
    ['=?utf-8?Q?=E2=80=AEanna?=', '= ?utf-8?Q?=E2=80=AEanna?='],
    ['=?utf-8?Q?Re:=0A=0AInvoice?=', '= ?utf-8?Q?Re:=0A=0AInvoice?='],
  ])('mail programs do not decode the name %s into other characters', async (name, shown) => {
    const email = { ...message({ name }), to: { name, address: 'zoe@example.com' } };
    expect(await deliver(smtp.url, email)).toEqual({ status: 'sent' });
    const [{ subject, replyTo, to = [] } = {}] = smtp.emails;
    expect([subject, replyTo?.[0]?.name, to[0]?.name]).toEqual([
      `Message from ${shown}`,
      shown,
      shown,
    ]);
  });

  it.each<[SmtpBehaviour, string, RegExp, RegExp]>([
    ['reject recipient', 'refused', /^EENVELOPE: .*550/, /^EENVELOPE 550$/],
    ['reject email', 'refused', /^EMESSAGE: .*554/, /^EMESSAGE 554$/],
    ['reject and quote', 'refused', /Zoë Müller <zoe@example\.com>/, /^EMESSAGE 550 5\.7\.1$/],
    ['defer', 'postponed', /^EMESSAGE: .*451/, /^EMESSAGE 451$/],
    [
      'disconnect after accepting',
      'unreachable',
      /^(ECONNECTION|ESOCKET)/,
      /^(ECONNECTION|ESOCKET)$/,
    ],
    ['hang', 'unreachable', /^ETIMEDOUT/, /^ETIMEDOUT$/],
  ])('delivery to a server set to "%s" is %s', async (behaviour, status, error, code) => {
    smtp.setBehaviour(behaviour);
    const timeoutMs = behaviour === 'hang' ? 600 : undefined;
    expect(await deliver(smtp.url, message(), timeoutMs)).toMatchObject({
      status,
      error: expect.stringMatching(error),
      code: expect.stringMatching(code),
    });
  });

  it('delivery is unreachable when the connection is refused or the password is wrong', async () => {
    expect(await deliver('smtp://127.0.0.1:1')).toMatchObject({ status: 'unreachable' });
    const guarded = await openTestSmtp({ password: 'secret' });
    const url = (password: string) => guarded.url.replace('//', `//me%40my-host.com:${password}@`);
    const result = await deliver(url('wrong'));
    expect(result).toMatchObject({
      status: 'unreachable',
      error: expect.stringMatching(/^EAUTH/),
      code: 'EAUTH 535',
    });
    expect(JSON.stringify(result)).not.toContain('wrong@');
    expect(await deliver(url('secret'))).toEqual({ status: 'sent' });
    expect(guarded.emails[0]?.from?.address).toBe('me@my-host.com');
    await guarded.close();
  });

  it('the sentence of a mail server is one printable line of at most 340 characters', async () => {
    const text = `\u001b[2J\u202e<b>Call +1 555 0100</b>\u0007 ${'a'.repeat(300)}`;
    const hostile = await openTestSmtp({
      rules: { onMailFrom: (_, _session, done) => done(rejection(550, text)) },
    });
    const result = await deliver(hostile.url);
    if (result.status === 'sent') throw new Error('it was sent');
    expect(result.error).toContain('550 [2J<b>Call');
    expect(result.error).toMatch(/^\P{Cc}{1,340}$/u);
    expect(result.error).not.toMatch(/\p{Bidi_Control}/u);
    expect(result.code).toBe('EENVELOPE 550');
    await hostile.close();
  });

  it('email is not sent unencrypted to another machine', async () => {
    const url = smtp.url.replace('127.0.0.1', 'localhost.localdomain');
    expect(await deliver(url)).toMatchObject({ status: 'unreachable' });
    expect(smtp.emails).toEqual([]);
  });
});
