/**
 * Hosts of those who take payments and bookings. Whoever comes back from there was here before: they
 * are the end of a way, never its beginning.
 */
const passages = [
  'stripe.com',
  'stripe.network',
  'paypal.com',
  'calendly.com',
  'cal.com',
  'tidycal.com',
];

/** Whether `host` is one of them, or one of `own`: our own and those the owner has configured. */
export const isPassage = (host: string, own: readonly string[]): boolean =>
  [...passages, ...own].some((end) => host === end || host.endsWith(`.${end}`));
