/** Checks the environment variables. */
import { isPlaceholder } from '../../site.placeholder.ts';
import { weaknessOf } from '../contract/password-strength.ts';
import { type Env, examples } from '../env.ts';
import { isLoopback } from '../text/loopback.ts';
import type { Check, Finding } from './finding.ts';
import { senderFindings } from './mail-domain.ts';

/**
 * One check for each part of the environment. `publicWords` are words of the site that a password must not
 * consist of; `email` is `brand.email`; `hasCheckout` is whether the site links to a checkout, `hasReportKey` whether an API key of the database lets
 * another one report sales.
 */
export function settingsChecks(
  env: Env,
  {
    publicWords,
    email,
    hasCheckout,
    hasReportKey = false,
  }: {
    publicWords: string[];
    email: string;
    hasCheckout: boolean;
    hasReportKey?: boolean | undefined;
  },
): Check[] {
  const check = (done: string, findings: Finding[]): Check => ({
    topic: 'settings',
    done,
    findings,
  });
  return [
    {
      topic: 'domain',
      done: 'The address of your site is set, with https.',
      findings: [...addressFindings(env), ...hostFindings(env)],
    },
    check('The connection to your database is private.', databaseFindings(env)),
    check('Your password and keys are your own.', secretFindings(env, publicWords)),
    check('A mail server is set.', [...mailSettingFindings(env), ...senderFindings(env, email)]),
    check('Sales are counted.', hasReportKey ? [] : salesFindings(env, hasCheckout)),
  ];
}

const todo = (where: string, text: string): Finding => ({
  kind: 'todo',
  where,
  text,
});

const advice = (where: string, text: string): Finding => ({
  kind: 'advice',
  where,
  text,
});

function mailSettingFindings({ SMTP_URL }: Env): Finding[] {
  if (SMTP_URL === undefined) {
    return [
      todo(
        'SMTP_URL',
        'is not set, so you get no email about messages and calls, and visitors get none about their calls. Connect your mail server under Settings, or set it to its address.',
      ),
    ];
  }
  const { hostname, searchParams, username } = new URL(SMTP_URL);
  if (isLocalNetwork(hostname)) return [];
  if (searchParams.get('security') === 'none' && username !== '') {
    return [
      todo(
        'The mail server',
        `at ${hostname} is reached without encryption: others on the network can read your password and emails. Choose TLS or STARTTLS for it.`,
      ),
    ];
  }
  if (!searchParams.has('tls.rejectUnauthorized')) return [];
  return [
    todo(
      'SMTP_URL',
      `accepts any certificate of ${hostname}: others on the network can read your password and emails. Remove ?tls.rejectUnauthorized=false.`,
    ),
  ];
}

function salesFindings(
  { STRIPE_WEBHOOK_SECRET, STRIPE_API_KEY, CONVERSION_KEY }: Env,
  hasCheckout: boolean,
): Finding[] {
  if (STRIPE_WEBHOOK_SECRET || STRIPE_API_KEY || CONVERSION_KEY) return [];
  if (hasCheckout) {
    return [
      todo(
        'STRIPE_WEBHOOK_SECRET',
        'is not set, but links.checkout leads to your checkout: its sales would not be counted. Connect Stripe under Settings, Payments.',
      ),
    ];
  }
  return [
    advice(
      'STRIPE_WEBHOOK_SECRET',
      'is not set, so sales are not counted by themselves. Connect Stripe under Settings, Payments, or import a file of sales.',
    ),
  ];
}

const ownAddress = 'PUBLIC_URL=https://www.my-domain.com';

function addressFindings({ PUBLIC_URL, TRUST_PROXY }: Env): Finding[] {
  if (PUBLIC_URL === undefined) {
    return [
      todo('PUBLIC_URL', `is not set. Set it to the address that visitors type: ${ownAddress}`),
    ];
  }
  const { protocol } = new URL(PUBLIC_URL);
  if (isUnreachable(PUBLIC_URL)) {
    return [
      todo(
        'PUBLIC_URL',
        `is ${PUBLIC_URL}, which no visitor can reach. Set it to your own address.`,
      ),
    ];
  }
  if (protocol !== 'https:') {
    return [
      todo(
        'PUBLIC_URL',
        `is ${PUBLIC_URL}: without https, others on the network can read what visitors and you send. Let your host or a proxy such as Caddy serve https.`,
      ),
    ];
  }
  if (TRUST_PROXY) return [];
  // This server does not serve https itself, so a proxy must be in front of it.
  return [
    todo(
      'TRUST_PROXY',
      'is not set. A proxy serves https in front of this server, so every visitor seems to have the proxy’s address. Set TRUST_PROXY=1',
    ),
  ];
}

/** An address of this computer, or of nobody. */
export const isUnreachable = (address: string) =>
  isLoopback(address) || isPlaceholder(address) || address === examples.PUBLIC_URL;

/**
 * With TRUST_PROXY as a number, X-Forwarded-For is trusted from any client, so only the proxy may
 * reach the port. With addresses, it is trusted from those alone.
 */
function hostFindings({ TRUST_PROXY, HOST, PORT }: Env): Finding[] {
  if (!TRUST_PROXY || typeof TRUST_PROXY === 'string' || HOST !== undefined) return [];
  return [
    todo(
      'HOST',
      `is not set, so clients can bypass the proxy at port ${PORT} of this machine, and TRUST_PROXY trusts any address they claim. If the proxy runs on this machine, set HOST=127.0.0.1. If your host’s proxy runs on another machine, set HOST=0.0.0.0, and let only that machine reach the port.`,
    ),
  ];
}

/** Loopback, a private or link-local address, or a name that only resolves in a local network. */
const isLocalNetwork = (host: string) =>
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1\]|f[cd]|fe80:)|^[^.:]+$|\.(internal|local)$/.test(
    host,
  );

function databaseFindings({ DATABASE_URL }: Env): Finding[] {
  if (DATABASE_URL === undefined) return [];
  const { hostname, searchParams } = new URL(DATABASE_URL);
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (isLocalNetwork(hostname) || !/^(disable|no-verify)$/.test(mode)) return [];
  return [
    todo(
      'DATABASE_URL',
      `leads to ${hostname} ${mode === 'disable' ? 'without encryption' : 'without checking its certificate'}: others on the network can read your data. Add ?sslmode=verify-full at its end (docs/deploy.md says what else that may need).`,
    ),
  ];
}

const secrets = [
  'DATABASE_URL',
  'ADMIN_PASSWORD',
  'SESSION_SECRET',
  'CONVERSION_KEY',
  'METRICS_KEY',
  'SMTP_URL',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_KEY',
  'CALENDLY_WEBHOOK_SECRET',
  'CAL_WEBHOOK_SECRET',
  'WEBHOOK_SECRET',
] as const;

function secretFindings(env: Env, publicWords: string[]): Finding[] {
  const findings: Finding[] = [];
  for (const name of secrets) {
    if ([env[name]].flat().includes(examples[name])) {
      findings.push(
        todo(
          name,
          'is the example from the documentation, which anyone can read. Make up your own.',
        ),
      );
    }
  }
  const { ADMIN_PASSWORD } = env;
  if (ADMIN_PASSWORD === undefined || ADMIN_PASSWORD === examples.ADMIN_PASSWORD) return findings;
  const weakness = weaknessOf(ADMIN_PASSWORD, publicWords);
  if (weakness) {
    findings.push(
      todo(
        'ADMIN_PASSWORD',
        `${weakness}. Use four or five random words, or remove the variable and run: npm run admin -- password --generate`,
      ),
    );
  }
  return findings;
}
