/** The environment, checked before anything starts. Every variable is optional. */

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';
import { AppError } from './errors.ts';
import { emailInput, hostName } from './text/inputs.ts';
import { isLoopback } from './text/loopback.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((n) => n <= 65535);

const publicUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.pathname === '/' && url.search === '' && url.hash === '')
  .transform((url) => url.origin);

const trustProxy = z
  .string()
  .refine((text) => /^(|off|false|true|\d+)$/.test(text) || isAddressList(text))
  .transform((text) => {
    if (text === '' || text === 'false' || text === 'off') return false;
    if (text === 'true') return true;
    return /^\d+$/.test(text) ? Number(text) : text;
  });

function isAddressList(text: string): boolean {
  try {
    proxyAddr.compile(text.split(',').map((address) => address.trim()));
    return true;
  } catch {
    return false;
  }
}

/** Secrets separated by commas, each of at least `minLength` characters. */
const secretList = (minLength: number) =>
  z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((list) => list.every((secret) => secret.length >= minLength));

/** A bearer key for programs. */
const bearerKey = {
  schema: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/)
    .optional(),
  problem: 'must be a key of at least 16 letters, digits and signs, without spaces',
  secret: true,
};

/** Minimum days of activity: the longest dashboard period, the one before it, and a margin. */
const minActivityDays = 200;

/** Minimum days of messages and buyers' names, so that a typo cannot delete recent ones. */
const minMessagesDays = 30;
const minBookingsDays = 30;
const minBuyersDays = 90;

/** A number of days, of at least `min`. */
const days = (min: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((n) => n >= min)
    .optional();

/** Whether user and password can be decoded. A raw % in a password that is not URL-encoded cannot. */
function isDecodable(url: string): boolean {
  try {
    const { username, password } = new URL(url);
    return decodeURIComponent(username + password).length >= 0;
  } catch {
    return false;
  }
}

/**
 * Encodes what would end the login of an address too early: `/`, `?`, `#` and `@` in a pasted password. The
 * last @ ends the login, unless it is in the path or an option: then nothing is encoded, since the password
 * must not go to another host.
 */
function withEncodedLogin(address: string, isValid: (url: string) => boolean): string {
  const [, scheme, login, rest] = /^(\w+:\/\/)(.*)(@[^@]*)$/.exec(address) ?? [];
  if (scheme === undefined || login === undefined) return address;
  const [beginning = ''] = login.split(/[/?#]/, 1);
  if (beginning !== login && (isValid(address) || hasHost(scheme, beginning))) return address;
  return scheme + login.replace(/[/?#@]/g, encodeURIComponent) + rest;
}

/** Whether what precedes the first `/`, `?` or `#` names a host, rather than a user and a part of a password. */
function hasHost(scheme: string, text: string): boolean {
  if (!text.includes(':') || /:.*@/.test(text)) return true;
  if (!URL.canParse(scheme + text)) return false;
  const { username, hostname } = new URL(scheme + text);
  return username !== '' || hostname.includes('.');
}

/** An address whose login may be pasted as it is, except a %. It is output as a URL. */
const addressWithLogin = (
  isValid: (url: string) => boolean,
  hasOptions: (url: string) => boolean,
) =>
  z
    .string()
    .trim()
    .transform((text) =>
      [withEncodedLogin(text, (url) => isValid(url) && hasOptions(url)), text].find(
        (url) => isValid(url) && isDecodable(url),
      ),
    )
    .refine((url) => url !== undefined);

/** An iCal address: https or webcal, or http on the same machine. */
function isCalendarAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  if (protocol === 'http:') return isLoopback(text);
  return ['https:', 'webcal:'].includes(protocol) && hostname !== '';
}

/** A webhook receiver: https, or http on the same machine. */
function isReceiver(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  if (username || password) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(text));
}

/** A secret as the Standard Webhooks convention writes it. */
function isWebhookSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}

/** The address of a mail server, whose user and password do not reach into the path. */
function isMailServer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, hash } = new URL(text);
  return /^smtps?:$/.test(protocol) && hostname !== '' && /^\/?$/.test(pathname) && hash === '';
}

/** Whether the only option of the mail server's address is the one that the product has. */
const hasKnownOptions = (url: string) =>
  [...new URL(url).searchParams].every(
    ([name, value]) => name === 'tls.rejectUnauthorized' && value === 'false',
  );

/** Whether this is a PostgreSQL address. A raw / in a password ends the host, and the rest becomes the path. */
function isDatabaseAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, hash } = new URL(text);
  const isNamed = hostname !== '' && /^\/[^/@]+$/.test(pathname);
  return /^postgres(ql)?:$/.test(protocol) && isNamed && hash === '';
}

/** Whether each option has a name, which a part of a password seldom is. */
const hasNamedOptions = (url: string) =>
  [...new URL(url).searchParams].every(([name, value]) => /^\w+$/.test(name) && value !== '');

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

