import { expect, test } from 'vitest';
import { mailServerOf, providerAt } from './mail-providers.ts';

test('a mail account sends from its address, with the server of its provider', () => {
  const typed = { address: 'me@fastmail.com', password: 'secret', to: '' };
  expect(mailServerOf({ provider: 'fastmail', ...typed })).toEqual({
    ...{ host: 'smtp.fastmail.com', port: 465, user: 'me@fastmail.com', password: 'secret' },
  });
});

test('a service sends from the typed address, with its own user or the typed one', () => {
  const typed = { address: 'hello@my-domain.com', password: 're_1' };
  expect(mailServerOf({ provider: 'resend', ...typed })).toMatchObject({
    ...{ host: 'smtp.resend.com', user: 'resend', from: 'hello@my-domain.com' },
  });
  expect(mailServerOf({ provider: 'brevo', ...typed, user: '8f2c@smtp-brevo.com' })).toMatchObject({
    ...{ user: '8f2c@smtp-brevo.com', from: 'hello@my-domain.com' },
  });
});

test('another mail server has the typed host and port, and several recipients', () => {
  const typed = { address: 'me@my-domain.com', user: 'me', host: 'mail.my-domain.com' };
  const to = ' a@my-domain.com, b@my-domain.com,';
  expect(mailServerOf({ provider: 'other', ...typed, port: '465', to })).toEqual({
    ...{ host: 'mail.my-domain.com', port: 465, user: 'me', from: 'me@my-domain.com' },
    to: ['a@my-domain.com', 'b@my-domain.com'],
  });
});

test('a stored host is shown as its provider', () => {
  expect(providerAt('smtp.gmail.com')).toBe('gmail');
  expect(providerAt('mail.my-domain.com')).toBe('other');
});
