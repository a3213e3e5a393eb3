import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readEnv, variableNames } from './env.ts';
import { AppError } from './errors.ts';

it('readEnv needs no variable', () => {
  expect(readEnv({})).toMatchObject({
    PORT: 3000,
    DATA_DIR: resolve('data'),
    TRUST_PROXY: false,
    SITE_CONTENT: 'browser',
    LOG_LEVEL: 'info',
  });
});

const receiverSecret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

it('readEnv reads every variable', () => {
  expect(
    readEnv({
      PORT: '8080',
      HOST: '127.0.0.1',
      DATA_DIR: '/srv/shingle',
      ADMIN_PASSWORD: 'x',
      SESSION_SECRET: '0123456789abcdef, fedcba9876543210',
      PUBLIC_URL: 'https://www.example.com/',
      TRUST_PROXY: 'loopback, 10.0.0.0/8',
      DATABASE_URL: 'postgres://me:a%25b@db.my-host.com:5432/shingle?sslmode=verify-full',
      CONVERSION_KEY: '0123456789abcdef',
      METRICS_KEY: 'fedcba9876543210',
      SMTP_URL: 'smtps://me%40my-domain.com:a%25b@smtp.my-host.com',
      CONTACT_TO: 'me@my-domain.com, you@müller.example',
      EMAIL_FROM: 'hello@my-domain.com',
      LOCAL_HOSTS: 'Mail.lan, 10.0.0.7',
      KEEP_ACTIVITY_DAYS: '400',
      WEBHOOK_URL: 'http://localhost:5678/webhook/1',
      WEBHOOK_SECRET: `${receiverSecret}, ${receiverSecret}`,
      BUSY_CALENDARS: 'https://calendar.example/a.ics, webcal://calendar.example/b.ics',
      KEEP_MESSAGES_DAYS: '730',
      KEEP_BOOKINGS_DAYS: '730',
      KEEP_BUYERS_DAYS: '3650',
      SITE_CONTENT: 'file',
      LOG_LEVEL: 'debug',
    }),
  ).toEqual({
    PORT: 8080,
    HOST: '127.0.0.1',
    DATA_DIR: '/srv/shingle',
    DATABASE_URL: 'postgres://me:a%25b@db.my-host.com:5432/shingle?sslmode=verify-full',
    ADMIN_PASSWORD: 'x',
    SESSION_SECRET: ['0123456789abcdef', 'fedcba9876543210'],
    PUBLIC_URL: 'https://www.example.com',
    TRUST_PROXY: 'loopback, 10.0.0.0/8',
    CONVERSION_KEY: '0123456789abcdef',
    METRICS_KEY: 'fedcba9876543210',
    SMTP_URL: 'smtps://me%40my-domain.com:a%25b@smtp.my-host.com',
    CONTACT_TO: ['me@my-domain.com', 'you@xn--mller-kva.example'],
    EMAIL_FROM: 'hello@my-domain.com',
    LOCAL_HOSTS: ['mail.lan', '10.0.0.7'],
    KEEP_ACTIVITY_DAYS: 400,
    WEBHOOK_URL: 'http://localhost:5678/webhook/1',
    WEBHOOK_SECRET: [receiverSecret, receiverSecret],
    BUSY_CALENDARS: ['https://calendar.example/a.ics', 'webcal://calendar.example/b.ics'],
    KEEP_MESSAGES_DAYS: 730,
    KEEP_BOOKINGS_DAYS: 730,
    KEEP_BUYERS_DAYS: 3650,
    SITE_CONTENT: 'file',
    LOG_LEVEL: 'debug',
  });
  expect(
    ['true', 'off', '', '2'].map((text) => readEnv({ TRUST_PROXY: text }).TRUST_PROXY),
  ).toEqual([true, false, false, 2]);
});

