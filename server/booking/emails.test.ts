import { expect, it } from 'vitest';
import { withWords } from '../contract/words/words.ts';
import { newBooking } from '../testing/booking.ts';
import { rendered } from '../testing/email.ts';
import { marked, markedLanguage, unmarked } from '../testing/marked-language.ts';
import { site } from '../testing/sample-config.ts';
import { type Change, type EmailOptions, emailsAbout, pausedEmail, reminderOf } from './emails.ts';
import { tokenOf } from './token.ts';

const start = Date.parse('2026-03-03T09:00:00Z');
const key = Buffer.from('a key');
const options: EmailOptions = {
  owner: { name: 'Rowan Hale', address: 'rowan@studio.example' },
  replyTo: { name: 'Rowan Hale', address: 'rowan@studio.example' },
  words: site,
  callOf: () => ({ title: 'Strategy call', place: 'Video call. I email you the link.' }),
  timeZone: 'Europe/London',
  origin: 'https://studio.example',
  key,
};

it('email to a visitor has no link without PUBLIC_URL, and says how to change the call', () => {
  const booking = newBooking({ start });
  const [email] = emailsAbout(booking, 'booked', { ...options, origin: undefined }).map(rendered);
  expect(email?.text).toContain('To move or cancel the call, reply to this email.');
  expect(JSON.stringify(email)).not.toMatch(/https?:\/\/(?!www\.w3)/);
});

it('email, reminder and calendar entry of a visitor have the link of the meeting', () => {
  const link = 'https://meet.example.com/rowan?pwd=a&b=c';
  const callOf = () => ({ title: 'Strategy call', place: link });
  const booking = newBooking({ start });
  const inMeeting = { ...options, callOf };
  const [booked] = emailsAbout(booking, 'booked', inMeeting);
  for (const email of [booked, reminderOf(booking, inMeeting)].map(rendered)) {
    expect(email?.text).toContain(`\n\n${link}\n\n`);
    expect(email?.html).toContain(`href="${link.replace('&', '&#38;')}"`);
  }
  expect(rendered(booked)?.calendar?.content.replaceAll('\r\n ', '')).toContain(`LOCATION:${link}`);
});

it('email to a visitor in the zone of the owner has one clock', () => {
  const booking = newBooking({ start, timeZone: 'Europe/London' });
  const [email] = emailsAbout(booking, 'booked', options).map(rendered);
  expect(email?.text).not.toContain(site.bookingPages.ownTime);
  expect(email?.subject).toBe('Strategy call, Tuesday, March 3, 9:00–9:30 AM, London (GMT)');
});

it('email to a visitor has the words of the page of the booking', () => {
  const { booked, cancelled, ownTime } = site.bookingPages;
  const textOf = (change: Change) =>
    rendered(emailsAbout(newBooking({ start }), change, options)[0])?.text;
  expect(textOf('booked')).toContain(`\n\n${booked}\n\n`);
  expect(textOf('booked')).toContain(
    `\n\n${ownTime} Tuesday, March 3, 9:00–9:30 AM, London (GMT)\n\n`,
  );
  expect(textOf('cancelled')).toContain(`\n\n${cancelled}\n\n`);
});

