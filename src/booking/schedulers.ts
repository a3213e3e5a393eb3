import { serviceOf } from '../../server/contract/calls.ts';
import { site } from '../../site.config.ts';
import { isPlaceholder } from '../../site.placeholder.ts';

/** What can be booked, by the id of its dialog. */
export type BookingKind = 'strategy-call' | 'inbox-review';

/** The owner's calendar, or the page of this site. */
const addressOf = (kind: BookingKind, address: string) =>
  isPlaceholder(address) ? `/book/${kind}` : address;

/**
 * The copy of each booking dialog, and its calendar with the size in px or CSS that the provider
 * designed it for.
 */
export const bookings = {
  'strategy-call': {
    ...site.dialogs.strategyCall,
    address: addressOf('strategy-call', site.schedulers.strategyCall),
    service: serviceOf(site.schedulers.strategyCall),
    width: '100%',
    height: 560,
  },
  'inbox-review': {
    ...site.dialogs.inboxReview,
    address: addressOf('inbox-review', site.schedulers.inboxReview),
    service: serviceOf(site.schedulers.inboxReview),
    width: 750,
    height: 560,
  },
} satisfies Record<BookingKind, unknown>;
