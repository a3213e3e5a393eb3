import { expect, it } from 'vitest';
import { changeOf } from './changes.ts';

const before = {
  ...{ host: 'mail.test', port: 2525, security: 'starttls' as const },
  ...{ user: 'me@my-domain.com', password: 'app password' },
};

it.each([
  ['kept', 'the same login', {}],
  ['kept', 'another recipient', { to: ['owner@my-domain.com'] }],
  ['dropped', 'another host', { host: 'other.test' }],
  ['dropped', 'another port', { port: 587 }],
  ['dropped', 'no encryption', { security: 'none' as const }],
  ['dropped', 'another user', { user: 'you@my-domain.com' }],
])('the stored password of the mail server is %s for %s', (is, _, change) => {
  const { password, ...value } = { ...before, ...change };
  expect(changeOf({ name: 'email', value })(before)).toEqual({
    ...value,
    password: is === 'kept' ? password : undefined,
  });
});
