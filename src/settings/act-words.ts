import type { Outputs } from '../../server/contract/api.ts';

type Entry = Outputs['auth']['log']['entries'][number];

/** An entry of the owner’s log in words. */
interface ActInWords {
  what: string;
  /** What else is known, and the browser; a command has none. */
  by: string;
  /** Whether somebody was refused, maybe not the owner. */
  isRefused: boolean;
}

/** `detail` is a part of the sentence where it names what the act was about. */
const acts: Record<string, (detail: string) => { what: string; rest?: string }> = {
  password_confirmed: () => ({ what: 'Password typed again' }),
  password_changed: (detail) => ({ what: 'Password changed', rest: detail }),
  key_created: (id) => ({ what: 'API key created', rest: id }),
  key_revoked: (id) => ({ what: 'API key revoked', rest: id }),
  site_published: (changes) => ({ what: 'Site published', rest: changes }),
  backup_downloaded: (file) => ({ what: 'Backup downloaded', rest: file }),
  file_downloaded: (file) => ({ what: `Downloaded ${file}` }),
  connection_set: (name) => ({ what: `Connected ${connections[name] ?? name}` }),
  connection_cleared: (name) => ({ what: `Disconnected ${connections[name] ?? name}` }),
  person_exported: () => ({ what: 'Data of a person downloaded' }),
  person_erased: (counts) => ({ what: 'Person erased', rest: counts }),
};

const connections: Record<string, string> = {
  email: 'the mail server',
  stripe: 'Stripe',
  busyCalendars: 'other calendars',
  webhook: 'the webhook',
  calcom: 'Cal.com',
  calendly: 'Calendly',
};

export function actInWords({ act, browser, detail = '' }: Entry): ActInWords {
  const isRefused = act === 'sign_in_refused';
  if (isRefused || act === 'signed_in') {
    // `wrong password, 3 times, from 203.0.113.9`
    const [, what = detail, address = ''] = /^(.*), from (.*?)$/.exec(detail) ?? [];
    const by = joined(address, browser);
    return { what: capitalised(what), by: isRefused ? `${by}. Not you?` : by, isRefused };
  }
  // A later version of the server may have others.
  const known = acts[act]?.(detail) ?? {
    what: capitalised(act.replaceAll('_', ' ')),
    rest: detail,
  };
  const { what, rest = '' } = known;
  return { what, by: joined(rest, browser), isRefused };
}

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(', ');
const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
