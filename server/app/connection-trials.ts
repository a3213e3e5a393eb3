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
import { activePaymentLinks, type PaymentLink, readAccount } from '../sales/stripe/account.ts';
import { isLiveKey, keyErrorSentence, type StripeAccess } from '../sales/stripe/api.ts';
import {
  deleteEndpoint,
  ensureEndpoint,
  hasOtherEndpoint,
  noRight,
} from '../sales/stripe/endpoint.ts';
import { missingRights } from '../sales/stripe/key.ts';
import { testEmail } from '../settings/test-email.ts';
import { dayMs } from '../time/units.ts';
import { recipientsOf } from './mail.ts';
import type { Platform } from './platform.ts';

/** Timeout of each step, in ms: the owner waits for the result in the browser. */
const timeoutMs = 8000;
const stripeTimeoutMs = 5000;

/** The ports at which mail servers take emails of programs. Others could belong to any service. */
const smtpPorts = [25, 465, 587, 2525];

const localNetwork =
  'This address leads into a local network. Please use one that is reachable from the internet, or have its host allowed on the server (LOCAL_HOSTS).';

const noAnswer = 'Stripe did not answer. Please try again in a minute.';

/** @param outbound how to reach the addresses, which must not lead into a local network */
export function createTrials(
  { env, isPublic, overrides, now, log }: Platform,
  { config, outbound }: { config: SiteConfig; outbound: OutboundOptions },
) {
  const accessBy = (apiKey: string): StripeAccess => ({
    apiKey,
    endpoint: overrides.stripeEndpoint,
    timeoutMs: stripeTimeoutMs,
  });

  const deleteEndpoints = async (access: StripeAccess, ids: readonly string[]) => {
    for (const id of ids) {
      await deleteEndpoint(access, id).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        log.warn({ error: reason }, 'Stripe: a webhook of this site could not be deleted there');
      });
    }
  };

  const release = async ({ stripe }: StoredValues): Promise<void> => {
    if (stripe?.key === undefined) return;
    const made = [stripe.endpoint, stripe.replaced].filter((id) => id !== undefined);
    await deleteEndpoints(accessBy(stripe.key), made);
  };

  const url = `${env.PUBLIC_URL}/api/webhooks/stripe`;

  /** Deletes the endpoint that the site had made, unless it may be the one whose new secret the owner has pasted. */
  const deleteReplaced = async (access: StripeAccess, id: string | undefined): Promise<void> => {
    if (id === undefined || !isPublic) return;
    // What cannot be found out is deleted when the connection is cleared.
    const isOther = await hasOtherEndpoint(access, { url, id }).catch(() => false);
    if (isOther) await deleteEndpoints(access, [id]);
  };

  /** Makes the webhook of this site, where Stripe can reach it and the owner has not made one. */
  const connectStripe = async (
    access: StripeAccess,
    stored: Omit<StoredValue<'stripe'>, 'key'>,
    before: StoredValue<'stripe'> | undefined,
  ): Promise<Trial> => {
    const account = await readAccount(access);
    const isSame = account !== undefined && account.id === stored.account;
    // The endpoint and the secret of another account deliver none of the payments that this key reads.
    const isOther = account !== undefined && stored.account !== undefined && !isSame;
    const { webhookSecret, endpoint: id } = isOther ? {} : stored;
    const hint = `Connected to ${account?.name ?? 'your account'}`;
    const kept = {
      account: account?.id ?? stored.account,
      accountName: account ? account.name : stored.accountName,
      ...{ webhookSecret, endpoint: id, replaced: isOther ? undefined : stored.replaced },
    };
    const isByHand = webhookSecret !== undefined && id === undefined;
    if (isByHand) {
      return {
        hint: `${hint}. The signing secret that you pasted stays in use.`,
        adds: kept,
        finish: () => deleteReplaced(access, kept.replaced),
      };
    }
    const isDropped = isOther && stored.webhookSecret !== undefined;
    const fullHint = isDropped
      ? `${hint}. The webhook of the other account is not used any more.`
      : hint;
    const finish = async (endpoint: string | undefined, others: readonly string[] = []) => {
      await deleteEndpoints(access, others);
      if (before && (isOther || before.endpoint !== endpoint)) await release({ stripe: before });
    };
    if (!isPublic) return { hint: fullHint, adds: kept, finish: () => finish(id) };
    const made = id && webhookSecret ? { id, webhookSecret } : undefined;
    const ensured = await ensureEndpoint(access, { url, made });
    if (ensured !== noRight) {
      return {
        hint: fullHint,
        adds: {
          ...{ account: account?.id, accountName: account?.name },
          ...{ webhookSecret: ensured.webhookSecret, endpoint: ensured.id, replaced: undefined },
        },
        undo: () => deleteEndpoints(access, ensured.isNew ? [ensured.id] : []),
        finish: () => finish(ensured.id, ensured.others),
      };
    }
    // The endpoint that the site has made goes on to deliver.
    if (made && isSame) return { hint, adds: kept };
    return {
      problem:
        'This key may not write Webhook Endpoints, by which Stripe tells the site of each sale. Please allow it at Stripe.',
    };
  };

  const trials: {
    [Name in ConnectionName]: (
      value: StoredValue<Name>,
      before: StoredValue<Name> | undefined,
    ) => Promise<Trial>;
  } = {
    async email(value) {
      const ports = overrides.smtpPorts ?? smtpPorts;
      const isLocal = env.LOCAL_HOSTS?.includes(value.host.toLowerCase()) ?? false;
      if (!isLocal && !ports.includes(value.port)) {
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

    async stripe({ key, ...stored }, before) {
      if (key === undefined) {
        const keyBefore = before?.key;
        if (keyBefore === undefined) return {};
        return { finish: () => deleteReplaced(accessBy(keyBefore), stored.replaced) };
      }
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
        return connectStripe(access, stored, before).catch((error: unknown) => ({
          problem: keyErrorSentence(error) ?? noAnswer,
        }));
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
    try: (
      name: ConnectionName,
      value: StoredValues[ConnectionName],
      before: StoredValues[ConnectionName],
    ): Promise<Trial> =>
      // Both values have the type of their name.
      trials[name](value as never, before as never),

    release,

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
