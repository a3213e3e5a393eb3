/** What the owner connects in the browser, as it is stored, and the variables of the environment that it stands for. */
import { z } from 'zod';
import type { Env } from '../env.ts';

const secret = z.string().min(1);

/** The stored value of each connection. */
export const storedValues = {
  email: z.object({
    host: z.string(),
    port: z.number(),
    security: z.enum(['tls', 'starttls', 'none']).optional(),
    user: z.string().optional(),
    password: z.string().optional(),
    from: z.string().optional(),
    to: z.array(z.string()).optional(),
  }),
  stripe: z.object({
    key: secret.optional(),
    webhookSecret: secret.optional(),
    /** The account of the key; undefined where the key may not read it. */
    account: z.string().optional(),
    accountName: z.string().optional(),
    /** The endpoint at Stripe that the site has made, whose secret it is; undefined: the owner has made it. */
    endpoint: z.string().optional(),
    /** The endpoint that the site had made before the owner pasted a secret. */
    replaced: z.string().optional(),
  }),
  busyCalendars: z.object({ addresses: z.array(z.string()) }),
  webhook: z.object({ url: z.string(), secret }),
  calcom: z.object({ webhookSecret: secret }),
  calendly: z.object({ webhookSecret: secret }),
};

export type ConnectionName = keyof typeof storedValues;
export type StoredValue<Name extends ConnectionName> = z.output<(typeof storedValues)[Name]>;
export type StoredValues = { [Name in ConnectionName]?: StoredValue<Name> };

export const connectionNames = Object.keys(storedValues) as ConnectionName[];

/** What the owner calls a connection, within a sentence. */
export const nouns: Record<ConnectionName, string> = {
  email: 'the mail server',
  stripe: 'Stripe',
  busyCalendars: 'your calendars',
  webhook: 'the webhook',
  calcom: 'Cal.com',
  calendly: 'Calendly',
};

/** Variables that set a connection in the environment. One that is set locks the connection in the browser. */
const variablesOf: Record<ConnectionName, readonly (keyof Env)[]> = {
  email: ['SMTP_URL'],
  stripe: ['STRIPE_API_KEY', 'STRIPE_WEBHOOK_SECRET'],
  busyCalendars: ['BUSY_CALENDARS'],
  webhook: ['WEBHOOK_URL'],
  calcom: ['CAL_WEBHOOK_SECRET'],
  calendly: ['CALENDLY_WEBHOOK_SECRET'],
};

/** The variables of the environment that set a connection. */
export const setIn = (env: Env, name: ConnectionName): (keyof Env)[] =>
  variablesOf[name].filter((variable) => env[variable] !== undefined);

const fieldVariables: { [Name in ConnectionName]?: Record<string, keyof Env> } = {
  email: { from: 'EMAIL_FROM', to: 'CONTACT_TO' },
};

/** The variables of the environment that set fields of a connection, by field. */
export const fieldsSetIn = (env: Env, name: ConnectionName): Record<string, keyof Env> =>
  Object.fromEntries(
    Object.entries(fieldVariables[name] ?? {}).filter(
      ([, variable]) => env[variable] !== undefined,
    ),
  );

const envOf: { [Name in ConnectionName]: (value: StoredValue<Name>) => Partial<Env> } = {
  email: ({ from, to, ...server }) => ({
    SMTP_URL: smtpUrl(server),
    EMAIL_FROM: from,
    CONTACT_TO: to,
  }),
  stripe: ({ key, webhookSecret }) => ({
    STRIPE_API_KEY: key,
    STRIPE_WEBHOOK_SECRET: webhookSecret === undefined ? undefined : [webhookSecret],
  }),
  busyCalendars: ({ addresses }) => ({ BUSY_CALENDARS: addresses }),
  webhook: ({ url, secret }) => ({ WEBHOOK_URL: url, WEBHOOK_SECRET: [secret] }),
  calcom: ({ webhookSecret }) => ({ CAL_WEBHOOK_SECRET: [webhookSecret] }),
  calendly: ({ webhookSecret }) => ({ CALENDLY_WEBHOOK_SECRET: [webhookSecret] }),
};

/** The environment as the site uses it. */
export interface Connected {
  /** What the environment leaves open is filled in from the browser. */
  env: Env;
  /** The connections in use that were typed in the browser: their addresses must not lead into a local network. */
  typed: ReadonlySet<ConnectionName>;
}

export function connect(env: Env, values: StoredValues): Connected {
  const typed = connectionNames.filter(
    (name) => values[name] !== undefined && setIn(env, name).length === 0,
  );
  const open = typed.map((name) => envOf[name](values[name] as never));
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { env: Object.assign({}, env, ...open, Object.fromEntries(set)), typed: new Set(typed) };
}

type MailServer = Pick<StoredValue<'email'>, 'host' | 'port' | 'security' | 'user' | 'password'>;

/** Whether a password may be sent to both: they are the same server, with the same encryption and user. */
export const isSameLogin = (one: MailServer, other: MailServer): boolean =>
  smtpUrl({ ...one, password: '' }) === smtpUrl({ ...other, password: '' });

/** The address of a mail server as `SMTP_URL` has it, with an option for what only the browser can choose. */
function smtpUrl({ host, port, security, user, password }: MailServer): string {
  const isTls = security === 'tls' || (security === undefined && port === 465);
  const login =
    user === undefined
      ? ''
      : `${[user, password ?? ''].map((text) => encodeURIComponent(text)).join(':')}@`;
  // A login is never sent in clear unless the owner chose that.
  const isOpen = security === undefined && !isTls && user === undefined;
  const options = isOpen ? '?security=offered' : security === 'none' ? '?security=none' : '';
  return `${isTls ? 'smtps' : 'smtp'}://${login}${host}:${port}${options}`;
}
