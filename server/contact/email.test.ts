import { describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import type { Stores } from '../stores/stores.ts';
import { rendered } from '../testing/email.ts';
import { engines, freshStores, postgres } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { emailOf, summarize } from './email.ts';
import type { ContactMessage, SpamSign } from './message.ts';

const noon = Date.UTC(2026, 2, 10, 12);
const hour = 60 * 60_000;
const log = createLog('silent', { pretty: false });

describe.each(engines)('$name', (engine) => {
  const { stores, reopen, openBeside } = freshStores(engine);

  const add = (id: string, change: Partial<ContactMessage> = {}, ...suspicions: SpamSign[]) =>
    stores.contact.add(
      sampleMessage({
        id,
        receivedAt: noon,
        name: `Name ${id}`,
        email: `${id}@example.com`,
        message: `Text of ${id}`,
        ...change,
      }),
      { isForSummary: true, suspicions },
    );
  const summarizeAt = async (now: number, { contact }: Pick<Stores, 'contact'> = stores) => {
    let isWoken = false;
    const wake = () => {
      isWoken = true;
    };
    await summarize({
      contact,
      outboxWorker: { wake },
      address: 'https://www.my-domain.com',
      now: () => now,
      log,
    });
    return isWoken;
  };
  const claim = async () =>
    rendered(await stores.mail.claim({ now: noon + 2 * hour, lease: 1000, longestWait: hour }));
  const claimAll = async () => {
    const emails = [];
    for (let one = await claim(); one; one = await claim()) emails.push(one);
    return emails;
  };
  const deliveries = async () =>
    (await stores.contact.list({ limit: 99 })).map(({ delivery }) => delivery?.state);

  it('flood summary holds every clear message in full and a line for each doubtful one', async () => {
    const long = `Long\n<b>${'words '.repeat(5000)}</b>\nend of it`;
    await add('a', { message: long, company: 'Acme' });
    await add('b', { receivedAt: noon + 1, message: `Link ${'x'.repeat(500)} cut` }, 'links');
    await add('c', { receivedAt: noon + 2 });
    expect(await summarizeAt(noon + hour - 1)).toBe(false);
    expect(await summarizeAt(noon + hour)).toBe(true);
    const { id, subject, text = '', html = '' } = (await claim()) ?? {};
    expect(subject).toBe('3 messages from your contact form');
    expect(text).toContain('Name a, Acme <a@example.com>');
    expect(text).toContain(
      long
        .split('\n')
        .map((line) => `    ${line}`)
        .join('\n'),
    );
    expect(text).toContain('    Text of c');
    expect(text).toMatch(/sign of spam.*\n\nName b <b@example\.com>: Link x+ …\n/);
    expect(text).not.toContain('cut');
    expect(html).toContain('end of it</blockquote>');
    expect(html).toContain('&#60;b&#62;words');
    expect(html).toContain('href="https://www.my-domain.com/analytics/messages"');
    expect(await claim()).toBeUndefined();
    expect(await summarizeAt(noon + 9 * hour)).toBe(false);
    expect(await deliveries()).toEqual(['waiting', 'waiting', 'waiting']);
    await stores.mail.sent(id ?? '', noon + 2 * hour);
    expect(await deliveries()).toEqual(['sent', 'sent', 'sent']);
  });

  it('messages that wait for a summary say when it is due', async () => {
    await add('a');
    const [message] = await stores.contact.list({ limit: 1 });
    expect(message?.delivery).toEqual({
      state: 'waiting',
      dueAt: noon + hour,
      attempts: 0,
      error: null,
    });
  });

  it('flood summary is one email when two instances queue it at once after a restart', async () => {
    for (let n = 0; n < 30; n++) await add(`m${n}`);
    await reopen();
    const beside = await openBeside();
    await Promise.all([summarizeAt(noon + hour), summarizeAt(noon + hour, beside)]);
    await beside.close();
    expect((await stores.mail.state()).waiting).toBe(1);
    const { text } = (await claim()) ?? {};
    for (let n = 0; n < 30; n++) expect(text).toContain(`Text of m${n}\n`);
  });

  // The others run the same statements.
  if (engine === postgres) return;

  it('flood summary is split into several emails without truncation when it is too large for one', async () => {
    for (let n = 0; n < 15; n++) await add(`m${n}`, { message: `${'x'.repeat(99_990)} end ${n}` });
    await summarizeAt(noon + hour);
    const emails = await claimAll();
    expect(emails).toHaveLength(5);
    const texts = emails.map(({ text }) => text).join('');
    for (let n = 0; n < 15; n++) expect(texts).toContain(`x end ${n}\n`);
  });

  it('flood summary stays below 1 MB when thousands of tiny messages have long names', async () => {
    const name = 'N'.repeat(200);
    await Promise.all(
      Array.from({ length: 2000 }, (_, n) =>
        add(`m${n}`, { name, company: name, email: `${'e'.repeat(200)}${n}@example.com` }),
      ),
    );
    await summarizeAt(noon + hour);
    const emails = await claimAll();
    expect(
      Math.max(...emails.map(({ text, html }) => Buffer.byteLength(`${text}${html}`))),
    ).toBeLessThan(1_000_000);
    const texts = emails.map(({ text }) => text).join('');
    for (let n = 0; n < 2000; n++) expect(texts).toContain(`Text of m${n}\n`);
  });

  it.each(['\n', '&'])(
    'flood summary of messages full of %j stays below 5 MB',
    async (character) => {
      for (let n = 0; n < 15; n++) await add(`m${n}`, { message: `a${character.repeat(99_990)}a` });
      await summarizeAt(noon + hour);
      for (const { text, html } of await claimAll()) {
        expect(Buffer.byteLength(`${text}${html}`)).toBeLessThan(5_000_000);
      }
    },
  );

  it('doubtful messages count as one line each in a summary, however long they are', async () => {
    for (let n = 0; n < 40; n++) {
      await add(`m${n}`, { message: `Buy ${n} ${'x'.repeat(99_000)}` }, 'links');
    }
    await summarizeAt(noon + hour);
    const emails = await claimAll();
    expect(emails).toHaveLength(1);
    for (let n = 0; n < 40; n++) expect(emails[0]?.text).toContain(`>: Buy ${n} xxx`);
  });

  it('flood summary holds at most 500 messages', async () => {
    await Promise.all(
      Array.from({ length: 501 }, (_, n) =>
        add(`m${n}`, { name: 'A', email: 'a@b.co', message: `${n}` }),
      ),
    );
    await summarizeAt(noon + hour);
    const emails = await claimAll();
    expect(emails.map(({ subject }) => subject)).toEqual([
      '500 messages from your contact form',
      'One message from your contact form',
    ]);
  });

  it('erasing a person leaves the others of their summary waiting for the next one', async () => {
    await add('a');
    await add('b');
    await summarizeAt(noon + hour);
    expect(await stores.contact.erase('a@example.com')).toBe(1);
    expect(await claim()).toBeUndefined();
    expect(await summarizeAt(noon + hour)).toBe(true);
    const { text } = (await claim()) ?? {};
    expect(text).toContain('Text of b');
    expect(text).not.toContain('Text of a');
  });

  it('flood counts no waiting message once the summary was sent', async () => {
    for (let n = 0; n < 25; n++) await add(`m${n}`);
    await stores.contact.add(sampleMessage({ id: 's', receivedAt: noon }), {
      folder: 'spam',
      suspicions: ['trap'],
    });
    expect(await stores.contact.flood(noon + 1)).toEqual({ inLastHour: 25, waiting: 25 });
    await summarizeAt(noon + hour);
    expect(await stores.contact.flood(noon + hour)).toEqual({ inLastHour: 0, waiting: 25 });
    await stores.mail.sent((await claim())?.id ?? '', noon + hour);
    expect(await stores.contact.flood(noon + hour)).toEqual({ inLastHour: 0, waiting: 0 });
  });
});

const long = (change: Partial<ContactMessage>) => emailOf(sampleMessage(change));

it('email about a message quotes 100,000 characters and says where the rest is', () => {
  const [quote, rest] = long({ message: `${'x'.repeat(99_999)}😀` }).blocks;
  expect(quote).toEqual({ kind: 'quote', text: `${'x'.repeat(99_999)}\ufffd` });
  expect(rest).toMatchObject({ kind: 'text', text: expect.stringContaining('on your dashboard') });
  const whole = long({ message: 'x'.repeat(100_000) }).blocks;
  expect(whole.map(({ kind }) => kind)).toEqual(['quote', 'signature']);
});

it('email about a message has short headers when its fields are long', () => {
  const field = 'x'.repeat(1_000_000);
  const { subject, replyTo } = long({ name: field, company: field });
  expect(subject).toHaveLength('Message from '.length + 120);
  expect(replyTo).toEqual({ name: 'x'.repeat(120), address: 'ada@example.com' });
});

it('email about a message has no Reply-To that mail servers reject', () => {
  const at = (length: number) => `${'a'.repeat(length - '@example.com'.length)}@example.com`;
  expect(long({ email: at(254) }).replyTo).toBeDefined();
  const { replyTo, blocks } = long({ email: at(255) });
  expect(replyTo).toBeUndefined();
  expect(blocks.at(-1)).toMatchObject({
    address: at(255).slice(0, 254),
    note: expect.stringContaining('too long for email'),
  });
});
