import { site } from '../../site.config.ts';

/** The two things that can be booked, by the id of their dialog. */
export type Booking = 'strategy-call' | 'inbox-review';

/** What each booking dialog says, and the calendar it shows at the size the calendar is made for. */
export const bookings = {
  'strategy-call': {
    ...site.dialogs.strategyCall,
    address: site.schedulers.strategyCall,
    width: '100%',
    height: 560,
  },
  'inbox-review': {
    ...site.dialogs.inboxReview,
    address: site.schedulers.inboxReview,
    width: 750,
    height: 560,
  },
} satisfies Record<Booking, unknown>;

/** Writes to the owner, with the subject already there. */
export const mailto = (subject: string) =>
  `mailto:${site.brand.email}?subject=${encodeURIComponent(subject)}`;
