import { randomUUID } from 'node:crypto';
import { type ConnectionName, nouns } from '../connections/values.ts';
import type { OwnerAct } from '../database/owner-log.ts';
import type { Block, OutboxEmail } from '../email/email.ts';

interface Report {
  what: string;
  /** The screen on which it is undone. */
  screen?: string;
  /** Whether the owner’s password may be another one now. */
  isLockedOut?: boolean;
}

/** Undefined for acts that the owner need not hear of. */
function reportOf({ act, detail }: OwnerAct): Report | undefined {
  // The detail of an act on a connection is its name.
  const noun = nouns[detail as ConnectionName];
  switch (act) {
    case 'connection_set':
      return {
        what: `Connected or changed: ${noun}`,
        screen: settingsOf[detail as ConnectionName],
      };
    case 'connection_cleared':
      return { what: `Disconnected: ${noun}`, screen: settingsOf[detail as ConnectionName] };
    case 'key_created':
      return { what: `API key created: ${detail}`, screen: 'settings/webhooks' };
    case 'password_changed':
      return { what: 'Password changed', isLockedOut: true };
    case 'person_exported':
      return { what: 'Data of a person downloaded' };
    case 'person_erased':
      return { what: `Person erased: ${detail}` };
    case 'site_published':
      return { what: `Published: ${detail}`, screen: 'site' };
    default:
      return undefined;
  }
}

/** The part of Settings for each connection. */
const settingsOf: Record<ConnectionName, string> = {
  email: 'settings/email',
  stripe: 'settings/payments',
  busyCalendars: 'settings/calendars',
  webhook: 'settings/webhooks',
  calcom: 'settings/booking-services',
  calendly: 'settings/booking-services',
};

/**
 * The email about an act that a thief could have done, to the addresses that the owner has before it; undefined for
 * other acts.
 */
export function noticeEmail(
  act: OwnerAct,
  { recipients, publicOrigin }: { recipients: readonly string[]; publicOrigin: string | undefined },
): OutboxEmail | undefined {
  const report = reportOf(act);
  return (
    report && {
      id: `notice-${randomUUID()}`,
      // Later the address of the owner is another one where that is what changes.
      remaining: [...recipients],
      subject: `Changed on your site: ${report.what}`,
      blocks: [
        { kind: 'title', text: 'Somebody who is signed in changed your site.' },
        {
          kind: 'facts',
          rows: [
            { name: 'Change', value: report.what },
            { name: 'Time', value: new Date(act.at).toUTCString() },
            { name: 'Browser', value: act.browser ?? '' },
          ],
        },
        ...undoing(report, publicOrigin),
      ],
    }
  );
}

/** What to do when it was somebody else. */
function undoing({ screen, isLockedOut }: Report, origin: string | undefined): Block[] {
  const ignore = 'If this was you, you can ignore this email. If not,';
  if (isLockedOut) {
    return [
      { kind: 'text', text: `${ignore} set a new password now. It signs every browser out:` },
      { kind: 'command', text: 'npm run admin -- password' },
    ];
  }
  const button = {
    kind: 'button',
    label: 'Sign in',
    url: `${origin}/analytics/${screen ?? 'settings/password'}`,
  } as const;
  return [
    {
      kind: 'text',
      text: `${ignore} sign in,${screen === undefined ? '' : ' undo it there,'} and set a new password, which signs every other browser out.`,
    },
    ...(origin === undefined ? [] : [button]),
  ];
}
