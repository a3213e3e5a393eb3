import type { UnframedVariable } from '../../server/contract/pages.ts';
import { site } from '../../site.config.ts';

/** What can be booked, by the id of its dialog. */
export type BookingKind = 'strategy-call' | 'inbox-review';

/**
 * The copy of each booking dialog, and its calendar with the size in px or CSS that the provider
 * designed it for. `unframed` is the template variable that is set while the calendar refuses framing.
 */
export const bookings = {
  'strategy-call': {
    ...site.dialogs.strategyCall,
    address: site.schedulers.strategyCall,
    unframed: 'strategyCallUnframed',
    width: '100%',
    height: 560,
  },
  'inbox-review': {
    ...site.dialogs.inboxReview,
    address: site.schedulers.inboxReview,
    unframed: 'inboxReviewUnframed',
    width: 750,
    height: 560,
  },
} satisfies Record<BookingKind, { unframed: UnframedVariable } & Record<string, unknown>>;

/** A `mailto:` URL to the owner with this subject. */
export const mailto = (subject: string) =>
  `mailto:${site.brand.email}?subject=${encodeURIComponent(subject)}`;
