/** For tests: bookings. */
import { randomUUID } from 'node:crypto';
import type { Booking } from '../booking/rows.ts';
import type { BookingStore } from '../booking/store.ts';

const half = 30 * 60_000;

/** A booking of half an hour with these changes. */
export function newBooking({ start, ...change }: Partial<Booking> & { start: number }): Booking {
  return {
    id: randomUUID(),
    call: 'strategy-call',
    start,
    end: start + half,
    gapMs: 0,
    state: 'booked',
    sequence: 0,
    createdAt: start,
    changedAt: start,
    name: 'Tom Okafor',
    email: 'tom@brightcourse.example',
    timeZone: 'Europe/Berlin',
    note: null,
    answers: {},
    ownerNote: null,
    source: 'newsletter',
    button: 'hero',
    ...change,
  };
}

/** Stores a booking without checks or emails. */
export const addBooking = (bookings: BookingStore, booking: Booking) =>
  bookings.book(booking, {
    idempotencyKey: booking.id,
    isFree: () => true,
    maxUpcoming: 1000,
    quotas: [],
    emails: () => [],
  });
