import { expect, it } from 'vitest';
import { providerEvent } from './provider-message.ts';

const frame = { src: 'https://calendar.test/rowan/call', contentWindow: window };
const other = document.createElement('iframe');
other.srcdoc = 'Another window';
document.body.append(other);

const message = (init: Partial<MessageEventInit>) =>
  new MessageEvent('message', {
    source: frame.contentWindow,
    origin: 'https://calendar.test',
    data: { event: 'calendly.event_type_viewed' },
    ...init,
  });

it.each([
  [{ event: 'calendly.event_scheduled', payload: {} }, 'calendly.event_scheduled'],
  [{ originator: 'CAL', type: '__iframeReady', data: {} }, '__iframeReady'],
])('providerEvent returns the event of a calendar’s message: %j', (data, name) => {
  expect(providerEvent(message({ data }), frame)).toBe(name);
});

it.each([
  ['another origin', { origin: 'https://calendar.test.evil.test' }],
  ['the same host over http', { origin: 'http://calendar.test' }],
  ['another window', { source: other.contentWindow }],
  ['no window', { source: null }],
])('providerEvent ignores a message from %s', (_, init) => {
  expect(providerEvent(message(init), frame)).toBeUndefined();
});

it.each([
  undefined,
  null,
  'calendly.event_scheduled',
  7,
  {},
  { event: 'other.thing' },
  { event: 7 },
  { originator: 'CAL' },
  { originator: 'CAL', type: 7 },
  { type: 'linkReady' },
])('providerEvent returns undefined for the data %j', (data) => {
  expect(providerEvent(message({ data }), frame)).toBeUndefined();
});
