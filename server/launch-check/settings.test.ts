import { expect, it } from 'vitest';
import { readEnv } from '../env.ts';
import { findingsOf } from './finding.ts';
import { settingsChecks } from './settings.ts';

const settingsFindings = (...input: Parameters<typeof settingsChecks>) =>
  findingsOf(settingsChecks(...input));

const email = 'ada@adabrook.com';
const mail = { SMTP_URL: 'smtps://me:secret@smtp.adabrook.com' };
const proxied = { TRUST_PROXY: '1', HOST: '127.0.0.1' };
const ready = { PUBLIC_URL: 'https://www.adabrook.com', ...proxied, ...mail };

const database = (address: string) => ({
  ...ready,
  SESSION_SECRET: 'f00e2c1d9b7a44c0e1b2',
  DATABASE_URL: `postgres://me:secret@${address}`,
});

function todos(env: Record<string, string>): string[] {
  return settingsFindings(readEnv(env), {
    publicWords: ['Ada', 'Brook'],
    email,
    hasCheckout: false,
  })
    .filter(({ kind }) => kind === 'todo')
    .map(({ where, text }) => `${where} ${text}`);
}

it('a site with an address, a proxy and a mail server has nothing to do', () => {
  expect(todos(ready)).toEqual([]);
});

it.each([
  [
    { ...mail },
    /^PUBLIC_URL is not set\. Set it to the address that visitors type: PUBLIC_URL=https/,
  ],
  [
    { ...mail, PUBLIC_URL: 'http://localhost:3000' },
    /^PUBLIC_URL is http:\/\/localhost:3000, which no/,
  ],
  [
    { ...mail, PUBLIC_URL: 'https://www.your-domain.com' },
    /^PUBLIC_URL is .* which no visitor can reach/,
  ],
  [{ ...mail, PUBLIC_URL: 'https://ada.example' }, /^PUBLIC_URL is .* which no visitor can reach/],
  [
    { ...mail, PUBLIC_URL: 'http://adabrook.com' },
    /^PUBLIC_URL is http:\/\/adabrook\.com: without https/,
  ],
  [
    { ...mail, PUBLIC_URL: 'https://adabrook.com' },
    /^TRUST_PROXY is not set\..* Set TRUST_PROXY=1$/,
  ],
  [{ PUBLIC_URL: ready.PUBLIC_URL, ...proxied }, /^SMTP_URL is not set, so you get no email/],
  [
    { PUBLIC_URL: ready.PUBLIC_URL, TRUST_PROXY: '1', PORT: '8080', ...mail },
    /^HOST is not set, .* at port 8080 .* set HOST=127\.0\.0\.1\. .* HOST=0\.0\.0\.0,/,
  ],
  [{ ...ready, SESSION_SECRET: '3f1c9a0be2d84c55a0e7' }, /^SESSION_SECRET is the example/],
  [
    { ...database('x/y'), DATABASE_URL: 'postgres://shingle:password@localhost:5432/shingle' },
    /^DATABASE_URL is the example/,
  ],
  [
    { ...ready, SMTP_URL: 'smtps://me@my-domain.com:password@smtp.my-host.com' },
    /^SMTP_URL is the example/,
  ],
  [
    { ...ready, SMTP_URL: `${mail.SMTP_URL}?tls.rejectUnauthorized=false` },
    /^SMTP_URL accepts any certificate of smtp\.adabrook\.com: /,
  ],
  ...['resend', 'apikey', 'AKIA5EXAMPLE', '8f2c1a001%40smtp-brevo.com'].map(
    (login): [Record<string, string>, RegExp] => [
      { ...ready, SMTP_URL: `smtp://${login}:key@relay.my-host.com:587` },
      /^EMAIL_FROM is not set, and .* sent from \S+, which relay\.my-host\.com may refuse/,
    ],
  ),
  [
    { ...ready, SMTP_URL: 'smtps://resend:key@smtp.my-host.com', CONTACT_TO: 'ada@gmail.com' },
    /^EMAIL_FROM must be an address of your own domain: .* sent from ada@gmail\.com through/,
  ],
  [{ ...ready, CONVERSION_KEY: '0a4f7c1be29d4e6f' }, /^CONVERSION_KEY is the example/],
  [{ ...ready, METRICS_KEY: 'b81e6d20f3974ac5' }, /^METRICS_KEY is the example/],
  [
    { ...ready, STRIPE_WEBHOOK_SECRET: 'whsec_3kF9tQ0aZ7xLm2Vd' },
    /^STRIPE_WEBHOOK_SECRET is the example/,
  ],
  [{ ...ready, ADMIN_PASSWORD: 'a long sentence only you know' }, /^ADMIN_PASSWORD is the example/],
  [
    { ...ready, ADMIN_PASSWORD: 'tuesday' },
    /^ADMIN_PASSWORD has 7 characters; use 12 or more\. .*--generate$/,
  ],
])('the environment %j has one thing to do', (env, sentence) => {
  expect(todos(env as Record<string, string>)).toEqual([expect.stringMatching(sentence)]);
});

