import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { readEnv } from '../env.ts';
import { answers, openTestCalendar } from '../testing/calendar.ts';
import { openTestDns } from '../testing/dns.ts';
import { filled } from '../testing/filled-config.ts';
import { site as sample } from '../testing/sample-config.ts';
import { outsideFindings, ownFindings } from './check.ts';
import { countOf, type Finding } from './finding.ts';
import { reportOf } from './report.ts';

const env = readEnv({
  PUBLIC_URL: 'https://www.adabrook.com',
  TRUST_PROXY: '1',
  HOST: '127.0.0.1',
  STRIPE_WEBHOOK_SECRET: 'whsec_q8Wn2rTz',
  SMTP_URL: 'smtps://me:secret@smtp.adabrook.com',
});

async function outside(subject: typeof site, isOnline: boolean) {
  const dns = await openTestDns({});
  try {
    return await outsideFindings(
      { site: subject, env },
      { fetch, timeout: 400, resolver: dns.resolver, isOnline: async () => isOnline },
    );
  } finally {
    await dns.close();
  }
}

it('has nothing left to do once everything is filled in', () => {
  expect(countOf(ownFindings({ site: filled, env }))).toBe(0);
});

it('without a network says so once, and counts nothing as missing', async () => {
  const findings = await outside(filled, false);
  expect(findings).toEqual([
    expect.objectContaining({
      kind: 'unknown',
      text: 'could not be checked from here: no network.',
    }),
  ]);
  expect(reportOf(findings)).toMatch(
    /\n\nNothing left to do before going live; 1 marked \? could not be checked from here\.$/,
  );
});

it('does not ask for a network when there is nothing to be asked', async () => {
  expect(await outside(sample, false)).toEqual([]);
});

it('asks about links, calendars and the domain of the e-mail address', async () => {
  const other = await openTestCalendar();
  other.behaves(answers(404));
  const quiz = `${other.origin}/quiz`;
  const links = { instagram: '', linkedin: '', quiz, checkout: '' };
  const schedulers = { strategyCall: `${other.origin}/call`, inboxReview: '' };
  const findings = await outside({ ...filled, links, schedulers }, true);
  await other.close();
  expect(findings.map(({ where }) => where)).toEqual([
    'links.quiz',
    'schedulers.strategyCall',
    'adabrook.com',
  ]);
});

it('reports by topic, what is to be done first, and the count last', () => {
  const finding = (topic: Finding['topic'], kind: Finding['kind'], where: string): Finding => ({
    topic,
    kind,
    where,
    text: 'is so.',
  });
  const report = reportOf([
    finding('settings', 'advice', 'B'),
    finding('settings', 'todo', 'A'),
    finding('words', 'todo', 'C'),
  ]);
  expect(report).toBe(
    'Words and people (site.config.ts)\n  ✗ C is so.\n\n' +
      'Settings (the file .env, or the environment)\n  ✗ A is so.\n  · B is so.\n\n' +
      '2 things to do before going live.',
  );
  expect(reportOf([finding('words', 'todo', 'C')])).toMatch(
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

it('is a program that names what is missing and ends with 1', () => {
  const { status, stdout, stderr } = launchCheck({ ADMIN_PASSWORD: 'tuesday' });
  expect([status, stderr]).toEqual([1, '']);
  const findings = ownFindings({ site, env: readEnv({ ADMIN_PASSWORD: 'tuesday' }) });
  for (const { where, text } of findings) expect(stdout).toContain(`${where} ${text}`);
  // The owner's real addresses are asked too, and may be wrong.
  const [, count = ''] = /\n(\d+) things? to do before going live.*\n$/.exec(stdout) ?? [];
  expect(stdout.match(/^ {2}✗ /gm)).toHaveLength(Number(count));
  expect(Number(count)).toBeGreaterThanOrEqual(countOf(findings));
});

it('is a program that refuses a bad variable with one line', () => {
  expect(launchCheck({ PUBLIC_URL: 'my site' })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^PUBLIC_URL must be [^\n]*\n$/),
  });
});
