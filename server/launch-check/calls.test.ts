import { expect, it } from 'vitest';
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
  expect(hasCallWebhooks({ strategyCall: 'https://cal.my-domain.com/ada' }, cal)).toBe(true);
  expect(hasCallWebhooks({}, cal)).toBe(false);
  const calendly = { ...none, CALENDLY_WEBHOOK_SECRET: ['a'] };
  const ownHost = { strategyCall: 'https://calendly.com/ada', inboxReview: 'https://cal.my.com/a' };
  expect(hasCallWebhooks(ownHost, calendly)).toBe(false);
  expect(hasCallWebhooks(ownHost, { ...calendly, ...cal, CALENDLY_WEBHOOK_SECRET: ['a'] })).toBe(
    true,
  );
});
