/** For tests: one email of each kind that the server sends. */

import type { AnalyticsStore } from '../analytics/store.ts';
import { newBrowserEmail } from '../auth/new-browser-email.ts';
import { failingEmail } from '../booking/busy/calendars.ts';
import { type EmailOptions, emailsAbout, pausedEmail, reminderOf } from '../booking/emails.ts';
import type { Booking } from '../booking/rows.ts';
import { emailOf, reportSpam, summarize } from '../contact/email.ts';
import type { ListedMessage } from '../contact/message.ts';
import { selfTest } from '../contact/self-test.ts';
import type { FormFields } from '../contract/contact-fields.ts';
import type { Email, OutboxEmail } from '../email/email.ts';
import { noticeEmail } from '../http/notice-email.ts';
import { createLog } from '../log.ts';
import { silenceEmail } from '../reports/silence.ts';
import { weeklyEmail } from '../reports/weekly.ts';
import { testEmail } from '../settings/test-email.ts';
import { newBooking } from './booking.ts';
import { sampleMessage } from './message.ts';
import { site } from './sample-config.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** A Monday. */
const now = Date.UTC(2026, 10, 23, 9);
const address = 'https://www.my-domain.com';
const timeZone = 'Europe/London';
const owner = { name: 'Rowan Hale', address: 'rowan@my-domain.com' };
const outboxWorker = { wake() {} };

const bookingOptions: EmailOptions = {
  owner,
  replyTo: owner,
  words: site,
  callOf: () => ({ title: 'Strategy call', place: 'Video call. I email you the link.' }),
  timeZone,
  origin: address,
  key: Buffer.from('a key'),
};

/** What the visitor of the samples types. Default address: at a domain of the visitor's own. */
export type Typed = Partial<FormFields> & { name: string; message: string; source: string };

const genuine: Typed = {
  name: 'Zoë Müller',
  company: 'Bright Course',
  message:
    'Hello Rowan,\n\nwe run a course with 2,000 members, and five tools that do not talk to each other. Can you look at it before the launch in January?\n\nZoë',
  source: 'newsletter',
};

/** Returns one email of each kind by its name, with what a visitor typed. */
export async function emailSamples(typed: Typed = genuine): Promise<Record<string, Email>> {
  const message: ListedMessage = {
    ...sampleMessage({ receivedAt: now, email: 'zoe@example.com', ...typed }),
    folder: 'inbox',
    isRead: false,
    suspicions: [],
  };
  const booking: Booking = newBooking({
    start: now + day,
    id: '0190f0a0-0000-7000-8000-000000000000',
    name: typed.name,
    ...(typed.email && { email: typed.email }),
    note: typed.message,
    source: typed.source,
  });
  const [invitation, booked] = emailsAbout(booking, 'booked', bookingOptions);
  const [cancellation, cancelled] = emailsAbout(
    { ...booking, state: 'cancelled', sequence: 1 },
    'cancelled',
    bookingOptions,
  );
  const samples: Record<string, Email | undefined> = {
    message: emailOf(message),
    summary: await summaryOf([
      message,
      { ...message, name: 'Ada Brook', company: null },
      { ...message, suspicions: ['links'] },
    ]),
    spam: await spamReportOf(message),
    selfTest: await selfTestEmail(),
    test: testEmail(now),
    invitation,
    booked,
    cancellation,
    cancelled,
    reminder: reminderOf(booking, bookingOptions),
    paused: pausedEmail({ quota: { max: 10, windowMs: hour }, until: now + hour }, bookingOptions),
    calendar: failingEmail('https://calendar.example/secret.ics', {
      id: 'a',
      readAt: now - day,
      triedAt: now,
      failingSince: now - day,
      error: 'The server answers 404.',
    }),
    week: await weeklyEmail(analyticsOf(typed.source), { now, timeZone, address }),
    silence: await silenceEmail(quietAnalytics, { now, timeZone, address }),
    signIn: newBrowserEmail({
      method: 'password',
      result: 'accepted',
      address: '192.0.2.7',
      browser: 'Chrome on Linux',
      n: 1,
      lastAt: now,
    }),
    notice: noticeEmail(
      { at: now, act: 'connection_set', browser: 'Chrome on Linux', detail: 'stripe' },
      { recipients: [owner.address], publicOrigin: address },
    ),
  };
  return Object.fromEntries(
    Object.entries(samples).map(([name, email]) => {
      if (!email) throw new Error(`The sample "${name}" is missing.`);
      return [name, email];
    }),
  );
}

const log = createLog('silent', { pretty: false });

async function summaryOf(messages: ListedMessage[]): Promise<OutboxEmail | undefined> {
  let email: OutboxEmail | undefined;
  const contact = {
    async summarize(_: number, write: (messages: ListedMessage[]) => OutboxEmail) {
      if (email) return false;
      email = write(messages);
      return true;
    },
    reportSpam: async () => false,
  };
  await summarize({ contact, outboxWorker, address, now: () => now, log });
  return email;
}

async function spamReportOf(message: ListedMessage): Promise<OutboxEmail | undefined> {
  let email: OutboxEmail | undefined;
  const contact = {
    summarize: async () => false,
    async reportSpam(_: number, write: (newest: ListedMessage[], all: number) => OutboxEmail) {
      email = write([message, message], 7);
      return true;
    },
  };
  await reportSpam({ contact, outboxWorker, address, now: () => now, log });
  return email;
}

async function selfTestEmail(): Promise<OutboxEmail | undefined> {
  let email: OutboxEmail | undefined;
  const contact = {
    async addTest(_: unknown, test: OutboxEmail) {
      email = test;
      return true;
    },
  };
  const mail = { waitingTests: async () => [], lastSent: async () => undefined };
  await selfTest({ contact, mail, outboxWorker, now: () => now });
  return email;
}

const totals = {
  pageViews: 1500,
  ctaClicks: 214,
  callsBooked: 9,
  conversions: 12,
  revenue: 116400,
};

const analyticsOf = (source: string) =>
  ({
    firstView: async () => 0,
    breakdown: async () => ({
      currency: 'USD',
      totals: [totals, { ...totals, pageViews: 1320, revenue: 97000 }],
      otherCurrencies: [{ currency: 'EUR', conversions: 2, revenue: 19400 }],
      sources: [
        { source, pageViews: 900, ctaClicks: 140, callsBooked: 6, conversions: 8, revenue: 77600 },
        {
          source: null,
          pageViews: 600,
          ctaClicks: 74,
          callsBooked: 3,
          conversions: 4,
          revenue: 38800,
        },
      ],
    }),
  }) as unknown as AnalyticsStore;

const quietAnalytics = {
  lastView: async () => now - 8 * hour,
  totalsOfEach: async () => Array.from({ length: 9 }, () => ({ ...totals, pageViews: 40 })),
} as unknown as AnalyticsStore;
