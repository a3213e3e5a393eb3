import type { ReportedAct } from '../email/owner-notice.ts';

/** How many rows hold a person's data. */
export interface PersonCounts {
  messages: number;
  calls: number;
  /** Those of the calls that are booked and have not begun. */
  upcomingCalls: number;
  sales: number;
  stripeEvents: number;
}

type Row = Record<string, unknown>;

/** All data of a person. Times are ISO 8601. */
interface PersonFile {
  email: string;
  messages: Row[];
  bookings: Row[];
  sales: Row[];
  stripeEvents: Row[];
}

/** The services of the procedures `people.*`. */
export interface PeopleServices {
  people: {
    find(email: string): Promise<PersonCounts>;
    export(email: string): Promise<PersonFile>;
    /**
     * Erases a person from everything but backups; sales stay without the person. `actOn` makes the act for the owner's
     * log from the counts in words. Resolves with what was found, and whether the files of the database hold no trace
     * any more.
     */
    erase(
      email: string,
      actOn: (detail: string) => ReportedAct,
    ): Promise<{ found: PersonCounts; isWiped: boolean }>;
  };
}
