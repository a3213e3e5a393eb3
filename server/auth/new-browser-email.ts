import { randomUUID } from 'node:crypto';
import { html, type NamedLetter, page } from '../mail/letter.ts';
import type { SignInAttempts } from './store.ts';

/** Tells the owner of a sign-in from a browser that had not signed in before. */
export function newBrowserEmail({ method, address, browser, lastAt }: SignInAttempts): NamedLetter {
  const lead = 'A browser that had not signed in before has signed in to your site.';
  const facts = [
    `Time: ${new Date(lastAt).toUTCString()}`,
    `Browser: ${browser}`,
    `Network address: ${address}`,
    `Signed in with: ${method === 'link' ? 'a sign-in link' : 'the password'}`,
  ];
  const advice =
    'If this was you, there is nothing to do. If not, set a new password now, which signs every browser out:';
  const command = 'npm run admin -- password';
  const exception = 'Where ADMIN_PASSWORD is set, change it there and restart the site.';
  return {
    id: `sign-in-${randomUUID()}`,
    subject: 'New sign-in to your site',
    text: [lead, '', ...facts, '', advice, command, exception].join('\n'),
    html: page(html`<p>${lead}</p><ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>
      <p>${advice}<br><code>${command}</code><br>${exception}</p>`),
  };
}