it.each([
  { SMTP_URL: 'smtps://me:secret@smtp.adabrook.com' },
  { SMTP_URL: 'smtps://ada.brook%40gmail.com:secret@smtp.gmail.com' },
  { SMTP_URL: 'smtp://resend:secret@smtp.my-host.com', EMAIL_FROM: 'hello@adabrook.com' },
])('a sender that its mail server accepts has no finding: %j', (variables) => {
  expect(todos({ ...ready, ...variables })).toEqual([]);
});

it('a mail server that the owner chose without encryption is something to do', () => {
  const [withLogin, without] = ['me:secret@', ''].map((login) => {
    const SMTP_URL = `smtp://${login}smtp.adabrook.com:587?security=none`;
    const input = { publicWords: [], email, hasCheckout: false };
    const found = settingsFindings({ ...readEnv(ready), SMTP_URL }, input);
    return found.filter(({ kind }) => kind === 'todo').map(({ text }) => text);
  });
  expect(withLogin).toEqual([expect.stringMatching(/^at smtp\.adabrook\.com is reached without/)]);
  expect(without).toEqual([]);
});

it.each([
  [
    'db.my-host.com/site',
    /^DATABASE_URL leads to db\.my-host\.com without encryption: .*verify-full/,
  ],
  ['db.my-host.com/site?sslmode=disable', /without encryption/],
  ['db.my-host.com/site?sslmode=no-verify', /without checking its certificate/],
  ['203.0.113.7/site', /leads to 203\.0\.113\.7 without/],
])('a remote database without verified encryption is something to do: %s', (address, sentence) => {
  const found = todos(database(address));
  expect(found).toEqual([expect.stringMatching(sentence)]);
  expect(found.join()).not.toContain('secret');
});

it.each([
  'db.my-host.com/site?sslmode=verify-full',
  'db.my-host.com/site?sslmode=require&sslrootcert=/a.pem',
  'localhost/site',
  '127.0.0.1/site',
  'db:5432/site',
  '10.1.2.3/site',
  '172.20.0.2/site',
  '[fd00::7]/site',
  'db.fly.internal/site',
])('a local or encrypted database has no finding: %s', (address) => {
  expect(todos(database(address))).toEqual([]);
});

it.each([{ HOST: '0.0.0.0' }, { TRUST_PROXY: 'loopback, 10.0.0.0/8' }, { TRUST_PROXY: 'off' }])(
  'a public port has no finding with %j',
  (env) => {
    const { HOST: _, ...withoutHost } = ready;
    const findings = settingsFindings(readEnv({ ...withoutHost, ...env }), {
      publicWords: [],
      email,
      hasCheckout: false,
    });
    expect(findings.map(({ where }) => where)).not.toContain('HOST');
  },
);

it('a checkout without a source of sales is something to do', () => {
  const findings = settingsFindings(readEnv(ready), { publicWords: [], email, hasCheckout: true });
  expect(findings.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
    'todo STRIPE_WEBHOOK_SECRET',
  ]);
});

it('a missing source of sales without a checkout is advice to import them in the dashboard', () => {
  const findings = settingsFindings(readEnv(ready), { publicWords: [], email, hasCheckout: false });
  expect(findings.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
    'advice STRIPE_WEBHOOK_SECRET',
  ]);
  expect(findings[0]?.text).toMatch(/under Settings, Payments, or import a file of sales/);
  const paid = settingsFindings(readEnv({ ...ready, CONVERSION_KEY: 'k'.repeat(16) }), {
    publicWords: [],
    email,
    hasCheckout: true,
  });
  expect(paid.map(({ where }) => where)).toEqual([]);
  const reported = settingsFindings(readEnv(ready), {
    publicWords: [],
    email,
    hasCheckout: true,
    hasReportKey: true,
  });
  expect(reported.map(({ where }) => where)).toEqual([]);
});
