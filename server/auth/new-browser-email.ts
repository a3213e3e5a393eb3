import { randomUUID } from 'node:crypto';
import type { OutboxEmail } from '../email/email.ts';
import type { SignInAttempts } from './store.ts';

/** Returns the email that reports a sign-in from a new browser to the owner. */
export function newBrowserEmail({ method, address, browser, lastAt }: SignInAttempts): OutboxEmail {
  return {
    id: `sign-in-${randomUUID()}`,
    subject: 'New sign-in to your site',
    blocks: [
      { kind: 'title', text: 'A new browser signed in to your site.' },
      {
        kind: 'facts',
        rows: [
          { name: 'Time', value: new Date(lastAt).toUTCString() },
          { name: 'Browser', value: browser },
          { name: 'Network address', value: address },
          { name: 'Signed in with', value: method === 'link' ? 'a sign-in link' : 'the password' },
        ],
      },
      {
        kind: 'text',
        text: 'If this was you, you can ignore this email. If not, set a new password now. It signs every browser out:',
      },
      { kind: 'command', text: 'npm run admin -- password' },
      {
        kind: 'text',
        text: 'Where ADMIN_PASSWORD is set, change it there and restart the site.',
      },
    ],
  };
}
