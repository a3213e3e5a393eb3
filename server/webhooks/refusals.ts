/** Tells the owner of deliveries of another service that are refused, because the signing secret is another one. */
import { minuteMs } from '../time/units.ts';
import { ApiError } from '../trpc/errors.ts';
import type { Webhook } from './receive.ts';

/**
 * The rule: so many deliveries with the signature of another secret, the last one so long (ms) after the first, and none
 * accepted since. Services repeat a delivery, or send the next, within hours; a stranger can imitate that, but not by one
 * request or many at once, and the next genuine delivery ends it.
 */
const minRefused = 3;
const minSpan = 5 * minuteMs;

/** The greatest age of a signature with a time, in seconds. */
const maxAge = 300;

const openingBrace = 0x7b;

/** The services, as the owner calls them. */
const deliveryServices = { stripe: 'Stripe', calendly: 'Calendly', calcom: 'Cal.com' };

type Service = keyof typeof deliveryServices;

const isTimed = (signature: string) => {
  const [, time] = /^t=(\d{1,15}),(?:v\d=[\da-f]{64},?)+$/.exec(signature) ?? [];
  return time !== undefined && Math.abs(Date.now() / 1000 - Number(time)) <= maxAge;
};

/** Whether a signature looks like one of the service. */
const forms: Record<Service, (signature: string) => boolean> = {
  stripe: isTimed,
  calendly: isTimed,
  // The second is what it sends for a webhook without a secret.
  calcom: (signature) => /^(?:[\da-f]{64}|no-secret-provided)$/.test(signature),
};

interface Count {
  secrets: string | undefined;
  refused: number;
  firstAt: number;
  isAlarming: boolean;
}

/** @param now milliseconds since 1970, UTC */
export function createRefusals({ now }: { now: () => number }) {
  const counts = new Map<Service, Count>();
  return {
    /** Counts for this instance what a webhook refuses, anew when its secrets have changed; none without secrets. */
    watch(
      service: Service,
      secrets: string[] | undefined,
      create: (secrets: string[]) => Webhook,
    ): Webhook | undefined {
      const key = secrets?.join();
      const before = counts.get(service);
      const count: Count =
        before && before.secrets === key
          ? before
          : { secrets: key, refused: 0, firstAt: 0, isAlarming: false };
      counts.set(service, count);
      if (secrets === undefined) return undefined;
      const webhook = create(secrets);
      return async (body, signature = '') => {
        try {
          await webhook(body, signature);
        } catch (error) {
          if (!(error instanceof ApiError && error.response.code === 'INVALID_SIGNATURE'))
            throw error;
          if (forms[service](signature) && body[0] === openingBrace) {
            if (count.refused === 0) count.firstAt = now();
            count.refused += 1;
            count.isAlarming ||= count.refused >= minRefused && now() - count.firstAt >= minSpan;
          }
          throw error;
        }
        Object.assign(count, { refused: 0, isAlarming: false });
      };
    },

    /** The alert about a service whose deliveries are refused; `variable` sets its secret, undefined: the browser. */
    sentence(service: Service, variable: string | undefined): string | undefined {
      if (!counts.get(service)?.isAlarming) return undefined;
      const name = deliveryServices[service];
      const place = variable === undefined ? 'enter it under Settings' : `set ${variable} to it`;
      return `${name}’s deliveries are refused: the signing secret is another one. Copy that of the webhook at ${name} and ${place}.`;
    },
  };
}