it.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['HOST', ''],
  ['ADMIN_PASSWORD', ''],
  ['SMTP_URL', 'smtp.my-host.com'],
  ['SMTP_URL', 'http://smtp.my-host.com'],
  ['SMTP_URL', 'smtp://me%:x@smtp.my-host.com'],
  ['SMTP_URL', 'smtps://me:100%@smtp.my-host.com'],
  ['WEBHOOK_URL', 'http://hooks.my-host.com'],
  ['WEBHOOK_URL', 'https://me:key@hooks.my-host.com'],
  ['WEBHOOK_SECRET', 'whsec_short'],
  ['WEBHOOK_SECRET', Buffer.alloc(24, 1).toString('base64')],
  ['CONTACT_TO', 'me'],
  ['LOCAL_HOSTS', 'mail.lan,'],
  ['LOCAL_HOSTS', 'https://mail.lan'],
  ['CONTACT_TO', 'me@my-domain.com,'],
  ['EMAIL_FROM', 'Ada Brook <hello@my-domain.com>'],
  ['KEEP_ACTIVITY_DAYS', '30'],
  ['KEEP_ACTIVITY_DAYS', 'a year'],
  ['BUSY_CALENDARS', 'http://calendar.example/a.ics'],
  ['BUSY_CALENDARS', 'a.ics'],
  ['KEEP_MESSAGES_DAYS', '3'],
  ['KEEP_BOOKINGS_DAYS', '3'],
  ['KEEP_BUYERS_DAYS', '30'],
  ['SESSION_SECRET', 'short'],
  ['SESSION_SECRET', '0123456789abcdef,'],
  ['PUBLIC_URL', 'www.example.com'],
  ['PUBLIC_URL', 'ftp://example.com'],
  ['PUBLIC_URL', 'https://example.com/shop'],
  ['TRUST_PROXY', 'the proxy'],
  ['CONVERSION_KEY', 'short'],
  ['CONVERSION_KEY', 'a key with spaces in it'],
  ['METRICS_KEY', 'short'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_x,sk_live_x'],
  ['SITE_CONTENT', 'git'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'mysql://localhost/shingle'],
  ['DATABASE_URL', 'postgres://localhost'],
  ['DATABASE_URL', 'postgres://localhost:5432/'],
  ['DATABASE_URL', 'postgres://localhost:99999/shingle'],
  ['DATABASE_URL', 'postgres://me:100%@localhost/shingle'],
  ['DATABASE_URL', 'postgres://me:hunter/2@localhost'],
  ['SMTP_URL', 'smtp://AKIA:587/ab'],
  ['SMTP_URL', 'smtp://smtp.my-host.com?requireTls=true'],
  ['SMTP_URL', 'smtp://smtp.my-host.com?tls.rejectUnauthorized=no'],
  ['SMTP_URL', 'smtp://smtp.my-host.com?name=me@my-domain.com'],
  ['SMTP_URL', 'smtp://smtp.my-host.com:587?name=me@my-domain.com'],
])(
  'readEnv rejects %s=%s with one line that names the variable and gives an example',
  (name, value) => {
    const read = () => readEnv({ [name]: value });
    expect(read).toThrow(AppError);
    expect(read).toThrow(new RegExp(`^${name} .*For example: \\S.*$`));
  },
);

it.each([
  ['SMTP_URL', 'smtp://AKIA:BKx/ab+c@smtp.my-host.com:587', 'BKx/ab+c'],
  ['SMTP_URL', 'smtp://AKIA:587/ab@smtp.my-host.com:587', '587/ab'],
  ['SMTP_URL', 'smtps://me@my-domain.com:a?b#c@d:e@smtp.my-host.com', 'a?b#c@d:e'],
  ['SMTP_URL', 'smtp://me:a%2Fb@smtp.my-host.com?tls.rejectUnauthorized=false', 'a/b'],
  ['DATABASE_URL', 'postgres://me:hunter/2@smtp.my-host.com/shingle', 'hunter/2'],
  ['DATABASE_URL', 'postgres://me:2/hunter@smtp.my-host.com/shingle', '2/hunter'],
  ['DATABASE_URL', 'postgres://me:hunter#2@smtp.my-host.com/shingle', 'hunter#2'],
  ['DATABASE_URL', 'postgres://me:2?hunter@smtp.my-host.com/shingle?sslmode=require', '2?hunter'],
  ['DATABASE_URL', 'postgres://me:2/hunter?x@smtp.my-host.com/shingle', '2/hunter?x'],
  ['DATABASE_URL', 'postgres://me:2/hunter#x@smtp.my-host.com/shingle', '2/hunter#x'],
  ['DATABASE_URL', 'postgres://me:a@smtp.my-host.com/shingle?application_name=a@b', 'a'],
] as const)('readEnv takes the password of %s=%s as it was pasted', (name, value, password) => {
  const url = new URL(readEnv({ SESSION_SECRET: 'x'.repeat(16), [name]: value })[name] ?? '');
  expect(decodeURIComponent(url.password)).toBe(password);
  expect(url.hostname).toBe('smtp.my-host.com');
});

