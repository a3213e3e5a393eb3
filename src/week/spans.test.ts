import { expect, test } from 'vitest';
import {
  changed,
  dayHoursInWords,
  drawn,
  hoursOf,
  nameOf,
  nextSpan,
  rangeOf,
  shownPart,
  spansOf,
  withSpan,
} from './spans.ts';

/** A span of whole and half hours. */
const span = (from: number, to: number) => ({ from: from * 60, to: to * 60 });

test('ranges are spans in order, with those joined that overlap or touch', () => {
  expect(spansOf(['14:00-16:30', '10:00-12:30', '12:30-13:00', '15:00-15:30'])).toEqual([
    span(10, 13),
    span(14, 16.5),
  ]);
  expect(spansOf(['22:00-24:00'])).toEqual([span(22, 24)]);
});

test.each(['soon', '10:00-', '12:00-10:00', '10:00-10:00', '10:75-12:00', '23:00-25:00'])(
  '%s is no span',
  (range) => expect(spansOf([range])).toEqual([]),
);

test('a span is written as the document has it', () => {
  expect(rangeOf(span(9, 12.5))).toBe('09:00-12:30');
  expect(rangeOf(span(0, 24))).toBe('00:00-24:00');
});

test('a new span joins what it overlaps, and replaces the one it was made from', () => {
  const day = [span(10, 12), span(14, 16)];
  expect(withSpan(day, span(11, 15))).toEqual([span(10, 16)]);
  expect(withSpan(day, span(17, 19), span(14, 16))).toEqual([span(10, 12), span(17, 19)]);
});

test('drawing snaps to 15 minutes in both directions and stays in the day', () => {
  expect(drawn(602, 683)).toEqual({ from: 600, to: 690 });
  expect(drawn(683, 602)).toEqual({ from: 600, to: 690 });
  expect(drawn(1300, 2000)).toEqual({ from: 1305, to: 1440 });
  expect(drawn(600, 605)).toBeUndefined();
});

test.each([
  ['from', -15, { from: 585, to: 720 }],
  ['from', 600, { from: 705, to: 720 }],
  ['to', 15, { from: 600, to: 735 }],
  ['to', -600, { from: 600, to: 615 }],
  ['to', 6000, { from: 600, to: 1440 }],
  ['both', 60, { from: 660, to: 780 }],
  ['both', -6000, { from: 0, to: 120 }],
  ['both', 6000, { from: 1320, to: 1440 }],
] as const)('10:00 to 12:00 with %s %d minutes later is in the day', (part, minutes, expected) => {
  expect(changed(span(10, 12), part, minutes)).toEqual(expected);
});

test('what is added without a time comes after the last span', () => {
  expect(nextSpan([])).toEqual(span(10, 12));
  expect(nextSpan([span(10, 12.5)])).toEqual(span(13, 15));
  expect(nextSpan([span(22, 24)])).toEqual(span(21, 23));
});

test('8 to 20 is shown, or more where the hours need it', () => {
  expect(shownPart({})).toEqual(span(8, 20));
  expect(shownPart({ monday: ['06:30-07:00'], sunday: ['20:00-21:15'] })).toEqual(span(6, 22));
});

test('the hours of a week count what overlaps once', () => {
  expect(hoursOf({ monday: ['10:00-12:30', '12:00-13:00'], tuesday: ['soon'] })).toBe(3);
  expect(hoursOf()).toBe(0);
});

test('a span has a name, and a day a short text', () => {
  expect(nameOf('tuesday', span(10, 12.5))).toBe('Tuesday 10:00 AM to 12:30 PM');
  expect(dayHoursInWords(['10:00-12:30', '14:00-16:30'])).toBe('10:00–12:30, 2:00–4:30');
  expect(dayHoursInWords([])).toBe('Closed');
});