interface Variable {
  schema: z.ZodType;
  /** The rest of the error message, which starts with the variable's name. */
  problem: string;
  example: string;
  /** Whether error messages omit the value. */
  secret?: boolean;
}

const variables = {
  PORT: { schema: port.default(3000), problem: 'must be a port number', example: 'PORT=3000' },
  HOST: {
    schema: z.string().min(1).optional(),
    problem: 'must name an address',
    example: 'HOST=127.0.0.1',
  },
  DATABASE_URL: {
    schema: addressWithLogin(isDatabaseAddress, hasNamedOptions).optional(),
    problem:
      'must be the address of a PostgreSQL database, with user, password and name (in the password, % is ' +
      'written %25, @ %40, / %2F and ? %3F; a : in the user %3A)',
    example: 'DATABASE_URL=postgres://shingle:password@localhost:5432/shingle',
    secret: true,
  },
  DATA_DIR: {
    schema: z
      .string()
      .min(1)
      .default('data')
      .transform((path) => resolve(path)),
    problem: 'must name a folder',
    example: 'DATA_DIR=./data',
  },
  ADMIN_PASSWORD: {
    schema: z.string().min(1).optional(),
    problem: 'must not be empty',
    example: 'ADMIN_PASSWORD="a long sentence only you know"',
    secret: true,
  },
  SETUP_CODE: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{12,}$/)
      .optional(),
    problem: 'must be a code of at least 12 letters, digits and signs, without spaces',
    example: 'SETUP_CODE=7fk2m-q9xhd-3wbtz',
    secret: true,
  },
  SESSION_SECRET: {
    schema: secretList(16).optional(),
    problem: 'must be one or more secrets of at least 16 characters, separated by commas',
    example: 'SESSION_SECRET=3f1c9a0be2d84c55a0e7',
    secret: true,
  },
  PUBLIC_URL: {
    schema: publicUrl.optional(),
    problem: 'must be the site’s own address without a path',
    example: 'PUBLIC_URL=https://www.your-domain.com',
  },
  TRUST_PROXY: {
    schema: trustProxy.default(false),
    problem: 'must be a number of proxies, or their addresses',
    example: 'TRUST_PROXY=1',
  },
  CONVERSION_KEY: { ...bearerKey, example: 'CONVERSION_KEY=0a4f7c1be29d4e6f' },
  METRICS_KEY: { ...bearerKey, example: 'METRICS_KEY=b81e6d20f3974ac5' },
  SMTP_URL: {
    schema: addressWithLogin(isMailServer, hasKnownOptions).optional(),
    problem:
      'must be the address of your mail server, with user and password (in the password, % is written %25, ' +
      '@ %40, / %2F and ? %3F; a : in the user %3A)',
    example: 'SMTP_URL=smtps://me%40my-domain.com:password@smtp.my-host.com',
    secret: true,
  },
  CONTACT_TO: {
    schema: z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(emailInput))
      .optional(),
    problem: 'must be an e-mail address, or several, separated by commas',
    example: 'CONTACT_TO=me@my-domain.com',
  },
  EMAIL_FROM: {
    schema: emailInput.optional(),
    problem: 'must be the e-mail address that your site sends from, without a name',
    example: 'EMAIL_FROM=hello@my-domain.com',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: secretList(1)
      .refine((secrets) => secrets.every((secret) => secret.startsWith('whsec_')))
      .optional(),
    problem:
      'must be the signing secret of your webhook at Stripe, which begins with whsec_, or several, separated by commas',
    example: 'STRIPE_WEBHOOK_SECRET=whsec_3kF9tQ0aZ7xLm2Vd',
    secret: true,
  },
  CALENDLY_WEBHOOK_SECRET: {
    schema: secretList(16).optional(),
    problem:
      'must be the signing key of your webhook subscription at Calendly, or several, separated by commas',
    example: 'CALENDLY_WEBHOOK_SECRET=5mEzn9C-I28UtwOjZJtFoob0sAAFZ95GbZkqj4y3i0I',
    secret: true,
  },
  CAL_WEBHOOK_SECRET: {
    schema: secretList(16).optional(),
    problem:
      'must be the secret of your webhook at Cal.com, of at least 16 characters, or several, separated by commas',
    example: 'CAL_WEBHOOK_SECRET=8d2f61c0b7e94a35',
    secret: true,
  },
  STRIPE_API_KEY: {
    schema: z
      .string()
      .regex(/^(sk|rk)_\w+$/)
      .optional(),
    problem: 'must be a secret or restricted key of your Stripe account',
    example: 'STRIPE_API_KEY=rk_live_51Nq8ZkT3vYw0sLb',
    secret: true,
  },
  WEBHOOK_URL: {
    schema: z.string().trim().refine(isReceiver).optional(),
    problem: 'must be the https address of your receiver, without user and password',
    example: 'WEBHOOK_URL=https://hooks.my-host.com/shingle',
    // The path of many receivers is their key.
    secret: true,
  },
  WEBHOOK_SECRET: {
    schema: secretList(1)
      .refine((secrets) => secrets.every(isWebhookSecret))
      .optional(),
    problem:
      'must be whsec_ and 24 to 64 random bytes as base64, or several secrets, separated by commas',
    example: 'WEBHOOK_SECRET=whsec_c2hpbmdsZS1leGFtcGxlLXNlY3JldC0zMmJ5dGU=',
    secret: true,
  },
  BUSY_CALENDARS: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((address) => address.trim()))
      .refine((addresses) => addresses.every(isCalendarAddress))
      .optional(),
    problem:
      'must be one or more secret iCal addresses, separated by commas, each with https:// or webcal://',
    example: 'BUSY_CALENDARS=https://calendar.google.com/calendar/ical/…/basic.ics',
    secret: true,
  },
  LOCAL_HOSTS: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((host) => host.trim().toLowerCase()))
      .refine((hosts) => hosts.every((host) => isIP(host) !== 0 || hostName.test(host)))
      .optional(),
    problem: 'must be a name or an IP address of a host, or several, separated by commas',
    example: 'LOCAL_HOSTS=mail.my-office.lan',
  },
  KEEP_ACTIVITY_DAYS: {
    schema: days(minActivityDays),
    problem: `must be a number of days, ${minActivityDays} at least: the dashboard looks that far back`,
    example: 'KEEP_ACTIVITY_DAYS=400',
  },
  KEEP_MESSAGES_DAYS: {
    schema: days(minMessagesDays),
    problem: `must be a number of days, ${minMessagesDays} at least`,
    example: 'KEEP_MESSAGES_DAYS=730',
  },
  KEEP_BOOKINGS_DAYS: {
    schema: days(minBookingsDays),
    problem: `must be a number of days, ${minBookingsDays} at least`,
    example: 'KEEP_BOOKINGS_DAYS=730',
  },
  KEEP_BUYERS_DAYS: {
    schema: days(minBuyersDays),
    problem: `must be a number of days, ${minBuyersDays} at least: refunds and questions come that late`,
    example: 'KEEP_BUYERS_DAYS=3650',
  },
  SITE_CONTENT: {
    schema: z.enum(['browser', 'file']).default('browser'),
    problem: 'must be browser or file',
    example: 'SITE_CONTENT=file',
  },
  LOG_LEVEL: {
    schema: z.enum(logLevels).default('info'),
    problem: `must be one of ${logLevels.join(', ')}`,
    example: 'LOG_LEVEL=info',
  },
} satisfies Record<string, Variable>;

