/** What the form of the mail server fills in, by provider. */
import type { Inputs, Outputs } from '../../server/contract/api.ts';

export type MailServer = Extract<Inputs['connections']['set'], { name: 'email' }>['value'];

interface MailProvider {
  name: string;
  host: string;
  port: number;
  /** The user of every account; undefined: the address. '' asks for it. */
  user?: string;
  /** What the provider calls the password, and where it is made. */
  password: string;
  page?: string;
}

export const mailProviders = {
  gmail: {
    name: 'Gmail',
    ...{ host: 'smtp.gmail.com', port: 465, password: 'App password' },
    page: 'https://myaccount.google.com/apppasswords',
  },
  outlook: {
    name: 'Outlook',
    ...{ host: 'smtp.office365.com', port: 587, password: 'App password' },
    page: 'https://mysignins.microsoft.com/security-info',
  },
  fastmail: {
    name: 'Fastmail',
    ...{ host: 'smtp.fastmail.com', port: 465, password: 'App password' },
    page: 'https://app.fastmail.com/settings/security/apps',
  },
  icloud: {
    name: 'iCloud',
    ...{ host: 'smtp.mail.me.com', port: 587, password: 'App-specific password' },
    page: 'https://account.apple.com/account/manage',
  },
  brevo: {
    name: 'Brevo',
    ...{ host: 'smtp-relay.brevo.com', port: 587, user: '', password: 'SMTP key' },
    page: 'https://app.brevo.com/settings/keys/smtp',
  },
  resend: {
    name: 'Resend',
    ...{ host: 'smtp.resend.com', port: 465, user: 'resend', password: 'API key' },
    page: 'https://resend.com/api-keys',
  },
  postmark: {
    name: 'Postmark',
    ...{ host: 'smtp.postmarkapp.com', port: 587, user: '', password: 'Server API token' },
    page: 'https://account.postmarkapp.com/servers',
  },
  ses: {
    name: 'Amazon SES',
    ...{ host: '', port: 587, user: '', password: 'SMTP password' },
    page: 'https://console.aws.amazon.com/ses/home#/smtp',
  },
  other: {
    name: 'Other',
    ...{ host: '', port: 587, user: '', password: 'Password of the account' },
  },
} satisfies Record<string, MailProvider>;

export type ProviderName = keyof typeof mailProviders;

export const providerOf = (name: ProviderName): MailProvider => mailProviders[name];

/** What was typed into the form; a field that the provider does not ask for is missing. */
export interface Typed {
  provider: ProviderName;
  /** The address that sends. */
  address: string;
  password?: string | undefined;
  to?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  user?: string | undefined;
}

/** The mail server that is stored, without its password. */
export type StoredServer = NonNullable<
  Outputs['connections']['list']['connections'][number]['fields']
>;

/** The provider of a stored mail server; `other` where its fields cannot hold what is stored. */
export function providerAt({ host, port, user, from = user }: StoredServer): ProviderName {
  const names = Object.keys(mailProviders) as ProviderName[];
  const found = names.find((name) => {
    const known = providerOf(name);
    const holdsUser = known.user === undefined ? from === user : [user, ''].includes(known.user);
    return known.host === host && known.port === port && holdsUser;
  });
  return found ?? 'other';
}

/** What the form shows of a stored mail server. */
export function typedOf(stored: StoredServer): Typed {
  const { host, port, user, from, to } = stored;
  return {
    ...{ provider: providerAt(stored), host, port: String(port), user },
    address: from ?? user ?? '',
    to: to?.join(', '),
  };
}

/**
 * The value of the connection. An empty text is left out, for which the server has a default. The same server keeps the
 * encryption that was chosen for it elsewhere.
 */
export function mailServerOf({ provider, ...typed }: Typed, stored?: StoredServer): MailServer {
  const { host, port, user } = providerOf(provider);
  const to = typed.to?.split(',').map((address) => address.trim());
  const server = {
    host: host || (typed.host ?? ''),
    port: typed.port === undefined ? port : Number(typed.port),
  };
  const isSame = server.host === stored?.host && server.port === stored.port;
  return {
    ...server,
    security: isSame ? stored.security : undefined,
    user: (user === undefined ? typed.address : user || typed.user) || undefined,
    password: typed.password || undefined,
    from: user === undefined ? undefined : typed.address || undefined,
    to: to?.some(Boolean) ? to.filter(Boolean) : undefined,
  };
}
