/** Calendar files in the iCalendar format (RFC 5545), also as invitations of an email (RFC 5546). */
import { inLine, inLines } from '../text/printable.ts';

export interface Person {
  name: string;
  address: string;
}

/** An event of a calendar. Times are milliseconds since 1970, UTC. */
export interface CalendarEvent {
  /** Never changes: calendars recognize the event by it. */
  uid: string;
  /** Increases with each change: calendars ignore an older version. */
  sequence: number;
  /** When this version was made. */
  changedAt: number;
  start: number;
  end: number;
  summary: string;
  description: string;
  location: string;
  organizer?: Person;
  /** A guest who has already accepted. */
  attendee?: Person;
  isCancelled?: boolean;
}

/**
 * Returns a calendar file. `method` makes it an invitation; without it, programs add the events as the
 * owner's own.
 */
export function icsOf(events: readonly CalendarEvent[], method?: 'REQUEST' | 'CANCEL'): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Shingle//Bookings//EN',
    ...(method ? [`METHOD:${method}`] : []),
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
    '',
  ]
    .map(folded)
    .join('\r\n');
}

const linesOf = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${text(event.uid)}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${time(event.changedAt)}`,
  `DTSTART:${time(event.start)}`,
  `DTEND:${time(event.end)}`,
  `SUMMARY:${text(inLine(event.summary))}`,
  `DESCRIPTION:${text(event.description)}`,
  ...(event.location ? [`LOCATION:${text(event.location)}`] : []),
  ...(event.organizer ? [`ORGANIZER;${person(event.organizer)}`] : []),
  // Without RSVP=FALSE, mail programs ask guests who chose the time whether they accept it.
  ...(event.attendee ? [`ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE;${person(event.attendee)}`] : []),
  `STATUS:${event.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
  'END:VEVENT',
];

/** `20260302T090000Z` */
const time = (at: number) => `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

/** A text value (RFC 5545, 3.3.11), without control characters. */
const text = (value: string) =>
  inLines(value)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');

/** A parameter cannot hold a double quote (RFC 5545, 3.2), and few programs know the escape of RFC 6868. */
const person = ({ name, address }: Person) =>
  `CN="${inLine(name).replaceAll('"', ' ').trim()}":mailto:${inLine(address).replaceAll(' ', '')}`;

/** Maximum octets of a line (RFC 5545, 3.1). */
const maxOctets = 75;

/** Folds a line between characters, so that no UTF-8 sequence is split. */
function folded(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > maxOctets) {
      lines.push(current);
      [current, octets] = [' ', 1];
    }
    current += character;
    octets += length;
  }
  return [...lines, current].join('\r\n');
}
