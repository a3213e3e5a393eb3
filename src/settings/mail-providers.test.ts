import { expect, test } from 'vitest';
import { mailServerOf, providerAt, typedOf } from './mail-providers.ts';

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

const gmail = { host: 'smtp.gmail.com', port: 465, user: 'me@gmail.com' };

test('a stored mail server is shown as its provider', () => {
  expect(providerAt(gmail)).toBe('gmail');
  expect(providerAt({ host: 'mail.my-domain.com', port: 465 })).toBe('other');
});

test('a form that is sent as it was shown changes nothing of the stored mail server', () => {
  const from = 'hello@my-domain.com';
  const brevo = { host: 'smtp-relay.brevo.com', port: 587, user: '8f2c', from };
  for (const stored of [gmail, { ...gmail, from }, { ...gmail, port: 587 }, brevo]) {
    const { host, port, ...typed } = typedOf(stored);
    // The form asks for the host and port of an unknown server only.
    const shown = typed.provider === 'other' ? { host, port, ...typed } : typed;
    expect(mailServerOf(shown, stored)).toMatchObject(stored);
  }
});
