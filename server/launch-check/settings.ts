/** What the environment still needs. */

import { isPlaceholder } from '../contract/placeholder.ts';
import { type Env, examples } from '../env.ts';
import type { Finding } from './finding.ts';
import { isLoopback } from './loopback.ts';
import { weaknessOf } from './password-strength.ts';

/**
 * Findings about the environment. `known` are words a stranger can read on the site; `isSold` tells
 * whether the site leads to a checkout.
 */
export function settingsFindings(
  env: Env,
  { known, isSold }: { known: string[]; isSold: boolean },
): Finding[] {
  return [
    ...addressFindings(env),
    ...doorFindings(env),
    ...databaseFindings(env),
    ...secretFindings(env, known),
    ...mailSettingFindings(env),
    ...salesFindings(env, isSold),
  ];
}

const todo = (where: string, text: string): Finding => ({
  topic: 'settings',
  kind: 'todo',
  where,
  text,
});

const advice = (where: string, text: string): Finding => ({
  topic: 'settings',
  kind: 'advice',
  where,
  text,
});

const mailSettingFindings = ({ SMTP_URL }: Env): Finding[] =>
  SMTP_URL
    ? []
    : [
        todo(
          'SMTP_URL',
          'is not set, so nobody tells you of a message: it waits until you look, under Messages on your dashboard. Write the address of your mail server there.',
        ),
      ];

function salesFindings(
  { STRIPE_WEBHOOK_SECRET, STRIPE_API_KEY, CONVERSION_KEY }: Env,
  isSold: boolean,
): Finding[] {
  if (STRIPE_WEBHOOK_SECRET || STRIPE_API_KEY || CONVERSION_KEY) return [];
  if (isSold) {
    return [
      todo(
        'STRIPE_WEBHOOK_SECRET',
        'is not set, but links.checkout leads to your checkout: its sales would not be counted. docs/owner.md says how Stripe tells of them (section 6).',
      ),
    ];
  }
  return [
    advice(
      'STRIPE_WEBHOOK_SECRET',
      'is not set, so no sale counts by itself. docs/owner.md says how Stripe tells of them (section 6); or import them with: npm run admin -- conversions import',
    ),
  ];
}

const ownAddress = 'PUBLIC_URL=https://www.my-domain.com';

function addressFindings({ PUBLIC_URL, TRUST_PROXY }: Env): Finding[] {
  if (PUBLIC_URL === undefined) {
    return [todo('PUBLIC_URL', `is not set. Write the address visitors type: ${ownAddress}`)];
  }
  const { protocol } = new URL(PUBLIC_URL);
  if (isLoopback(PUBLIC_URL) || isPlaceholder(PUBLIC_URL) || PUBLIC_URL === examples.PUBLIC_URL) {
    return [todo('PUBLIC_URL', `is ${PUBLIC_URL}, which no visitor can reach. Write your own.`)];
  }
  if (protocol !== 'https:') {
    return [
      todo(
        'PUBLIC_URL',
        `is ${PUBLIC_URL}: without https others can read what visitors and you send. Have your host or a proxy such as Caddy serve https.`,
      ),
    ];
  }
  if (TRUST_PROXY) return [];
  // This server speaks http alone: with https something stands in front of it.
  return [
    todo(
      'TRUST_PROXY',
      'is not set. What serves https for you stands in front of this server, and every visitor seems to come from there. Write TRUST_PROXY=1',
    ),
  ];
}

/**
 * A number of proxies is believed of whoever comes, so the port must be theirs alone. Proxies named by
 * their addresses are known by them.
 */
function doorFindings({ TRUST_PROXY, HOST, PORT }: Env): Finding[] {
  if (!TRUST_PROXY || typeof TRUST_PROXY === 'string' || HOST !== undefined) return [];
  return [
    todo(
      'HOST',
      `is not set, so whoever finds port ${PORT} of this machine gets past what stands in front, and TRUST_PROXY believes any address they make up. When it runs on this machine, write HOST=127.0.0.1. When your host brings visitors here from other machines, write HOST=0.0.0.0, and have your host let nobody else in.`,
    ),
  ];
}

/** The same machine, a name that only machines beside it know, or an address of a network that is ours. */
const isNear = (host: string) =>
  /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1\]|f[cd]|fe80:)|^[^.:]+$|\.(internal|local)$/.test(
    host,
  );

function databaseFindings({ DATABASE_URL }: Env): Finding[] {
  if (DATABASE_URL === undefined) return [];
  const { hostname, searchParams } = new URL(DATABASE_URL);
  const mode = searchParams.get('sslmode') ?? 'disable';
  if (isNear(hostname) || !/^(disable|no-verify)$/.test(mode)) return [];
  return [
    todo(
      'DATABASE_URL',
      `leads to ${hostname} ${mode === 'disable' ? 'without encryption' : 'without looking who answers there'}: others on the way can read what you keep. Let it end with ?sslmode=verify-full (docs/deploy.md says what else that may need).`,
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
] as const;

function secretFindings(env: Env, known: string[]): Finding[] {
  const findings: Finding[] = [];
  for (const name of secrets) {
    if ([env[name]].flat().includes(examples[name])) {
      findings.push(todo(name, 'is the example that everybody can read. Make up your own.'));
    }
  }
  const { ADMIN_PASSWORD } = env;
  if (ADMIN_PASSWORD === undefined || ADMIN_PASSWORD === examples.ADMIN_PASSWORD) return findings;
  const weakness = weaknessOf(ADMIN_PASSWORD, known);
  if (weakness) {
    findings.push(
      todo(
        'ADMIN_PASSWORD',
        `${weakness}. Use four or five words at random, or take the variable out and run: npm run admin -- password --generate`,
      ),
    );
  }
  return findings;
}