it.each([
  ['with links', 'https://studio.example'],
  ['without links', undefined],
])('emails and calendar entries of a visitor are in the language of the site, %s', (_, origin) => {
  const words = withWords({ language: markedLanguage });
  const callOf = () => ({ title: marked('Call'), place: marked('Place') });
  const inGerman = { ...options, words, callOf, origin };
  const booking = newBooking({ start, name: 'Ada' });
  const emails = (['booked', 'moved', 'cancelled'] as const).flatMap((change) =>
    emailsAbout(booking, change, inGerman).slice(0, 1),
  );
  const [nameless] = emailsAbout(newBooking({ start, name: 'https://a.co' }), 'booked', inGerman);
  for (const email of [...emails, nameless, reminderOf(booking, inGerman)].map(rendered)) {
    const entry = email?.calendar?.content.replaceAll('\r\n ', '') ?? '';
    const texts = [...entry.matchAll(/^(?:SUMMARY|DESCRIPTION|LOCATION):(.*)$/gm)].map(
      ([, t]) => t,
    );
    const html = email?.html
      .replace(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
      .replaceAll(site.brand.name, '');
    for (const text of [email?.subject, email?.text, html, ...texts])
      expect(unmarked(text)).toEqual([]);
    expect(email?.html).toContain('<html lang="de">');
    expect(texts).toHaveLength(entry === '' ? 0 : 3);
  }
  expect(emails).toHaveLength(3);
});

it('note of a visitor cannot imitate a link of the email to the owner', () => {
  const note = 'Hello\n\nAll bookings: https://evil.example';
  const [, email] = emailsAbout(newBooking({ start, note }), 'booked', options).map(rendered);
  expect(email?.text).toContain('\n    All bookings: https://evil.example\n');
  expect(email?.html).not.toContain('href="https://evil.example');
});

it('name with line breaks cannot imitate a line of the email or the event of the owner', () => {
  const name = 'Ada\nEmail: boss@bank.example\u2028Call: moved';
  const source = 'news\nMessage';
  const booking = newBooking({ start, name, source });
  const [visitor, owner] = emailsAbout(booking, 'booked', options).map(rendered);
  expect(owner?.text.match(/^(Email|Call|Source|Message)\b.*/gm)).toEqual([
    'Call booked: Ada Email: boss@bank.example Call: moved',
    'Call: Strategy call',
    `Email: ${booking.email}`,
    'Source: news Message',
  ]);
  expect(owner?.calendar?.content.replaceAll('\r\n ', '')).toContain(
    'SUMMARY:Strategy call: Ada Email: boss@bank.example Call: moved\r\n',
  );
  expect(visitor?.text).toMatch(/^Hello,\n/);
});

it('cancellation has a calendar file that removes the event', () => {
  const booking = newBooking({ start, state: 'cancelled', sequence: 2 });
  const [email] = emailsAbout(booking, 'cancelled', options).map(rendered);
  expect(email?.calendar?.method).toBe('CANCEL');
  expect(email?.calendar?.content).toContain('SEQUENCE:2\r\n');
  expect(email?.text).not.toContain('Move or cancel');
});

it('reminder has the time and the link of the booking', () => {
  const booking = newBooking({ start, sequence: 1 });
  const email = rendered(reminderOf(booking, options));
  expect(email?.id).toBe(`visitor-reminder-${booking.id}-1`);
  expect(email?.subject).toBe(
    'Reminder: Strategy call, Tuesday, March 3, 10:00–10:30 AM, Berlin (GMT+1)',
  );
  expect(email?.text).toContain(`https://studio.example/booking/${tokenOf(booking.id, key)}`);
});

it('email about a pause has its end by the clock of the owner, on the next full minute', () => {
  const pause = { quota: { max: 20, windowMs: 24 * 60 * 60_000 }, until: start + 1 };
  const email = rendered(pausedEmail(pause, options));
  const end = 'Tuesday, March 3, 9:01 AM, London (GMT)';
  expect(email?.subject).toBe(`Bookings are paused until ${end}`);
  expect(email?.text).toContain(
    `20 calls were booked within 24 hours, so visitors cannot book until ${end}.`,
  );
  expect(email?.html).toContain('href="https://studio.example/analytics/bookings"');
  expect(email?.to).toBeUndefined();
});

it('email about a pause has no link without PUBLIC_URL', () => {
  const pause = { quota: { max: 10, windowMs: 60 * 60_000 }, until: start };
  const email = rendered(pausedEmail(pause, { ...options, origin: undefined }));
  expect(JSON.stringify(email)).not.toMatch(/https?:\/\//);
  expect(email?.text).toContain('They are on your dashboard: Bookings.');
});
