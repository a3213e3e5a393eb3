/** An email as stored in the outbox. */
export interface Email {
  /** The visitor to whom it goes; undefined: the owner. Its id starts with `visitor-`. */
  to?: { name: string; address: string };
  /** To whom replies go. */
  replyTo?: { name: string; address: string };
  subject: string;
  /** The BCP 47 tag of what it says; undefined: English. */
  language?: string;
  /** Recipients still to be served after a partial delivery; undefined: all of them. */
  remaining?: string[];
  /** The content, from which plain text and HTML are rendered when the email is sent. */
  blocks: readonly Block[];
  /** A calendar file (iCalendar): with a method an invitation, without one an attachment. */
  calendar?: { method?: 'REQUEST' | 'CANCEL'; content: string };
}

/** An email with the id that makes queueing idempotent: an id is queued once. */
export interface OutboxEmail extends Email {
  /** Letters, digits, `.` and `-`. */
  id: string;
}

/**
 * A part of an email, without markup. Later versions send stored emails too, so a released kind must
 * stay.
 */
export type Block =
  /** The heading of the email, or of what follows. */
  | { kind: 'title' | 'heading'; text: string }
  /** A paragraph, in bold where it is what the reader looks for. Line breaks are kept. `isLink`: it is an address of the owner. */
  | { kind: 'text'; text: string; isStrong?: boolean; isLink?: boolean }
  /** What a visitor wrote. Where `isIndented`, its plain text cannot imitate other parts of the email. */
  | { kind: 'quote'; text: string; isIndented?: boolean }
  /** Who wrote what follows. */
  | ({ kind: 'sender' } & Person)
  /** Who wrote what precedes, and how the email came. */
  | ({ kind: 'signature'; note: string } & Person)
  /** Names with their values, each in one line. */
  | { kind: 'facts'; rows: readonly Fact[] }
  | { kind: 'figures'; rows: readonly Figure[] }
  | { kind: 'list'; items: readonly string[] }
  /** What the owner types into a terminal. */
  | { kind: 'command'; text: string }
  /** The only links of an email, apart from addresses. */
  | { kind: 'button'; label: string; url: string };

/** A visitor with an email address that the server has validated. */
interface Person {
  name: string;
  address: string;
}

export interface Fact {
  name: string;
  value: string;
  /** Whether the value is an email address that the server has validated. */
  isAddress?: boolean;
}

export interface Figure {
  name: string;
  value: string;
  /** What it is compared with. */
  note?: string;
  /** Its colour on the dashboard. */
  line?: 'blue' | 'red' | 'green';
}

/** Delivery state of an email. Times are milliseconds since 1970, UTC; show `error` to the owner only. */
export type Delivery =
  | { state: 'sent'; at: number }
  | { state: 'waiting'; dueAt: number; attempts: number; error: string | null }
  | { state: 'refused'; at: number; error: string | null };