type Variables = typeof variables;
export type Env = { [Name in keyof Variables]: z.output<Variables[Name]['schema']> };

/** Names of the variables the product reads, for `.env.example` and its test. */
export const variableNames = Object.keys(variables);

/** The example value of each variable. It is public, so it must not be used as a secret. */
export const examples: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries<Variable>(variables).map(([name, { example }]) => [
    name,
    example.slice(name.length + 1).replaceAll('"', ''),
  ]),
);

/** Reads the environment. Throws `INVALID_ENVIRONMENT` at the first invalid variable. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const env: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries<Variable>(variables)) {
    const { schema, problem, example, secret } = variable;
    const result = schema.safeParse(source[name]);
    if (!result.success) {
      const found = secret ? '' : `, not "${source[name]}"`;
      throw new AppError(
        'INVALID_ENVIRONMENT',
        `${name} ${problem}${found}. For example: ${example}`,
      );
    }
    env[name] = result.data;
  }
  if (env.DATABASE_URL !== undefined && env.SESSION_SECRET === undefined) {
    throw new AppError(
      'INVALID_ENVIRONMENT',
      'SESSION_SECRET must be set beside DATABASE_URL, the same for every instance: who signs in at ' +
        `one is known to all. For example: ${variables.SESSION_SECRET.example}`,
    );
  }
  if ((env.WEBHOOK_URL === undefined) !== (env.WEBHOOK_SECRET === undefined)) {
    const missing = env.WEBHOOK_URL === undefined ? 'WEBHOOK_URL' : 'WEBHOOK_SECRET';
    throw new AppError(
      'INVALID_ENVIRONMENT',
      `${missing} must be set, too: events are sent to WEBHOOK_URL and signed with WEBHOOK_SECRET. ` +
        `For example: ${variables[missing].example}`,
    );
  }
  const { SMTP_URL } = env as Env;
  if (SMTP_URL !== undefined && !hasKnownOptions(SMTP_URL)) {
    throw new AppError(
      'INVALID_ENVIRONMENT',
      'SMTP_URL must have no option after its ? but tls.rejectUnauthorized=false, which accepts any ' +
        `certificate. For example: ${variables.SMTP_URL.example}`,
    );
  }
  return env as Env;
}
