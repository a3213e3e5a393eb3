/** The calls that can be booked, by their names in addresses and responses. */
export const callNames = ['strategy-call', 'inbox-review'] as const;

export type CallName = (typeof callNames)[number];

/** The services whose webhooks count the calls of calendars elsewhere, with their hosts. */
const hosts = { calendly: ['calendly.com'], cal: ['cal.com', 'cal.eu'] } as const;

export type CallService = keyof typeof hosts;

/** Returns the service at which a calendar is, also below its hosts; undefined for any other address. */
export function serviceOf(address: string): CallService | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname } = new URL(address);
  const isAt = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return (['calendly', 'cal'] as const).find((service) => hosts[service].some(isAt));
}

/** What to do about calls to come, one or more, before the person who booked them is erased. */
export const upcomingInWords = (n: number): string =>
  `${n} of the calls ${n === 1 ? 'is' : 'are'} still to come: nobody tells them. Cancel ${n === 1 ? 'it' : 'them'} under Bookings first, so that they get an email.`;
