import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startOutboxWorker } from '../email/outbox-worker.ts';
import { createSmtp } from '../email/smtp.ts';
import { createLog } from '../log.ts';
import { brand } from '../testing/email.ts';
import { freshStores } from '../testing/engines.ts';
import { sampleMessage } from '../testing/message.ts';
import { countResults } from '../testing/outbox.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { reportSpam } from './email.ts';
import { selfTest } from './self-test.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const noon = new Date(2026, 2, 10, 12).getTime();
const log = createLog('silent', { pretty: false });

const { stores } = freshStores();
let smtp: TestSmtp;
let clock: number;
const wake = vi.fn();

beforeEach(async () => {
  smtp = await openTestSmtp();
  clock = noon;
  wake.mockClear();
});
afterEach(async () => {
  await smtp.close();
});
const outboxWorker = { wake };
const now = () => clock;
const test = () => selfTest({ contact: stores.contact, mail: stores.mail, outboxWorker, now });
/** Runs an outbox worker until each waiting email was tried once. */
async function sendWaiting(): Promise<void> {
  const smtpOf = createSmtp({
    url: smtp.url,
    to: ['me@my-domain.com'],
    brand,
  });
  const { mail } = stores;
  const { waiting } = await mail.state();
  let stored = 0;
  const store = countResults(mail, () => {
    stored += 1;
  });
  const worker = startOutboxWorker({ store, deliver: smtpOf, now, log });
  await vi.waitFor(() => expect(stored).toBe(waiting), 20_000);
  await worker.stop();
}
const waiting = async () => (await stores.mail.state()).waiting;

describe('the daily test', () => {
  it('self-test sends a real email on each day without another one', async () => {
    for (let n = 1; n <= 3; n++) {
      await test();
      await test();
      expect(await waiting()).toBe(1);
      await sendWaiting();
      expect(smtp.emails).toHaveLength(n);
      await test();
      expect(await waiting()).toBe(0);
      clock += day;
    }
    expect(smtp.emails[0]?.subject).toBe('Test: your contact form reaches you');
    expect(await stores.contact.count()).toBe(0);
    expect(await stores.contact.unread()).toBe(0);
  });

  it('self-test finds a sender that the mail server refuses after its login, within a day', async () => {
    await stores.mail.queue({ id: 'a', subject: 'a', blocks: [] }, clock);
    await sendWaiting();
    clock += day;
    await test();
    smtp.setBehaviour('reject email');
    await sendWaiting();
    clock += 5 * 60_000;
    expect(await stores.mail.overdue(clock)).toMatchObject({
      count: 1,
      error: expect.stringMatching(/^EMESSAGE: .*554/),
    });
    await test();
    expect(await waiting()).toBe(1);
  });

  it('self-tests do not pile up while the mail server refuses them', async () => {
    for (let n = 1; n <= 3; n++) {
      await test();
      await stores.mail.refused(`test-2026-03-${9 + n}`, { at: clock, error: '550' });
      clock += day;
    }
    await test();
    expect(await stores.mail.overdue(clock + hour)).toMatchObject({ count: 1 });
    await stores.mail.retryRefused(clock);
    await sendWaiting();
    expect(smtp.emails).toHaveLength(1);
  });

  it('self-test does nothing when an email was sent within a day', async () => {
    await stores.mail.queue({ id: 'a', subject: 'a', blocks: [] }, clock);
    await sendWaiting();
    clock += day - 1;
    await test();
    expect(await waiting()).toBe(0);
    expect(wake).not.toHaveBeenCalled();
    clock += 1;
    await test();
    expect(await waiting()).toBe(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });
});

describe('the spam report', () => {
  const spam = (id: string, change: object = {}) =>
    stores.contact.add(
      sampleMessage({
        id,
        receivedAt: clock,
        name: `Eve ${id}`,
        email: 'eve@example.com',
        message: 'Buy\nnow <b>',
        ...change,
      }),
      { folder: 'spam', suspicions: ['trap'] },
    );
  const report = (address?: string) =>
    reportSpam({ contact: stores.contact, outboxWorker, address, now, log });

  it('spam report is sent once a day, lists the senders and links to the spam folder', async () => {
    await report();
    expect(await waiting()).toBe(0);
    for (let n = 10; n < 34; n++) await spam(`n${n}`, { receivedAt: clock + n });
    await spam('long', { message: 'x'.repeat(5000), receivedAt: clock + 99 });
    await report('https://www.my-domain.com');
    await spam('later');
    clock += hour;
    await report();
    await sendWaiting();
    const [email, ...more] = smtp.emails;
    expect(more).toEqual([]);
    expect(email?.subject).toBe('In your spam folder: 25 messages');
    expect(email?.text).toContain('Eve n33 <eve@example.com>: Buy now <b>');
    expect(email?.text).toContain(`: ${'x'.repeat(120)} …`);
    expect(email?.text).toContain('… and 5 more.');
    expect(email?.html).toContain('Buy now &#60;b&#62;');
    expect(email?.html).toContain('https://www.my-domain.com/analytics/messages?folder=spam');
    clock += day;
    await report();
    await sendWaiting();
    expect(smtp.emails[1]?.subject).toBe('In your spam folder: one message');
  });
});
