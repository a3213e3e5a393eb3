import { expect, it } from 'vitest';
import { isBooking } from './provider-message.ts';

const frame = { src: 'https://calendar.test/rowan/call', contentWindow: window };
const other = document.createElement('iframe');
other.srcdoc = 'Another window';
document.body.append(other);

const message = (init: Partial<MessageEventInit>) =>
  new MessageEvent('message', {
    source: frame.contentWindow,
    origin: 'https://calendar.test',
    data: { event: 'calendly.event_scheduled' },
    ...init,
  });

it.each([
  { event: 'calendly.event_scheduled', payload: {} },
  { originator: 'CAL', type: 'bookingSuccessful', data: {} },
  { originator: 'CAL', type: 'bookingSuccessfulV2', data: {} },
])('isBooking is true for the message %j', (data) => {
  expect(isBooking(message({ data }), frame)).toBe(true);
});

it.each([
  ['another origin', { origin: 'https://calendar.test.evil.test' }],
  ['the same host over http', { origin: 'http://calendar.test' }],
  ['another window', { source: other.contentWindow }],
  ['no window', { source: null }],
])('isBooking is false for a message from %s', (_, init) => {
  expect(isBooking(message(init), frame)).toBe(false);
});

it.each([
  undefined,
  null,
  'calendly.event_scheduled',
  7,
  {},
  { event: 'other.thing' },
  { event: 'calendly.event_type_viewed' },
  { originator: 'CAL', type: 'linkReady' },
  { event: 7 },
  { originator: 'CAL' },
  { originator: 'CAL', type: 7 },
  { type: 'bookingSuccessful' },
])('isBooking is false for the message %j', (data) => {
  expect(isBooking(message({ data }), frame)).toBe(false);
});
