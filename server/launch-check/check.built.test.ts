import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { linesOf } from '../build/config/field-lines.ts';
import { readEnv } from '../env.ts';
import { openTestCalendar, respondsWith } from '../testing/calendar.ts';
import { openTestDns } from '../testing/dns.ts';
import { engines } from '../testing/engines.ts';
import { filled } from '../testing/filled-config.ts';
import { named, testNetwork } from '../testing/outbound.ts';
import { validPublish } from '../testing/publish.ts';
import { site as sample } from '../testing/sample-config.ts';
import { networkChecks, offlineChecks } from './check.ts';
import { type Check, countOf, type Finding, findingsOf } from './finding.ts';
import { reportOf } from './report.ts';

const env = readEnv({
  PUBLIC_URL: 'https://www.adabrook.com',
  TRUST_PROXY: '1',
  HOST: '127.0.0.1',
  STRIPE_WEBHOOK_SECRET: 'whsec_q8Wn2rTz',
  CAL_WEBHOOK_SECRET: '5c07e1d9a2b84f63',
  SMTP_URL: 'smtps://me:secret@smtp.adabrook.com',
});

async function networkChecksOf(subject: typeof site, isOnline: boolean, variables = env) {
  const dns = await openTestDns({});
  try {
    return await networkChecks(
      { site: subject, env: variables },
      {
        ...testNetwork,
        timeoutMs: 20_000,
        resolver: dns.resolver,
        isOnline: async () => isOnline,
      },
    );
  } finally {
    await dns.close();
  }
}

it('a complete config has nothing to do', () => {
  expect(countOf(offlineChecks({ site: filled, env }))).toBe(0);
});

it('each check that finds nothing says what holds', () => {
  const doneOf = (subject: typeof site, variables = env) =>
    offlineChecks({ site: subject, env: variables }).flatMap(({ done, findings }) =>
      findings.length === 0 ? [done] : [],
    );
  expect(doneOf(sample, readEnv({}))).toEqual([
    'The connection to your database is private.',
    'Your password and keys are your own.',
    'Your colours have enough contrast.',
  ]);
  expect(doneOf(filled)).toHaveLength(offlineChecks({ site: filled, env }).length);
});

