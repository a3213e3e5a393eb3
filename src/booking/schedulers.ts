import { serviceOf } from '../../server/contract/call-service.ts';
import { site } from '../../site.config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';

/** What can be booked, by the id of its dialog. */
export type BookingKind = 'strategy-call' | 'inbox-review';

/** The owner's calendar, or the page of this site. */
const addressOf = (kind: BookingKind, address: string) =>
  isPlaceholder(address) ? `/book/${kind}` : address;

/**
 * The copy of each booking dialog, and its calendar with the size in px or CSS that the provider
 * designed it for. `unframed` is the template variable that is set while the calendar refuses framing.
 */
export const bookings = {
  'strategy-call': {
    ...site.dialogs.strategyCall,
    address: addressOf('strategy-call', site.schedulers.strategyCall),
    service: serviceOf(site.schedulers.strategyCall),
    unframed: 'strategyCallUnframed',
    width: '100%',
    height: 560,
  },
  'inbox-review': {
    ...site.dialogs.inboxReview,
    address: addressOf('inbox-review', site.schedulers.inboxReview),
    service: serviceOf(site.schedulers.inboxReview),
    unframed: 'inboxReviewUnframed',
    width: 750,
    height: 560,
  },
} satisfies Record<
  BookingKind,
  { unframed: `${keyof typeof site.schedulers}Unframed` } & Record<string, unknown>
>;
