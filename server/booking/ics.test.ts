import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { inLine, inLines } from '../text/printable.ts';
import { type CalendarEvent, icsOf } from './ics.ts';

const event = (changes: Partial<CalendarEvent> = {}): CalendarEvent => ({
  uid: 'booking-1@studio.example',
  sequence: 0,
  changedAt: Date.parse('2026-03-01T08:00:00Z'),
  start: Date.parse('2026-03-03T09:00:00Z'),
  end: Date.parse('2026-03-03T09:30:00Z'),
  summary: 'Strategy call',
  description: 'Move or cancel: https://studio.example/booking/1',
  location: 'I call you.',
  ...changes,
});

const parsed = (file: string) => {
  const calendar = new ICAL.Component(ICAL.parse(file));
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
};

describe('calendar files', () => {
  it('an invitation names its organizer and a guest who has accepted', () => {
    const file = icsOf(
      [
        event({
          organizer: { name: 'Mara Studio', address: 'mara@studio.example' },
          attendee: { name: 'Ada "Countess" Lovelace', address: 'ada@guest.example' },
        }),
      ],
      'REQUEST',
    );
    expect(file).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Shingle//Bookings//EN',
        'METHOD:REQUEST',
        'BEGIN:VEVENT',
        'UID:booking-1@studio.example',
        'SEQUENCE:0',
        'DTSTAMP:20260301T080000Z',
        'DTSTART:20260303T090000Z',
        'DTEND:20260303T093000Z',
        'SUMMARY:Strategy call',
        'DESCRIPTION:Move or cancel: https://studio.example/booking/1',
        'LOCATION:I call you.',
        'ORGANIZER;CN="Mara Studio":mailto:mara@studio.example',
        'ATTENDEE;PARTSTAT=ACCEPTED;RSVP=FALSE;CN="Ada  Countess  Lovelace":mailto:a',
        ' da@guest.example',
        'STATUS:CONFIRMED',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  it('a cancelled event says so', () => {
    const file = icsOf([event({ isCancelled: true, sequence: 2 })], 'CANCEL');
    expect(file).toContain('\r\nMETHOD:CANCEL\r\n');
    expect(file).toContain('\r\nSTATUS:CANCELLED\r\n');
    expect(file).toContain('\r\nSEQUENCE:2\r\n');
  });

  it('an event without a place has no location', () => {
    expect(icsOf([event({ location: '' })])).not.toContain('LOCATION');
  });

  it('a calendar file holds several events', () => {
    const [first, second] = parsed(icsOf([event(), event({ uid: 'booking-2' })]));
    expect([first?.uid, second?.uid]).toEqual(['booking-1@studio.example', 'booking-2']);
  });

  it('any text arrives unchanged and adds no property', () => {
    const text = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom(...';,\\:"\n\r\tä😀 NB') }));
    fc.assert(
      fc.property(text, text, text, (summary, description, name) => {
        const file = icsOf([
          event({ summary, description, attendee: { name, address: 'a@b.example' } }),
        ]);
        const [read] = parsed(file);
        expect(read?.summary).toBe(inLine(summary));
        expect(read?.description).toBe(inLines(description));
        expect(read?.component.getAllProperties().map((one) => one.name)).toEqual([
          'uid',
          'sequence',
          'dtstamp',
          'dtstart',
          'dtend',
          'summary',
          'description',
          'location',
          'attendee',
          'status',
        ]);
        expect(read?.startDate.toJSDate()).toEqual(new Date('2026-03-03T09:00:00Z'));
        for (const line of file.split('\r\n'))
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
        expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      }),
      { numRuns: process.env.TEST_LONG ? 20_000 : 150 },
    );
  });
});
