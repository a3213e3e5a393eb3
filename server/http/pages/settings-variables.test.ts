import { expect, it } from 'vitest';
import type { SettingsVariables } from '../../contract/pages.ts';
import { readEnv } from '../../env.ts';
import { settingsVariables } from './settings-variables.ts';

const variables = (env: Record<string, string>) => settingsVariables(readEnv(env), 'en');

it('privacy page has no retention period for data that is kept until it is deleted', () => {
  const periods = Object.entries(variables({})).filter(([name]) => name.startsWith('keep'));
  expect(Object.fromEntries(periods)).toEqual({
    keepSpam: '30 days',
    keepSignIns: '90 days',
    keepBackups: '14 days',
  });
});

it('retention periods are in the language of the site', () => {
  expect(settingsVariables(readEnv({ KEEP_BUYERS_DAYS: '3650' }), 'de')).toMatchObject({
    ...{ keepBuyers: '10 Jahre', keepSpam: '30 Tage' },
  });
});

it('privacy page has the retention periods of the settings, in years where they are whole', () => {
  expect(
    variables({
      KEEP_ACTIVITY_DAYS: '400',
      KEEP_MESSAGES_DAYS: '365',
      KEEP_BOOKINGS_DAYS: '30',
      KEEP_BUYERS_DAYS: '3650',
    }),
  ).toMatchObject({
    keepActivity: '400 days',
    keepMessages: '1 year',
    keepBookings: '30 days',
    keepBuyers: '10 years',
  });
});

it.each<[env: Record<string, string>, name: keyof SettingsVariables, value?: string]>([
  [{ SMTP_URL: 'smtp://localhost' }, 'sendsEmail'],
  [{ STRIPE_WEBHOOK_SECRET: 'whsec_a' }, 'storesSales'],
  [{ STRIPE_API_KEY: 'rk_test_a' }, 'storesSales'],
  [{ CONVERSION_KEY: '0123456789abcdef' }, 'storesSales'],
  [
    { DATABASE_URL: 'postgres://a@localhost/b', SESSION_SECRET: '0123456789abcdef' },
    'sharesLimits',
  ],
  [
    {
      WEBHOOK_URL: 'https://hooks.example/a',
      WEBHOOK_SECRET: 'whsec_c2hpbmdsZS1leGFtcGxlLXNlY3JldC0zMmJ5dGU=',
    },
    'sendsEvents',
  ],
  [{ CALENDLY_WEBHOOK_SECRET: '0123456789abcdef' }, 'calendlyWebhook', 'calendly'],
  [{ CAL_WEBHOOK_SECRET: '0123456789abcdef' }, 'calWebhook', 'cal'],
])('privacy page reflects the settings %o in %s', (env, name, value) => {
  expect(variables(env)[name]).toBe(value ?? true);
  expect(variables({})[name]).toBe(value ? undefined : false);
});
