/**
 * The emails about a booking: to the visitor an invitation with a calendar file, to the owner the same
 * times with what the visitor wrote. They are functions of the booking's row.
 */

import type { CallName } from '../contract/calls.ts';
import {
  dateInWords,
  isSameClock,
  spanInWords,
  timeInWords,
  zoneInWords,
} from '../contract/times.ts';
import { fillWords, type SiteWords } from '../contract/words/words.ts';
import type { Block, Email, OutboxEmail } from '../email/email.ts';
import { safeName } from '../text/safe-name.ts';
import { hourMs, minuteMs } from '../time/units.ts';
import { linkOf } from './calls.ts';
import { type CalendarEvent, icsOf, type Person } from './ics.ts';
import type { Pause } from './pause.ts';
import { type Booking, visitorEmailId } from './rows.ts';
import { tokenOf } from './token.ts';

/** What the emails say beside the booking. */
export interface EmailOptions {
  /** The owner: the sender of the emails, and the organizer in calendars. */
  owner: Person;
  /** Where replies of visitors go. */
  replyTo: Person;
  /** The name and the place of a call. */
  callOf: (name: CallName) => { title: string; place: string };
  /** The words of the visitor's emails. */
  words: SiteWords;
  /** Time zone of the owner. */
  timeZone: string;
  /** PUBLIC_URL. Without it emails have no links, since clients can invent other hosts. */
  origin: string | undefined;
  /** Signs the links. */
  key: Buffer;
}

/** What became of a booking. */
export type Change = 'booked' | 'moved' | 'cancelled';

/** The emails about a change, to the visitor and to the owner. */
export const emailsAbout = (
  booking: Booking,
  change: Change,
  options: EmailOptions,
): OutboxEmail[] => [toVisitor(booking, change, options), toOwner(booking, change, options)];

/** The reminder of a call on the day before. */
export function reminderOf(booking: Booking, options: EmailOptions): OutboxEmail {
  const { emails, language } = options.words;
  const { title } = options.callOf(booking.call);
  const when = whenOf(booking, options);
  return {
    id: `visitor-reminder-${booking.id}-${booking.sequence}`,
    to: { name: safeName(booking.name) ?? '', address: booking.email },
    replyTo: options.replyTo,
    language,
    subject: fillWords(emails.reminderSubject, { call: title, when }),
    blocks: [
      greeting(booking, options),
      text(fillWords(emails.reminder, { when })),
      ...details(booking, options),
    ],
  };
}

/** The email to the owner about a pause of bookings. It holds nothing that a visitor typed. */
export const pausedEmail = (
  pause: Pause,
  { timeZone, origin }: Pick<EmailOptions, 'timeZone' | 'origin'>,
): Email => ({
  subject: `Bookings are paused until ${endOf(pause, timeZone)}`,
  blocks: [
    text(pausedSentence(pause, timeZone)),
    text(
      'Until then the page asks visitors to email you. Booked calls stay booked, and the pause ends by itself.',
    ),
    text(
      'If these calls are not genuine, cancel them: that frees their times, but does not shorten the pause.',
    ),
    origin === undefined ? text('They are on your dashboard: Bookings.') : allBookings(origin),
  ],
});

/** What the owner should know about a pause of bookings. */
export function pausedSentence(pause: Pause, timeZone: string): string {
  const { max, windowMs } = pause.quota;
  const hours = windowMs === hourMs ? 'an hour' : `${windowMs / hourMs} hours`;
  return `${max} calls were booked within ${hours}, so visitors cannot book until ${endOf(pause, timeZone)}.`;
}

/** The end of a pause in words, on the next full minute: no visitor can book before. */
function endOf({ until }: Pause, timeZone: string): string {
  const at = Math.ceil(until / minuteMs) * minuteMs;
  return [dateInWords(at, timeZone), timeInWords(at, timeZone), zoneInWords(at, timeZone)].join(
    ', ',
  );
}

/** The calendar event of a booking. */
export function eventOf(
  booking: Booking,
  options: Pick<EmailOptions, 'callOf' | 'words' | 'origin' | 'key'> & { owner?: Person },
): CalendarEvent {
  const { owner } = options;
  const { title, place } = options.callOf(booking.call);
  const address = addressOf(booking, options);
  return {
    uid: `booking-${booking.id}`,
    sequence: booking.sequence,
    changedAt: booking.changedAt,
    start: booking.start,
    end: booking.end,
    summary: title,
    description: address === undefined ? '' : `${options.words.emails.change}: ${address}`,
    location: place,
    isCancelled: booking.state === 'cancelled',
    ...(owner && {
      organizer: owner,
      attendee: { name: safeName(booking.name) ?? booking.email, address: booking.email },
    }),
  };
}

