/** Whether the calls of calendars elsewhere are counted by webhooks. */
import { type CallService, serviceOf } from '../contract/calls.ts';
import type { Env } from '../env.ts';
import type { Finding } from './finding.ts';

const secretOf = {
  calendly: 'CALENDLY_WEBHOOK_SECRET',
  cal: 'CAL_WEBHOOK_SECRET',
} as const satisfies Record<CallService, keyof Env>;
const titleOf: Record<CallService, string> = { calendly: 'Calendly', cal: 'Cal.com' };

type Secrets = Pick<Env, (typeof secretOf)[CallService]>;

/** Whether webhooks count the calls of all these calendars, so that the reports of pages would be repetitions. */
export function hasCallWebhooks(calendars: Record<string, string>, env: Secrets): boolean {
  const services = Object.values(calendars).map(serviceOf);
  return (
    services.length > 0 &&
    services.every((service) => service !== undefined && env[secretOf[service]] !== undefined)
  );
}

/** Advice for each service whose webhook is not connected. */
export function callSecretFindings(calendars: Record<string, string>, env: Secrets): Finding[] {
  const services = new Set(Object.values(calendars).map(serviceOf));
  return [...services]
    .filter((service) => service !== undefined)
    .filter((service) => env[secretOf[service]] === undefined)
    .map((service) => ({
      kind: 'advice',
      where: secretOf[service],
      text: `is not set, so calls that visitors book at ${titleOf[service]} outside your page are not counted, nor cancellations. Connect it under Settings, Booking services.`,
    }));
}
