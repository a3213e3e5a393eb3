/** Finds, exports and erases the data of one person, for the owner's screens and commands. */
import { withIsoTimes } from '../booking/rows.ts';
import { pluralize } from '../contract/numbers.ts';
import type { PeopleServices, PersonCounts } from '../people/services.ts';
import type { Stores } from '../stores/stores.ts';
import { addressForms } from '../text/email-address.ts';

type PersonStores = Pick<
  Stores,
  'contact' | 'bookings' | 'analytics' | 'payments' | 'sales' | 'auth' | 'wipeDeletedRows'
>;

/** `now`: ms since 1970. */
export function createPeople(
  stores: PersonStores,
  { now }: { now: () => number },
): PeopleServices['people'] {
  const { contact, bookings, analytics, payments, sales, auth } = stores;

  /** The rows of all forms of the address. */
  const rowsOf = async (email: string) => {
    const ofAll = async <Row extends { id: string }>(find: (form: string) => Promise<Row[]>) => {
      const found = new Map<string, Row>();
      for (const form of addressForms(email)) {
        for (const row of await find(form)) found.set(row.id, row);
      }
      return [...found.values()];
    };
    return {
      messages: await ofAll(contact.from),
      bookings: await ofAll(bookings.of),
      sales: await ofAll(analytics.salesTo),
      stripeEvents: await ofAll(payments.eventsOf),
    };
  };

  const find = async (email: string): Promise<PersonCounts> => {
    const { messages, bookings, sales, stripeEvents } = await rowsOf(email);
    return {
      messages: messages.length,
      calls: bookings.length,
      upcomingCalls: bookings.filter(({ state, start }) => state === 'booked' && start > now())
        .length,
      sales: sales.length,
      stripeEvents: stripeEvents.length,
    };
  };

  return {
    find,

    async export(email) {
      const { messages, bookings, sales, stripeEvents } = await rowsOf(email);
      return {
        email,
        messages: messages.map(withIsoTime('receivedAt')),
        bookings: bookings.map(withIsoTimes),
        sales: sales.map(withIsoTime('at')),
        stripeEvents,
      };
    },

    async erase(email, actOn) {
      const found = await find(email);
      // Before the erasure, so that none is missing in the log.
      await auth.logAct(actOn(countsInWords(found) ?? 'no data found'));
      // Also without any row: source names may hold the address.
      for (const form of addressForms(email)) {
        await contact.erase(form);
        await bookings.erase(form);
        await payments.erase(form);
        await sales.eraseBuyer(form);
      }
      return { found, isWiped: await stores.wipeDeletedRows() };
    },
  };
}

/** The counts in words; undefined when all are zero. */
export function countsInWords(counts: PersonCounts): string | undefined {
  if (Object.values(counts).every((n) => n === 0)) return undefined;
  const { messages, calls, sales, stripeEvents } = counts;
  return `${pluralize(messages, 'message')}, ${pluralize(calls, 'booking')}, ${pluralize(sales, 'sale')} and ${pluralize(stripeEvents, 'Stripe event')}`;
}

/** Replaces the time in a field by its ISO 8601 text. */
const withIsoTime =
  <Name extends string>(name: Name) =>
  <Row extends Record<Name, number>>(row: Row) => ({
    ...row,
    [name]: new Date(row[name]).toISOString(),
  });
