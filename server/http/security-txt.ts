import { mailto } from '../contract/mailto.ts';
import { dayMs } from '../time/units.ts';
import type { Handler } from './handler.ts';

/** Where people who found a security problem look for a contact (RFC 9116). */
export const securityTxtPath = '/.well-known/security.txt';

/** How long clients may rely on a response: RFC 9116 recommends less than a year. */
const validity = 90 * dayMs;

/** Creates the handler of security.txt, which names `email` as the contact. */
export function createSecurityTxt({
  email,
  publicOrigin,
  now,
}: {
  email: string;
  publicOrigin: string | undefined;
  now: () => number;
}): Handler {
  return (_req, res) => {
    // At midnight UTC, so that the text changes once a day.
    const expires = new Date(Math.floor((now() + validity) / dayMs) * dayMs);
    const lines = [
      `Contact: ${mailto(email)}`,
      `Expires: ${expires.toISOString()}`,
      ...(publicOrigin ? [`Canonical: ${publicOrigin}${securityTxtPath}`] : []),
    ];
    res
      .writeHead(200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'public, max-age=3600',
      })
      .end(`${lines.join('\n')}\n`);
  };
}