const headlineOf = (change: Change, { bookingPages, emails }: SiteWords) =>
  ({ booked: bookingPages.booked, moved: emails.moved, cancelled: bookingPages.cancelled })[change];

/** The time of a call in the visitor's words. */
const whenOf = ({ start, end, timeZone }: Booking, { words }: EmailOptions) =>
  spanInWords(start, end, timeZone, words.language);

function toVisitor(booking: Booking, change: Change, options: EmailOptions): OutboxEmail {
  const { title } = options.callOf(booking.call);
  const when = whenOf(booking, options);
  const method = change === 'cancelled' ? 'CANCEL' : 'REQUEST';
  return {
    id: visitorEmailId(booking),
    to: { name: safeName(booking.name) ?? '', address: booking.email },
    replyTo: options.replyTo,
    language: options.words.language,
    // The same words each time: Exchange names the visitor's appointment after the subject.
    subject: `${title}, ${when}`,
    calendar: { method, content: icsOf([eventOf(booking, options)], method) },
    blocks: [
      greeting(booking, options),
      { kind: 'title', text: headlineOf(change, options.words) },
      { kind: 'text', text: when, isStrong: true },
      ...ownersClock(booking, options),
      ...(change === 'cancelled' ? [] : details(booking, options)),
    ],
  };
}

function toOwner(booking: Booking, change: Change, options: EmailOptions): OutboxEmail {
  const { title } = options.callOf(booking.call);
  const when = spanInWords(booking.start, booking.end, options.timeZone);
  const { id, sequence, name, email, source, note } = booking;
  return {
    id: `booking-${id}-${sequence}`,
    replyTo: { name, address: email },
    subject: `Call ${change}: ${name}, ${when}`,
    // Not an invitation: the organizer of an event is not invited to it.
    calendar: { content: icsOf([{ ...eventOf(booking, options), summary: `${title}: ${name}` }]) },
    // The names are those of the owner's screen.
    blocks: [
      { kind: 'title', text: `Call ${change}: ${name}` },
      { kind: 'text', text: when, isStrong: true },
      {
        kind: 'facts',
        rows: [
          { name: `For ${name}`, value: spanInWords(booking.start, booking.end, booking.timeZone) },
          { name: 'Call', value: title },
          { name: 'Email', value: email, isAddress: true },
          { name: 'Source', value: source ?? 'Direct' },
        ],
      },
      ...(note
        ? [
            { kind: 'heading' as const, text: 'Message' },
            { kind: 'quote' as const, text: note, isIndented: true },
          ]
        : []),
      ...(options.origin === undefined ? [] : [allBookings(options.origin)]),
    ],
  };
}

/** The address of the booking's page. */
const addressOf = ({ id }: Booking, { origin, key }: Pick<EmailOptions, 'origin' | 'key'>) =>
  origin && `${origin}/booking/${tokenOf(id, key)}`;

/** Where the call is, and how to move or cancel it. */
function details(booking: Booking, options: EmailOptions): Block[] {
  const url = addressOf(booking, options);
  const { place } = options.callOf(booking.call);
  return [
    linkOf(place) === undefined ? text(place) : { kind: 'text', text: place, isLink: true },
    url === undefined
      ? text(options.words.emails.reply)
      : { kind: 'button', label: options.words.emails.change, url },
  ];
}

/** The time by the owner's clock, where it differs from the visitor's. */
function ownersClock({ start, end, timeZone }: Booking, options: EmailOptions): Block[] {
  if (isSameClock(start, timeZone, options.timeZone)) return [];
  const { bookingPages, language } = options.words;
  return [text(`${bookingPages.ownTime} ${spanInWords(start, end, options.timeZone, language)}`)];
}

const greeting = ({ name }: Booking, { words: { emails } }: EmailOptions): Block => {
  const safe = safeName(name);
  return text(
    safe === undefined ? emails.greeting : fillWords(emails.greetingByName, { name: safe }),
  );
};

const text = (sentence: string): Block => ({ kind: 'text', text: sentence });

const allBookings = (origin: string): Block => ({
  kind: 'button',
  label: 'All bookings',
  url: `${origin}/analytics/bookings`,
});
