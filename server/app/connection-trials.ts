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
import { isLiveKey } from '../sales/stripe/api.ts';
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

/** @param outbound how to reach the addresses, which must not lead into a local network */
export function createTrials(
  { env, isPublic, overrides, now }: Platform,
  { config, outbound }: { config: SiteConfig; outbound: OutboundOptions },
) {
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

    async stripe({ key }) {
      if (key === undefined) return {};
      if (isPublic && !isLiveKey(key)) {
        return {
          problem:
            'This is a key for test payments, which a live site ignores. Please use one that begins with rk_live_.',
        };
      }
      const missing = await missingRights({ apiKey: key, endpoint: overrides.stripeEndpoint });
      if (typeof missing === 'string') return { problem: missing };
      if (missing.length === 0) return {};
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
  return <Name extends ConnectionName>(name: Name, value: StoredValues[Name]): Promise<Trial> =>
    // The value has the type of its name.
    trials[name](value as never);
}