it('no finding contains a secret', () => {
  const secrets = {
    ADMIN_PASSWORD: 'tuesday',
    SESSION_SECRET: 'session-secret-0123456789',
    DATABASE_URL: 'postgres://owner:database-secret@db.my-host.com/site',
    SMTP_URL: 'smtp://owner:smtp-secret@smtp.my-host.com',
    STRIPE_WEBHOOK_SECRET: 'whsec_stripe-secret',
    STRIPE_API_KEY: 'rk_live_apisecret',
    CONVERSION_KEY: 'conversion-secret-1234',
    METRICS_KEY: 'metrics-secret-1234567',
    CALENDLY_WEBHOOK_SECRET: 'calendly-secret-1234',
    CAL_WEBHOOK_SECRET: 'cal-secret-0123456789',
    BUSY_CALENDARS: 'https://calendar.my-host.com/calendar-secret.ics',
  };
  const text = JSON.stringify(offlineChecks({ site: sample, env: readEnv(secrets) }));
  expect(text).toContain('db.my-host.com');
  expect(text).not.toMatch(/tuesday|secret[-"@.]|apisecret|-secret/);
});

it('the launch check without a network has one unknown finding and nothing to do', async () => {
  const checks = await networkChecksOf(filled, false);
  expect(findingsOf(checks)).toEqual([
    expect.objectContaining({
      kind: 'unknown',
      text: 'could not be checked from here: no network.',
    }),
  ]);
  expect(reportOf(checks)).toMatch(
    /\n\nNothing left to do before going live; 1 marked \? could not be checked from here\.$/,
  );
});

it('the launch check needs no network when every address is a placeholder or a sample', async () => {
  expect(await networkChecksOf(sample, false, { ...env, PUBLIC_URL: undefined })).toEqual([]);
});

it('the launch check requests links, calendars, the domain of the email address and the site’s own address', async () => {
  const other = await openTestCalendar();
  other.setBehaviour(respondsWith(404));
  const quiz = `${named(other.origin)}/quiz`;
  const links = { instagram: '', linkedin: '', quiz, checkout: '' };
  const schedulers = { strategyCall: `${named(other.origin)}/call`, inboxReview: '' };
  const checks = await networkChecksOf({ ...filled, links, schedulers }, true);
  await other.close();
  expect(findingsOf(checks).map(({ where }) => where)).toEqual([
    'links.quiz',
    'schedulers.strategyCall',
    'adabrook.com',
    'PUBLIC_URL',
  ]);
});

it('the launch check looks at the domain of the sender where brand.email is still a sample', async () => {
  const from = { ...env, EMAIL_FROM: 'hello@mail.rowan-studio.com' };
  const checks = await networkChecksOf({ ...sample, links: filled.links }, true, from);
  expect(findingsOf(checks).map(({ where }) => where)).toContain('mail.rowan-studio.com');
});

it('the launch check looks up the ASCII domain of an international brand.email, which is also the sender', async () => {
  const brand = { ...sample.brand, email: 'ada@müller-brook.com' };
  const checks = await networkChecksOf({ ...sample, brand }, true);
  expect(findingsOf(checks).map(({ where }) => where)).toContain('xn--mller-brook-thb.com');
});

it('the report is sorted by topic, with things to do first and their count last', () => {
  const check = (topic: Check['topic'], ...found: [Finding['kind'], where: string][]): Check => ({
    topic,
    done: 'It is right.',
    findings: found.map(([kind, where]) => ({ kind, where, text: 'is wrong.' })),
  });
  const report = reportOf([
    check('settings', ['advice', 'B']),
    check('settings', ['todo', 'A']),
    check('links'),
    check('words', ['todo', 'C']),
  ]);
  expect(report).toBe(
    'Texts and people\n  ✗ C is wrong.\n\n' +
      'Settings (the file .env, or the environment)\n  ✗ A is wrong.\n  · B is wrong.\n\n' +
      '2 things to do before going live.',
  );
  expect(reportOf([check('words', ['todo', 'C'])])).toMatch(
    /\n\n1 thing to do before going live\.$/,
  );
});

/** The built program, as `npm run launch-check` runs it. */
function launchCheck(variables: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/server/launch-check.js'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...variables },
  });
  return { status, stdout, stderr };
}

it('the built launch check prints every finding, with the line of its field, and exits with 1', async () => {
  const { status, stdout, stderr } = launchCheck({ ADMIN_PASSWORD: 'tuesday' });
  expect([status, stderr]).toEqual([1, '']);
  const checks = offlineChecks({ site, env: readEnv({ ADMIN_PASSWORD: 'tuesday' }) });
  const printed = stdout.split('\n').map((row) => row.replace(/^ {2}[✗?·] /, ''));
  const lines = await linesOf(readFileSync('site.config.ts', 'utf8'));
  for (const { where, text } of findingsOf(checks)) {
    const line = where in lines ? `line ${lines[where]}: ` : '';
    expect(printed).toContain(`${line}${where} ${text}`);
  }
  // The program also requests the owner's real addresses, which may add findings.
  const [, count = ''] = /\n(\d+) things? to do before going live.*\n$/.exec(stdout) ?? [];
  expect(stdout.match(/^ {2}✗ /gm)).toHaveLength(Number(count));
  expect(Number(count)).toBeGreaterThanOrEqual(countOf(checks));
});

it('the built launch check names neither lines nor the file where another document is published', async () => {
  const [sqlite] = engines;
  if (!sqlite) throw new Error('No engine.');
  const database = await sqlite.create();
  const { content, close } = await database.open();
  const act = { file: site, now: 0 };
  const document = structuredClone({ ...site, tagline: 'Published' });
  const revision = await content.replaceDraft({ ...act, document });
  await content.publish({ ...act, ...validPublish, revision });
  await close();
  const { stdout } = launchCheck(database.env);
  await database.remove();
  expect(stdout).toMatch(/^Texts and people\n {2}✗ brand\./m);
  expect(stdout).not.toMatch(/line \d|\(site\.config\.ts\)/);
});

it('the built launch check refuses an invalid variable with one line', () => {
  expect(launchCheck({ PUBLIC_URL: 'my site' })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^PUBLIC_URL must be [^\n]*\n$/),
  });
});
