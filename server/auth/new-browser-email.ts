import { randomUUID } from 'node:crypto';
import { html, type OutboxEmail, page } from '../email/email.ts';
import type { SignInAttempts } from './store.ts';

/** Returns the email that reports a sign-in from a new browser to the owner. */
export function newBrowserEmail({ method, address, browser, lastAt }: SignInAttempts): OutboxEmail {
  const lead = 'A new browser signed in to your site.';
  const details = [
    `Time: ${new Date(lastAt).toUTCString()}`,
    `Browser: ${browser}`,
    `Network address: ${address}`,
    `Signed in with: ${method === 'link' ? 'a sign-in link' : 'the password'}`,
  ];
  const advice =
    'If this was you, you can ignore this email. If not, set a new password now. It signs every browser out:';
  const command = 'npm run admin -- password';
  const exception = 'Where ADMIN_PASSWORD is set, change it there and restart the site.';
  return {
    id: `sign-in-${randomUUID()}`,
    subject: 'New sign-in to your site',
    text: [lead, '', ...details, '', advice, command, exception].join('\n'),
    html: page(html`<p>${lead}</p><ul>${details.map((detail) => html`<li>${detail}</li>`)}</ul>
      <p>${advice}<br><code>${command}</code><br>${exception}</p>`),
  };
}