it.each([
  'SESSION_SECRET',
  'CONVERSION_KEY',
  'METRICS_KEY',
  'DATABASE_URL',
  'WEBHOOK_URL',
  'WEBHOOK_SECRET',
])('readEnv never repeats the secret in %s', (name) => {
  expect(() => readEnv({ [name]: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
});

it.each(['smtp://me:12?hunter2', 'smtp://me:hunter2%@smtp.my-host.com', 'smtp://me:hunter2'])(
  'readEnv never repeats the password of the mail server in SMTP_URL=%s',
  (SMTP_URL) => {
    expect(() => readEnv({ SMTP_URL })).toThrow(/^SMTP_URL (?!.*hunter2)/);
  },
);

it.each([
  ['SMTP_URL', 'smtps://me:hunter2@smtp.my-host.com?x=a@b'],
  ['SMTP_URL', 'smtps://me:hunter2@smtp.my-host.com/x@b'],
  ['SMTP_URL', 'smtps://me:hunter2@smtp.my-host.com:x?y=a@b'],
  ['SMTP_URL', 'smtps://me@smtp.my-host.com:465?x=hunter2@b'],
  ['DATABASE_URL', 'postgres://me:hunter2@localhost/shingle/x@b/c'],
])(
  'readEnv sends no password to the host after an @ in the path or an option: %s=%s',
  (name, value) => {
    expect(() => readEnv({ SESSION_SECRET: 'x'.repeat(16), [name]: value })).toThrow(
      new RegExp(`^${name} (?!.*hunter2)`),
    );
  },
);

it.each(['?sslrootcert=/etc/x@y/ca.pem', '?application_name=me@home', '?options=a@b/c'])(
  'readEnv takes the host of a database that is written before %s',
  (options) => {
    const DATABASE_URL = `postgres://me:hunter2@localhost:5432/shingle${options}`;
    expect(readEnv({ SESSION_SECRET: 'x'.repeat(16), DATABASE_URL })).toMatchObject({
      DATABASE_URL,
    });
  },
);

it('readEnv requires SESSION_SECRET on a database server', () => {
  const database = { DATABASE_URL: 'postgres://localhost/shingle' };
  expect(() => readEnv(database)).toThrow(/^SESSION_SECRET .*For example: SESSION_SECRET=/);
  expect(() => readEnv({ ...database, SESSION_SECRET: '0123456789abcdef' })).not.toThrow();
});

it('readEnv requires WEBHOOK_URL and WEBHOOK_SECRET together', () => {
  const url = { WEBHOOK_URL: 'https://hooks.example.com' };
  const secret = { WEBHOOK_SECRET: receiverSecret };
  expect(() => readEnv(url)).toThrow(
    /^WEBHOOK_SECRET must be set, too.*For example: WEBHOOK_SECRET=/,
  );
  expect(() => readEnv(secret)).toThrow(/^WEBHOOK_URL must be set, too.*For example: WEBHOOK_URL=/);
  expect(() => readEnv({ ...url, ...secret })).not.toThrow();
});

it('.env.example lists every variable', () => {
  const example = readFileSync('.env.example', 'utf8');
  const named = [...example.matchAll(/^# ?([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...variableNames].sort());
});
