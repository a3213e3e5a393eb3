/** Tries a connection with the other server before it is stored. */
import type { SiteConfig } from '../../site.defaults.ts';
import { CalendarError } from '../booking/busy/errors.ts';
import { fetchCalendar } from '../booking/busy/fetch-calendar.ts';
import { filterCalendar } from '../booking/busy/filter.ts';
import { busySpans } from '../booking/busy/spans.ts';
import type { Trial } from '../connections/services.ts';
import {
  type ConnectionName,
  connect,
  type StoredValue,
  type StoredValues,
} from '../connections/values.ts';
import { pluralize } from '../contract/numbers.ts';
import { createSmtp } from '../email/smtp.ts';
import { codeOf } from '../errors.ts';
import { type OutboundOptions, request } from '../outbound/request.ts';
import { accountName, activePaymentLinks, type PaymentLink } from '../sales/stripe/account.ts';
import { isLiveKey, keyErrorSentence, type StripeAccess } from '../sales/stripe/api.ts';
import {
  deleteEndpoint,
  ensureEndpoint,
  type MadeEndpoint,
  noRight,
} from '../sales/stripe/endpoint.ts';
import { missingRights } from '../sales/stripe/key.ts';
import { testEmail } from '../settings/test-email.ts';
import { dayMs } from '../time/units.ts';
import { recipientsOf } from './mail.ts';
import type { Platform } from './platform.ts';

/** Timeout of each step, in ms: the owner waits for the result in the browser. */
const timeoutMs = 8000;

/** The ports at which mail servers take emails of programs. Others could belong to any service. */
const smtpPorts = [25, 465, 587, 2525];

const localNetwork =
  'This address leads into a local network. Please use one that is reachable from the internet, or set it in the environment of the server.';

const noAnswer = 'Stripe did not answer. Please try again in a minute.';

/** @param outbound how to reach the addresses, which must not lead into a local network */
export function createTrials(
  { env, isPublic, overrides, now, log }: Platform,
  { config, outbound }: { config: SiteConfig; outbound: OutboundOptions },
) {
  const accessBy = (apiKey: string) => ({ apiKey, endpoint: overrides.stripeEndpoint });

  /** Makes the webhook of this site, where Stripe can reach it; `hasWebhook` is whether the owner has made one. */
  const connectStripe = async (
    access: StripeAccess,
    made: MadeEndpoint | undefined,
    hasWebhook: boolean,
  ): Promise<Trial> => {
    try {
      const name = await accountName(access);
      const hint = `Connected to ${name ?? 'your account'}`;
      if (!isPublic) return { hint };
      const url = `${env.PUBLIC_URL}/api/webhooks/stripe`;
      const endpoint = await ensureEndpoint(access, { url, made });
      if (endpoint !== noRight) {
        return { hint, adds: { webhookSecret: endpoint.webhookSecret, endpoint: endpoint.id } };
      }
      if (hasWebhook) return { hint };
      return {
        problem:
          'This key may not write Webhook Endpoints, by which Stripe tells the site of each sale. Please allow it at Stripe.',
      };
    } catch (error) {
      return { problem: keyErrorSentence(error) ?? noAnswer };
    }
  };

  const trials: { [Name in ConnectionName]: (value: StoredValue<Name>) => Promise<Trial> } = {
    async email(value) {
      const ports = overrides.smtpPorts ?? smtpPorts;
      if (!ports.includes(value.port)) {
        return {
          problem: `Mail servers take emails at the ports 587, 465, 2525 and 25, not at ${value.port}.`,
        };
      }
      const { env: changed } = connect({ ...env, SMTP_URL: undefined }, { email: value });
      const to = recipientsOf(changed, config);
      if (!to) {
        return {
          problem:
            'Please enter the address that emails to you go to: the one that the site shows is a sample.',
        };
      }
      const deliver = createSmtp({
        ...{ url: changed.SMTP_URL ?? '', from: changed.EMAIL_FROM, to, timeoutMs, outbound },
        brand: { name: config.brand.name, lines: config.colours.lines },
        origin: env.PUBLIC_URL,
      });
      const result = await deliver(testEmail(now()));
      if (result.status === 'sent') return { hint: `A test email was sent to ${to.join(', ')}` };
      if (result.code === 'LOCAL_NETWORK') return { problem: localNetwork };
      return {
        problem: result.advice ?? `The mail server did not take the test email (${result.code}).`,
      };
    },

    async stripe({ key, webhookSecret, endpoint }) {
      if (key === undefined) return {};
      if (isPublic && !isLiveKey(key)) {
        return {
          problem:
            'This is a key for test payments, which a live site ignores. Please use one that begins with rk_live_.',
        };
      }
      const access = accessBy(key);
      const missing = await missingRights(access);
      if (typeof missing === 'string') return { problem: missing };
      if (missing.length === 0) {
        const made = endpoint && webhookSecret ? { id: endpoint, webhookSecret } : undefined;
        return connectStripe(access, made, webhookSecret !== undefined);
      }
      const list = new Intl.ListFormat('en').format(missing);
      return {
        problem: `This key may not read ${list}. Please allow it at Stripe, or create another key.`,
      };
    },

    async busyCalendars({ addresses: [address = ''] }) {
      const window = { from: now(), to: now() + 7 * dayMs };
      try {
        const fetched = await fetchCalendar(address, { ...outbound, timeoutMs });
        const text = fetched.isUnchanged ? '' : await filterCalendar(fetched.body, window);
        const { timeZone } = config.calls;
        const spans = await busySpans(text, { ...window, timeZone, isOwn: () => false });
        return { hint: `Read: ${pluralize(spans.length, 'busy time')} in the next seven days` };
      } catch (error) {
        if (error instanceof CalendarError) return { problem: error.message };
        throw error;
      }
    },

    async webhook({ url }) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        // Any answer will do: a receiver takes nothing but signed events.
        (await request(new URL(url), { ...outbound, method: 'HEAD', signal })).destroy();
        return {};
      } catch (error) {
        if (codeOf(error) === 'LOCAL_NETWORK') return { problem: localNetwork };
        return { problem: 'Nothing answers at this address. Please check it.' };
      }
    },

    calcom: async () => ({}),
    calendly: async () => ({}),
  };
  return {
    try: (name: ConnectionName, value: StoredValues[ConnectionName]): Promise<Trial> =>
      // The value has the type of its name.
      trials[name](value as never),

    async release({ stripe }: StoredValues): Promise<void> {
      if (stripe?.key === undefined || stripe.endpoint === undefined) return;
      await deleteEndpoint(accessBy(stripe.key), stripe.endpoint).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ error: reason }, 'Stripe: the webhook of this site could not be deleted there');
      });
    },

    async paymentLinks(key: string | undefined): Promise<PaymentLink[] | string> {
      if (key === undefined) return 'Connect Stripe with a key first.';
      try {
        const links = await activePaymentLinks(accessBy(key));
        return links ?? 'This key may not read Payment Links. Please allow it at Stripe.';
      } catch (error) {
        return keyErrorSentence(error) ?? noAnswer;
      }
    },
  };
}
