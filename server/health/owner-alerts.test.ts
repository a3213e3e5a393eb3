import { expect, it } from 'vitest';
import { createOwnerAlerts, inWords } from './owner-alerts.ts';

const day = 24 * 60 * 60_000;
const now = 100 * day;
const nothing = {
  storage: undefined,
  nightly: undefined,
  stripe: undefined,
  mail: undefined,
  webhooks: undefined,
  test: undefined,
  flood: undefined,
  spam: undefined,
  disk: undefined,
  calendars: undefined,
  paused: undefined,
  now,
};
const alertsOf = (state: Parameters<typeof createOwnerAlerts>[0]) =>
  inWords(createOwnerAlerts(state));
const mail = { waiting: 0, oldestWaiting: undefined, refused: 0 };

it('createOwnerAlerts returns null without alerts', () => {
  expect(alertsOf(nothing)).toBeNull();
  const waiting = { ...mail, waiting: 3, oldestWaiting: now - day + 1 };
  expect(alertsOf({ ...nothing, mail: waiting })).toBeNull();
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
    mail: { ...mail, refused: 2 },
  });
  expect(alerts).toMatch(
    /^A figure is wrong\. The last request to Stripe failed\. A payment differs .* Your mail server rejected 2 emails/,
  );
});

it('createOwnerAlerts reports emails that have waited a day', () => {
  const waiting = { ...mail, waiting: 1, oldestWaiting: now - day };
  expect(alertsOf({ ...nothing, mail: waiting })).toMatch(/has accepted no email for a day/);
});

it('createOwnerAlerts reports events that the webhook receiver rejected, or that have waited a day', () => {
  expect(
    alertsOf({ ...nothing, webhooks: { ...mail, waiting: 1, oldestWaiting: now } }),
  ).toBeNull();
  expect(alertsOf({ ...nothing, webhooks: { ...mail, refused: 2 } })).toMatch(
    /^The receiver of your webhooks rejected 2 events\./,
  );
  const waiting = { ...mail, waiting: 1, oldestWaiting: now - day };
  expect(alertsOf({ ...nothing, webhooks: waiting })).toMatch(/has waited for a day/);
});

it('createOwnerAlerts reports a storage error first', () => {
  expect(
    alertsOf({ ...nothing, storage: 'The disk is full.', nightly: 'A figure is wrong.' }),
  ).toBe('Nothing can be saved now. The disk is full. A figure is wrong.');
});

it('createOwnerAlerts reports a test email that has waited two hours', () => {
  const hour = day / 24;
  const test = { queuedAt: now - 2 * hour, error: 'EAUTH: Invalid login' };
  const fresh = { ...test, queuedAt: test.queuedAt + 1 };
  expect(alertsOf({ ...nothing, mail, test: fresh })).toBeNull();
  expect(alertsOf({ ...nothing, mail, test })).toMatch(
    /daily test email was not accepted\. Your mail server says: EAUTH: Invalid login\. Messages from visitors are saved/,
  );
  const waiting = { ...mail, waiting: 1, oldestWaiting: now - day };
  const old = { ...test, queuedAt: now - day };
  expect(alertsOf({ ...nothing, mail: waiting, test: old })).not.toMatch(/daily test email/);
});
