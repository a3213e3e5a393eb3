import { expect, it } from 'vitest';
import { createOwnerAlerts, inWords } from './owner-alerts.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const now = 100 * day;
const nothing = {
  storage: undefined,
  files: undefined,
  site: undefined,
  connections: undefined,
  recipients: undefined,
  nightly: undefined,
  stripe: undefined,
  mail: undefined,
  webhooks: undefined,
  flood: undefined,
  spam: undefined,
  deliveries: undefined,
  disk: undefined,
  calendars: undefined,
  paused: undefined,
  proxy: undefined,
  pictures: undefined,
  now,
};
const alertsOf = (state: Parameters<typeof createOwnerAlerts>[0]) =>
  inWords(createOwnerAlerts(state));

it('createOwnerAlerts returns null without alerts', () => {
  expect(alertsOf(nothing)).toBeNull();
});

it('createOwnerAlerts lists all alerts, wrong totals first', () => {
  const found = { differ: 2, differing: [], payments: 9, at: now };
  const sums = { gross: 0, refunded: 0, net: 0 };
  const stripe = {
    lastEventAt: undefined,
    reconciliation: { ...found, stripe: sums, ours: sums },
    alert: 'The last request to Stripe failed.',
  };
  const alerts = alertsOf({
    ...nothing,
    nightly: 'A figure is wrong.',
    stripe,
    mail: { count: 2, since: now - 3 * 60_000, error: null },
  });
  expect(alerts).toMatch(
    /^A figure is wrong\.\nThe last request to Stripe failed\.\nA payment differs .*\n2 emails could not be sent for 3 minutes\./,
  );
});

it.each([
  [7 * minute, '7 minutes'],
  [60 * minute, '1 hour'],
  [day - 1, '23 hours'],
  [day, '1 day'],
  [9 * day, '9 days'],
])('createOwnerAlerts says for how long an email could not be sent: %i ms', (age, words) => {
  const error = 'EAUTH: Invalid login: 535-5.7.8 Call +1 555 0100';
  const overdue = { count: 1, since: now - age, error };
  expect(alertsOf({ ...nothing, mail: overdue })).toBe(
    `An email could not be sent for ${words}. The mail server rejects the user or the password. ` +
      'Copy both again from your provider. The last result: EAUTH 535 5.7.8. ' +
      'Each is tried again by itself. Messages and calls are saved: read them under Messages and Bookings.',
  );
});

it('createOwnerAlerts says what the receiver of the webhooks answers', () => {
  const overdue = { count: 2, since: now - day, error: 'HTTP 500' };
  expect(alertsOf({ ...nothing, webhooks: overdue })).toBe(
    '2 events could not be delivered to the receiver of your webhooks for 1 day. The last result: HTTP 500. ' +
      'Check its address, and whether it is running. ' +
      'Each is tried again by itself.',
  );
});

it('createOwnerAlerts does not promise another try to a receiver of the webhooks that is gone', () => {
  const overdue = { count: 1, since: now - day, error: 'HTTP 410' };
  expect(alertsOf({ ...nothing, webhooks: overdue })).toBe(
    'An event could not be delivered to the receiver of your webhooks for 1 day. ' +
      'The receiver said it is gone (410). Correct or remove its address.',
  );
});

it('createOwnerAlerts reports a storage error first', () => {
  expect(
    alertsOf({ ...nothing, storage: 'The disk is full.', nightly: 'A figure is wrong.' }),
  ).toBe('Nothing can be saved now. The disk is full.\nA figure is wrong.');
});
