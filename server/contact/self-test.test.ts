import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startOutboxWorker } from '../email/outbox-worker.ts';
import { createSmtp } from '../email/smtp.ts';
import { createLog } from '../log.ts';
import { engines, freshStores } from '../testing/engines.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { selfTest } from './self-test.ts';
import { reportSpam } from './spam-report.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const noon = new Date(2026, 2, 10, 12).getTime();
const log = createLog('silent', { pretty: false });

describe.each(engines)('$name', (engine) => {
  const { stores } = freshStores(engine);
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
  const postman = { wake };
  const now = () => clock;
  const test = (to = log) =>
    selfTest({ contact: stores.contact, mail: stores.mail, postman, now, log: to });
  /** Carries what is due to the mail server, until nothing waits or it is not taken. */
  async function carry(): Promise<void> {
    const smtpOf = createSmtp({
      url: smtp.url,
      to: ['me@my-domain.com'],
      name: 'Me',
    });
    const deliver = vi.fn(smtpOf);
    const { waiting } = await stores.mail.state();
    const carrier = startOutboxWorker({ store: stores.mail, deliver, now, log });
    await vi.waitFor(() => expect(deliver).toHaveBeenCalledTimes(waiting), 20_000);
    await carrier.stop();
  }
  const waiting = async () => (await stores.mail.state()).waiting;

  describe('the daily test', () => {
    it('is a letter at first, then a knock at the door each day, and a letter after a quiet week', async () => {
      const sent: string[] = [];
      const weeks = process.env.TEST_LONG ? 2 : 1;
      for (let n = 0; n < 7 * weeks + 1; n++) {
        await test();
        expect(await waiting()).toBe(1);
        await test();
        expect(await waiting()).toBe(1);
        const before = smtp.letters.length;
        await carry();
        expect(await waiting()).toBe(0);
        sent.push(smtp.letters.length > before ? 'letter' : 'knock');
        await test();
        clock += day + 1;
      }
      const week = ['letter', ...Array<string>(6).fill('knock')];
      expect(sent).toEqual([...Array(weeks).fill(week).flat(), 'letter']);
      expect(smtp.letters[0]?.subject).toBe('Test: your contact form reaches you');
      expect(await stores.contact.count()).toBe(0);
      expect(await stores.contact.unread()).toBe(0);
    });

    it('is not needed on a day on which a letter was sent', async () => {
      await stores.mail.queue({ id: 'a', subject: 'a', text: 'a', html: 'a' }, clock);
      await carry();
      clock += day - 1;
      await test();
      expect(await waiting()).toBe(0);
      expect(wake).not.toHaveBeenCalled();
      clock += 1;
      await test();
      expect(await waiting()).toBe(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });

    it('finds a wrong password, says so after two hours, and is well once that is mended', async () => {
      await stores.mail.queue({ id: 'a', subject: 'a', text: 'a', html: 'a' }, clock);
      await carry();
      clock += 2 * day;
      await test();
      const guarded = await openTestSmtp({ password: 'secret' });
      const open = smtp;
      smtp = { ...open, url: guarded.url.replace('//', '//me%40my-domain.com:wrong@') };
      await carry();
      const found = await stores.mail.waitingTest();
      expect(found).toEqual({ queuedAt: clock, error: expect.stringMatching(/^EAUTH/) });
      expect(guarded.letters).toEqual([]);
      const loud = { ...log, error: vi.fn() } as unknown as typeof log;
      clock += 2 * hour;
      await test(loud);
      expect(loud.error).not.toHaveBeenCalled();
      clock += 1;
      await test(loud);
      expect(loud.error).toHaveBeenCalledWith(
        { error: found?.error },
        'the daily test letter has not come through',
      );
      expect(await waiting()).toBe(1);
      smtp = { ...open, url: guarded.url.replace('//', '//me%40my-domain.com:secret@') };
      await carry();
      expect(await stores.mail.waitingTest()).toBeUndefined();
      expect(guarded.letters).toEqual([]);
      await guarded.close();
      smtp = open;
    });
  });

  describe('the letter about spam', () => {
    const spam = (id: string, change: object = {}) =>
      stores.contact.add(
        {
          id,
          receivedAt: clock,
          name: `Eve ${id}`,
          email: 'eve@example.com',
          company: null,
          message: 'Buy\nnow <b>',
          ...change,
        },
        { folder: 'spam', suspicions: ['trap'] },
      );
    const tell = (address?: string) =>
      reportSpam({ contact: stores.contact, postman, address, now });

    it('comes once a day, names who wrote, and leads to the folder', async () => {
      await tell();
      expect(await waiting()).toBe(0);
      for (let n = 10; n < 34; n++) await spam(`n${n}`, { receivedAt: clock + n });
      await spam('long', { message: 'x'.repeat(5000), receivedAt: clock + 99 });
      await tell('https://www.my-domain.com');
      await spam('later');
      clock += hour;
      await tell();
      await carry();
      const [letter, ...more] = smtp.letters;
      expect(more).toEqual([]);
      expect(letter?.subject).toBe('In your spam folder: 25 messages');
      expect(letter?.text).toContain('Eve n33 <eve@example.com>: Buy now <b>');
      expect(letter?.text).toContain(`: ${'x'.repeat(120)} …`);
      expect(letter?.text).toContain('… and 5 more.');
      expect(letter?.html).toContain('Buy now &#60;b&#62;');
      expect(letter?.html).toContain('https://www.my-domain.com/analytics/messages?folder=spam');
      clock += day;
      await tell();
      await carry();
      expect(smtp.letters[1]?.subject).toBe('In your spam folder: one message');
    });
  });
});
