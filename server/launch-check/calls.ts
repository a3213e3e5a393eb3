/** Whether the calls of calendars elsewhere are counted by webhooks. */
import type { Env } from '../env.ts';
import type { Finding } from './finding.ts';

/** The services whose webhooks count calls. */
const services = [
  { host: 'calendly.com', secret: 'CALENDLY_WEBHOOK_SECRET', name: 'Calendly' },
  { host: 'cal.com', secret: 'CAL_WEBHOOK_SECRET', name: 'Cal.com' },
] as const;

type Secrets = Pick<Env, (typeof services)[number]['secret']>;

/** Whether an address is at `host` or below it. */
function isAt(address: string, host: string): boolean {
  const { hostname } = URL.canParse(address) ? new URL(address) : { hostname: '' };
  return hostname === host || hostname.endsWith(`.${host}`);
}

/** The services at which these calendars are, and whose secret is not set. */
function unconnected(calendars: Record<string, string>, env: Secrets) {
  return services.filter(
    ({ host, secret }) =>
      env[secret] === undefined && Object.values(calendars).some((address) => isAt(address, host)),
  );
}

/**
 * Whether webhooks count the calls of all these calendars, so that the reports of pages would be repetitions.
 * Of these services, only Cal.com also runs at other hosts.
 */
export const hasCallWebhooks = (calendars: Record<string, string>, env: Secrets): boolean =>
  Object.keys(calendars).length > 0 &&
  Object.values(calendars).every((address) =>
    isAt(address, services[0].host)
      ? env.CALENDLY_WEBHOOK_SECRET !== undefined
      : env.CAL_WEBHOOK_SECRET !== undefined,
  );

/** Advice for each service whose webhook is not connected. */
export const callSecretFindings = (calendars: Record<string, string>, env: Secrets): Finding[] =>
  unconnected(calendars, env).map(({ secret, name }) => ({
    kind: 'advice',
    where: secret,
    text: `is not set, so calls that visitors book at ${name} outside your page are not counted, nor cancellations. To connect it, see docs/owner.md (section 4).`,
  }));
