import type { UnframedVariable } from '../../server/contract/pages.ts';
import { site } from '../../site.config.ts';

/** The two things that can be booked, by the id of their dialog. */
export type Booking = 'strategy-call' | 'inbox-review';

/**
 * What each booking dialog says, and the calendar it shows at the size the calendar is made for.
 * `unframed` is the slot that has a value while the calendar refuses to be shown in a frame.
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
} satisfies Record<Booking, { unframed: UnframedVariable } & Record<string, unknown>>;

/** Writes to the owner, with the subject already there. */
export const mailto = (subject: string) =>
  `mailto:${site.brand.email}?subject=${encodeURIComponent(subject)}`;
