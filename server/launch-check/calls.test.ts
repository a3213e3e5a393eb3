import { expect, it } from 'vitest';
import { serviceOf } from '../contract/calls.ts';
import { callSecretFindings, hasCallWebhooks } from './calls.ts';

const none = { CALENDLY_WEBHOOK_SECRET: undefined, CAL_WEBHOOK_SECRET: undefined };
const calendars = {
  strategyCall: 'https://calendly.com/ada/call',
  inboxReview: 'https://app.cal.com/ada/review',
};

it('launch check advises the secret of each service that has a calendar', () => {
  const both = { CALENDLY_WEBHOOK_SECRET: ['a'], CAL_WEBHOOK_SECRET: ['b'] };
  const settings = (env: Parameters<typeof callSecretFindings>[1], subject = calendars) =>
    callSecretFindings(subject, env).map(({ where }) => where);
  expect(settings(none)).toEqual(['CALENDLY_WEBHOOK_SECRET', 'CAL_WEBHOOK_SECRET']);
  expect(settings({ ...none, CAL_WEBHOOK_SECRET: ['b'] })).toEqual(['CALENDLY_WEBHOOK_SECRET']);
  expect(settings(both)).toEqual([]);
  const others = { strategyCall: 'https://tidycal.com/ada', inboxReview: '' };
  expect(settings(none, others)).toEqual([]);
});

it('webhooks count the calls once no service with a calendar lacks its secret', () => {
  const cal = { ...none, CAL_WEBHOOK_SECRET: ['b'] };
  expect(hasCallWebhooks(calendars, none)).toBe(false);
  expect(hasCallWebhooks(calendars, cal)).toBe(false);
  expect(hasCallWebhooks({}, cal)).toBe(false);
  const both = { CALENDLY_WEBHOOK_SECRET: ['a'], CAL_WEBHOOK_SECRET: ['b'] };
  expect(hasCallWebhooks(calendars, both)).toBe(true);
  expect(hasCallWebhooks({ strategyCall: 'https://app.cal.eu/ada' }, both)).toBe(true);
});

it.each(['tidycal.com', 'savvycal.com', 'cal.my-domain.com', 'calendar.google.com'])(
  'webhooks do not count the calls of a calendar at %s, and no visit is passed on to it',
  (host) => {
    const address = `https://${host}/ada`;
    const cal = { ...none, CAL_WEBHOOK_SECRET: ['b'] };
    expect(serviceOf(address)).toBeUndefined();
    expect(hasCallWebhooks({ strategyCall: address }, cal)).toBe(false);
    expect(hasCallWebhooks({ strategyCall: 'https://cal.com/a', other: address }, cal)).toBe(false);
  },
);
