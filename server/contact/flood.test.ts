/** A flood of messages, against a whole site with a real mail server. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outputs } from '../contract/api.ts';
import { createLocalLimiter } from '../rate-limit/limiter.ts';
import { sampleMessage } from '../testing/message.ts';
import { openTestSite, signIn, type TestSite } from '../testing/site.ts';
import { openTestSmtp, type TestSmtp } from '../testing/smtp.ts';
import { floodSentence } from './email.ts';
import { floodAfter, type SpamSign } from './message.ts';
import { leads, spam } from './spam-score.ts';
import { isForSummary } from './submission.ts';

type Inbox = Outputs['contact']['messages'];

describe('after 300 spam messages from 15 addresses', () => {
  let smtp: TestSmtp;
  let site: TestSite;
  let cookie: string;
  beforeEach(async () => {
    smtp = await openTestSmtp();
    site = await openTestSite({ env: { SMTP_URL: smtp.url, CONTACT_TO: 'me@my-domain.com' } });
    cookie = await signIn(site);
  });
  afterEach(async () => {
    await site.close();
    await smtp.close();
  });

  const send = async (message: object, address: string) => {
    const response = await site.post('/api/contact', message, { 'x-forwarded-for': address });
    expect(response.status).toBe(200);
  };

  it('five genuine messages from other addresses are in the inbox and emailed after 300 spam messages', async () => {
    const advertisements = spam();
    for (let n = 0; n < 300; n++) {
      // Some of them have no sign of spam in their text.
      const { name, email, company, message } =
        n % 4 === 3
          ? sampleMessage({
              name: `Pat ${n}`,
              email: `pat${n}@a.example`,
              message: `Hello ${n}, are you open?`,
            })
          : (advertisements[n % advertisements.length] ?? expect.fail('There are no samples.'));
      await send({ name, email, company, message: `${message} ${n}` }, `203.0.113.${n % 15}`);
    }
    const genuine = leads().slice(0, 5);
    for (const [n, lead] of genuine.entries()) await send(lead, `198.51.100.${n}`);

    const response = await site.fetch('/api/messages', { headers: { cookie } });
    const { messages } = (await response.json()) as Inbox;
    const emails = genuine.map(({ email }) => email);
    expect(messages.map(({ email }) => email)).toEqual(expect.arrayContaining(emails));
    await vi.waitFor(
      () => {
        const replyAddresses = smtp.emails.flatMap(({ replyTo = [] }) =>
          replyTo.map(({ address }) => address),
        );
        expect(replyAddresses).toEqual(expect.arrayContaining(emails));
      },
      { timeout: 20_000 },
    );
  });
});

describe('without a mail server', () => {
  it('dashboard reports a flood, and no message waits for a summary, without a mail server', async () => {
    const unmailed = await openTestSite();
    const owner = await signIn(unmailed);
    const ownerAlerts = async () => {
      const response = await unmailed.fetch('/api/analytics/dashboard', {
        headers: { cookie: owner },
      });
      return (await response.json()).alert;
    };
    for (let n = 0; n < 25; n++) {
      if (n === floodAfter) expect(await ownerAlerts()).toBeNull();
      const message = { name: 'Ada', email: 'ada@example.com', message: `No ${n}` };
      await unmailed.post('/api/contact', message, { 'x-forwarded-for': `203.0.113.${n}` });
    }
    expect(await ownerAlerts()).toBe(
      'Many messages are arriving: 25 in the last hour. All of them are under Messages.',
    );
    const response = await unmailed.fetch('/api/messages', { headers: { cookie: owner } });
    const { messages } = (await response.json()) as Inbox;
    expect(messages.filter(({ delivery }) => delivery)).toEqual([]);
    await unmailed.close();
  });
});

describe('in a flood', () => {
  /** Counts twenty messages; returns the function that tells whether another waits for the summary. */
  const flooded = async () => {
    const limiter = createLocalLimiter(() => 0);
    const waits = (addressBlock: string, { isSpam = false, signs = [] as SpamSign[] } = {}) =>
      isForSummary(limiter, addressBlock, { isSpam, signs });
    for (let n = 0; n < floodAfter; n++) expect(await waits('192.0.2.1')).toBe(false);
    return waits;
  };

  it('first message of a network that day is emailed alone, and later ones wait, in a flood', async () => {
    const waits = await flooded();
    expect(await waits('192.0.2.1')).toBe(true);
    expect(await waits('192.0.2.2')).toBe(false);
    expect(await waits('192.0.2.2')).toBe(true);
    await waits('192.0.2.3', { isSpam: true, signs: ['words'] });
    expect(await waits('192.0.2.3')).toBe(true);
  });

  it('spam does not count as a flood', async () => {
    const limiter = createLocalLimiter(() => 0);
    for (let n = 0; n < 300; n++) {
      await isForSummary(limiter, `203.0.113.${n}`, { isSpam: true, signs: ['words'] });
    }
    expect(await isForSummary(limiter, '192.0.2.1', { isSpam: false, signs: [] })).toBe(false);
  });

  it('blocks of one IPv6 /48 network count as one network in a flood', async () => {
    const waits = await flooded();
    expect(await waits('2001:db8:1:1::/64')).toBe(false);
    expect(await waits('2001:db8:1:2::/64')).toBe(true);
    expect(await waits('2001:db8:2:1::/64')).toBe(false);
  });

  it('at most sixty clear and twenty doubtful messages an hour are emailed alone in a flood', async () => {
    const waits = await flooded();
    let alone = 0;
    for (let n = 0; n < 100; n++) if (!(await waits(`203.0.113.${n}`))) alone += 1;
    expect(alone).toBe(60);
    for (let n = 0; n < 100; n++) {
      if (!(await waits(`198.51.100.${n}`, { signs: ['links'] }))) alone += 1;
    }
    expect(alone).toBe(80);
  });
});

it('flood alert counts the messages that wait for the summary, and only when some do', () => {
  expect(floodSentence({ inLastHour: 57, waiting: 30 }, true)).toBe(
    'Many messages are arriving: 57 in the last hour. 30 messages wait for the hourly summary email. All of them are under Messages.',
  );
  expect(floodSentence({ inLastHour: 57, waiting: 1 }, true)).toBe(
    'Many messages are arriving: 57 in the last hour. One message waits for the hourly summary email. All of them are under Messages.',
  );
  const unsummarized =
    'Many messages are arriving: 57 in the last hour. All of them are under Messages.';
  expect(floodSentence({ inLastHour: 57, waiting: 0 }, true)).toBe(unsummarized);
  expect(floodSentence({ inLastHour: 57, waiting: 30 }, false)).toBe(unsummarized);
  expect(floodSentence({ inLastHour: 20, waiting: 30 }, true)).toBe(
    '30 messages wait for the hourly summary email. All of them are under Messages.',
  );
  expect(floodSentence({ inLastHour: 20, waiting: 0 }, true)).toBeUndefined();
  expect(floodSentence({ inLastHour: 20, waiting: 30 }, false)).toBeUndefined();
});
