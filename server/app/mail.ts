/** The outbox worker and the jobs that send emails. */

import type { SiteConfig } from '../../site.defaults.ts';
import { isPlaceholder } from '../../site.placeholder.ts';
import type { EmailOptions } from '../booking/emails.ts';
import { remindVisitors } from '../booking/reminders.ts';
import { reportMessages } from '../contact/email.ts';
import { testDaily } from '../contact/self-test.ts';
import { configOf, type Mistake } from '../content/document.ts';
import type { SiteWords } from '../contract/words/words.ts';
import { emailLog, startOutboxWorker } from '../email/outbox-worker.ts';
import { createSmtp, senderAddress } from '../email/smtp.ts';
import type { Env } from '../env.ts';
import { AppError } from '../errors.ts';
import type { OutboundOptions } from '../outbound/request.ts';
import { reportHourly } from '../reports/reporter.ts';
import type { MailServer } from '../settings/services.ts';
import { testEmail } from '../settings/test-email.ts';
import { withAsciiDomain } from '../text/email-address.ts';
import type { Core } from './core.ts';

/** Timeout of each step of an email whose result the owner waits for in the browser, in ms. */
const waitingTimeoutMs = 4000;

/** Starts them; undefined without a mail server. */
export function startMail(
  { stores, bookingKey: key, now, log }: Core,
  {
    env,
    config,
    words,
    recipients,
    callOf,
    outbound,
  }: {
    env: Env;
    config: SiteConfig;
    words: SiteWords;
    recipients: ReturnType<typeof recipientsOf>;
    callOf: EmailOptions['callOf'];
    /** Given for a mail server whose address was typed in the browser. */
    outbound: OutboundOptions | undefined;
  },
) {
  if (env.SMTP_URL === undefined || recipients === undefined) return undefined;
  const { analytics, bookings, contact, mail } = stores;
  const { timeZone } = config.calls;
  const address = env.PUBLIC_URL;
  const brand = { name: config.brand.name, lines: config.colours.lines };
  const smtp = {
    url: env.SMTP_URL,
    from: env.EMAIL_FROM,
    to: recipients,
    brand,
    origin: address,
    outbound,
  };
  const outboxWorker = startOutboxWorker({ store: mail, deliver: createSmtp(smtp), now, log });
  const deliverNow = createSmtp({ ...smtp, timeoutMs: waitingTimeoutMs });
  const mailServer: MailServer = {
    host: new URL(smtp.url).hostname,
    recipients,
    sendTest: () => deliverNow(testEmail(now())),
  };
  const owner = { name: brand.name, address: senderAddress(smtp) };
  const bookingEmails: Omit<EmailOptions, 'key'> = {
    owner,
    replyTo: { name: brand.name, address: recipients[0] ?? owner.address },
    words,
    timeZone,
    callOf,
    origin: address,
  };
  const stops = [
    reportHourly({ analytics, outbox: mail, outboxWorker, timeZone, address, now, log }),
    reportMessages({ contact, outboxWorker, address, now, log }),
    testDaily({ contact, mail, outboxWorker, now, log }),
    remindVisitors({ bookings, key, outboxWorker, emails: bookingEmails, now, log }),
  ];
  return {
    outboxWorker,
    mailServer,
    /**
     * Sends the notices that are held until this time, before this mail server is replaced; what it does not take, the
     * next one sends. Never rejects.
     */
    async sendHeld(until: number): Promise<void> {
      try {
        let failure: string | undefined;
        for (const email of await mail.heldNotices(until)) {
          const result = failure === undefined ? await deliverNow(email) : undefined;
          // The others would fail in the same way, each after its timeout.
          if (result?.status === 'unreachable') failure = result.error;
          if (result?.status === 'sent') await mail.sent(email.id, now());
          else {
            const remaining = result?.status === 'partial' ? result.remaining : undefined;
            const error = result?.error ?? failure ?? '';
            await mail.postponed(email.id, { dueAt: now(), error, remaining });
          }
        }
      } catch (error) {
        log.error({ error }, emailLog.unstored);
      }
    },
    /** What the emails about bookings say. */
    bookingEmails,
    async stop() {
      for (const stop of stops) stop();
      await outboxWorker.stop();
    },
  };
}

/**
 * The recipients of emails: CONTACT_TO, or the address in the config; undefined without a mail server, and where
 * that address is a sample.
 */
export function recipientsOf(
  { SMTP_URL, CONTACT_TO }: Env,
  { brand }: SiteConfig,
): readonly string[] | undefined {
  if (SMTP_URL === undefined) return undefined;
  if (CONTACT_TO) return CONTACT_TO;
  const email = withAsciiDomain(brand.email);
  return isSample(email) ? undefined : [email];
}

/** The error of a start with a mail server whose emails would have no recipient. */
export const noRecipients = () =>
  new AppError(
    'INVALID_ENVIRONMENT',
    'CONTACT_TO must name your email address, since that in site.config.ts is a sample. ' +
      'For example: CONTACT_TO=me@my-domain.com',
  );

/** The alert of a site whose emails have no recipient. */
export const noRecipientsSentence =
  'The site sends no email, since the email address it shows is a sample. Publish your own address under Site.';

const isSample = (email: string) => isPlaceholder(`https://${email.replace(/.*@/, '')}`);

/** A mistake in a document whose address would get the emails of the site; none where others get them. */
export function recipientMistakes({ SMTP_URL, CONTACT_TO }: Env, document: unknown): Mistake[] {
  if (SMTP_URL === undefined || CONTACT_TO) return [];
  const config = configOf(document);
  if (config && !isSample(withAsciiDomain(config.brand.email))) return [];
  const message = 'Please enter your own address: the site sends you its emails there.';
  return [{ path: 'brand.email', message }];
}
