import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emailOf } from '../contact/email.ts';
import { type Mood, openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { createSmtp } from './smtp.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const timeout = 600;
let smtp: TestSmtp;

beforeEach(async () => {
  smtp = await openTestSmtp();
});
afterEach(() => smtp.close());

const message = (change: object = {}) => ({
  ...emailOf({
    id: '019-a',
    receivedAt: noon,
    name: 'Zoë Müller',
    email: 'zoe@example.com',
    company: null,
    message: 'Grüße\n<script>alert("x")</script>',
    ...change,
  }),
  queuedAt: noon,
  deferrals: 0,
  refusals: 0,
});
const to = ['owner@my-domain.com', 'other@my-domain.com'];
const deliver = (url = smtp.url, letter = message()) =>
  createSmtp({ url, to, name: 'Rowan Hale', timeout })(letter);

describe('a letter', () => {
  it('arrives as it was written, answers go to the visitor', async () => {
    expect(await deliver()).toEqual({ is: 'sent' });
    const [letter] = smtp.letters;
    expect(letter).toMatchObject({
      from: { name: 'Rowan Hale', address: 'owner@my-domain.com' },
      to: to.map((address) => ({ address })),
      replyTo: [{ name: 'Zoë Müller', address: 'zoe@example.com' }],
      subject: 'Message from Zoë Müller',
      messageId: '<contact-019-a@my-domain.com>',
      date: '2026-03-10T12:00:00.000Z',
    });
    expect(letter?.text).toContain('Grüße\n<script>alert("x")</script>');
    expect(letter?.html).toContain('&#60;script&#62;alert(&#34;x&#34;)');
    expect(letter?.html).not.toContain('<script');
  });

  it('subject, sender name and text hold no control or bidi override characters', async () => {
    const nasty = '\u001b[2J\u009b31m\u007f\u0007\u202efdp\u2066';
    const kept = 'ليلى \u{1F469}\u200d\u{1F4BB}';
    const letter = message({
      name: `${nasty}${kept}`,
      company: nasty,
      message: `a${nasty}\n${kept}`,
    });
    // One that was queued by an older program has them in its headers.
    const older = {
      ...letter,
      subject: `Message from ${nasty}${kept}`,
      replyTo: { name: nasty, address: 'zoe@example.com' },
    };
    for (const one of [letter, older]) {
      expect(await deliver(smtp.url, one)).toEqual({ is: 'sent' });
      const { subject = '', replyTo, text = '', html = '' } = smtp.letters.at(-1) ?? {};
      const parts = [subject, replyTo?.[0]?.name ?? '', text, html];
      for (const part of parts) {
        expect(part.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
      }
      for (const part of [subject, text, html]) expect(part).toContain(kept);
      expect(text).toContain('a[2J31mfdp\n');
    }
  });

  it('has no headers but ours, whatever a visitor calls themselves', async () => {
    const nasty = {
      name: 'Eve\r\nBcc: everybody@example.com\r\n\r\nHello',
      company: '"<eve@example.com>, all\nX-Evil: 1',
    };
    expect(await deliver(smtp.url, message(nasty))).toEqual({ is: 'sent' });
    const [letter] = smtp.letters;
    const names = letter?.headers.map(({ key }) => key) ?? [];
    expect(names).not.toContain('bcc');
    expect(names).not.toContain('x-evil');
    expect(letter?.replyTo).toMatchObject([{ address: 'zoe@example.com' }]);
    expect(letter?.subject).toContain('Eve Bcc: everybody@example.com Hello');
  });

  it.each<[Mood, string, RegExp, RegExp]>([
    ['refuse recipient', 'refused', /^EENVELOPE: .*550/, /^EENVELOPE 550$/],
    ['refuse letter', 'refused', /^EMESSAGE: .*554/, /^EMESSAGE 554$/],
    ['refuse and quote', 'refused', /Zoë Müller <zoe@example\.com>/, /^EMESSAGE 550 5\.7\.1$/],
    ['later', 'postponed', /^EMESSAGE: .*451/, /^EMESSAGE 451$/],
    ['hang up after taking', 'unreachable', /^(ECONNECTION|ESOCKET)/, /^(ECONNECTION|ESOCKET)$/],
    ['hang', 'unreachable', /^ETIMEDOUT/, /^ETIMEDOUT$/],
  ])('of a server that will %s is %s', async (mood, is, error, code) => {
    smtp.will(mood);
    expect(await deliver()).toEqual({
      is,
      error: expect.stringMatching(error),
      code: expect.stringMatching(code),
    });
  });

  it('is tried again when nobody is there, or the password is wrong', async () => {
    expect(await deliver('smtp://127.0.0.1:1')).toMatchObject({ is: 'unreachable' });
    const guarded = await openTestSmtp({ password: 'secret' });
    const url = (password: string) => guarded.url.replace('//', `//me%40my-host.com:${password}@`);
    const outcome = await deliver(url('wrong'));
    expect(outcome).toEqual({
      is: 'unreachable',
      error: expect.stringMatching(/^EAUTH/),
      code: 'EAUTH 535',
    });
    expect(JSON.stringify(outcome)).not.toContain('wrong@');
    expect(await deliver(url('secret'))).toEqual({ is: 'sent' });
    expect(guarded.letters[0]?.from?.address).toBe('me@my-host.com');
    await guarded.close();
  });

  it('does not travel unencrypted to another machine', async () => {
    const url = smtp.url.replace('127.0.0.1', 'localhost.localdomain');
    expect(await deliver(url)).toMatchObject({ is: 'unreachable' });
    expect(smtp.letters).toEqual([]);
  });
});
