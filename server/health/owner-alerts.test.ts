import { expect, it } from 'vitest';
import { createOwnerAlerts } from './owner-alerts.ts';

const day = 24 * 60 * 60_000;
const now = 100 * day;
const nothing = {
  storage: undefined,
  nightly: undefined,
  stripe: undefined,
  mail: undefined,
  test: undefined,
  flood: undefined,
  spam: undefined,
  disk: undefined,
  now,
};
const mail = { waiting: 0, oldestWaiting: undefined, refused: 0 };

it('is null while all is well', () => {
  expect(createOwnerAlerts(nothing)).toBeNull();
  const waiting = { ...mail, waiting: 3, oldestWaiting: now - day + 1 };
  expect(createOwnerAlerts({ ...nothing, mail: waiting })).toBeNull();
});

it('says all that is wrong, the figures first', () => {
  const found = { differ: 2, differing: [], payments: 9, at: now };
  const sums = { gross: 0, refunded: 0, net: 0 };
  const stripe = {
    lastEventAt: undefined,
    reconciliation: { ...found, stripe: sums, ours: sums },
    alert: 'Stripe could not be asked.',
  };
  const said = createOwnerAlerts({
    ...nothing,
    nightly: 'A figure is wrong.',
    stripe,
    mail: { ...mail, refused: 2 },
  });
  expect(said).toMatch(
    /^A figure is wrong\. Stripe could not be asked\. Stripe and this site .* Your mail server refuses 2 letters/,
  );
});

it('speaks of letters that wait for a day', () => {
  const waiting = { ...mail, waiting: 1, oldestWaiting: now - day };
  expect(createOwnerAlerts({ ...nothing, mail: waiting })).toMatch(/has taken no letter for a day/);
});

it('says first of all that nothing can be kept', () => {
  expect(
    createOwnerAlerts({ ...nothing, storage: 'The disk is full.', nightly: 'A figure is wrong.' }),
  ).toBe('Nothing can be kept now. The disk is full. A figure is wrong.');
});

it('speaks of a daily test that has not come through in two hours', () => {
  const hour = day / 24;
  const test = { queuedAt: now - 2 * hour, error: 'EAUTH: Invalid login' };
  const fresh = { ...test, queuedAt: test.queuedAt + 1 };
  expect(createOwnerAlerts({ ...nothing, mail, test: fresh })).toBeNull();
  expect(createOwnerAlerts({ ...nothing, mail, test })).toMatch(
    /daily test .* has not come through\. It says: EAUTH: Invalid login\. What visitors write is kept/,
  );
  const waiting = { ...mail, waiting: 1, oldestWaiting: now - day };
  const old = { ...test, queuedAt: now - day };
  expect(createOwnerAlerts({ ...nothing, mail: waiting, test: old })).not.toMatch(/daily test/);
});
