import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { site } from '../../site.config.ts';
import { readEnv } from '../env.ts';
import { openTestCalendar, respondsWith } from '../testing/calendar.ts';
import { openTestDns } from '../testing/dns.ts';
import { filled } from '../testing/filled-config.ts';
import { site as sample } from '../testing/sample-config.ts';
import { networkFindings, offlineFindings } from './check.ts';
import { countOf, type Finding } from './finding.ts';
import { reportOf } from './report.ts';

const env = readEnv({
  PUBLIC_URL: 'https://www.adabrook.com',
  TRUST_PROXY: '1',
  HOST: '127.0.0.1',
  STRIPE_WEBHOOK_SECRET: 'whsec_q8Wn2rTz',
  SMTP_URL: 'smtps://me:secret@smtp.adabrook.com',
});

async function networkFindingsOf(subject: typeof site, isOnline: boolean) {
  const dns = await openTestDns({});
  try {
    return await networkFindings(
      { site: subject, env },
      { fetch, timeout: 20_000, resolver: dns.resolver, isOnline: async () => isOnline },
    );
  } finally {
    await dns.close();
  }
}

it('a complete config has nothing to do', () => {
  expect(countOf(offlineFindings({ site: filled, env }))).toBe(0);
});

it('the launch check without a network has one unknown finding and nothing to do', async () => {
  const findings = await networkFindingsOf(filled, false);
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

it('the launch check needs no network when every address is a placeholder or a sample', async () => {
  expect(await networkFindingsOf(sample, false)).toEqual([]);
});

it('the launch check requests links, calendars and the domain of the email address', async () => {
  const other = await openTestCalendar();
  other.setBehaviour(respondsWith(404));
  const quiz = `${other.origin}/quiz`;
  const links = { instagram: '', linkedin: '', quiz, checkout: '' };
  const schedulers = { strategyCall: `${other.origin}/call`, inboxReview: '' };
  const findings = await networkFindingsOf({ ...filled, links, schedulers }, true);
  await other.close();
  expect(findings.map(({ where }) => where)).toEqual([
    'links.quiz',
    'schedulers.strategyCall',
    'adabrook.com',
  ]);
});

it('the report is sorted by topic, with things to do first and their count last', () => {
  const finding = (topic: Finding['topic'], kind: Finding['kind'], where: string): Finding => ({
    topic,
    kind,
    where,
    text: 'is wrong.',
  });
  const report = reportOf([
    finding('settings', 'advice', 'B'),
    finding('settings', 'todo', 'A'),
    finding('words', 'todo', 'C'),
  ]);
  expect(report).toBe(
    'Texts and people (site.config.ts)\n  ✗ C is wrong.\n\n' +
      'Settings (the file .env, or the environment)\n  ✗ A is wrong.\n  · B is wrong.\n\n' +
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

it('the built launch check prints every finding and exits with 1', () => {
  const { status, stdout, stderr } = launchCheck({ ADMIN_PASSWORD: 'tuesday' });
  expect([status, stderr]).toEqual([1, '']);
  const findings = offlineFindings({ site, env: readEnv({ ADMIN_PASSWORD: 'tuesday' }) });
  for (const { where, text } of findings) expect(stdout).toContain(`${where} ${text}`);
  // The program also requests the owner's real addresses, which may add findings.
  const [, count = ''] = /\n(\d+) things? to do before going live.*\n$/.exec(stdout) ?? [];
  expect(stdout.match(/^ {2}✗ /gm)).toHaveLength(Number(count));
  expect(Number(count)).toBeGreaterThanOrEqual(countOf(findings));
});

it('the built launch check refuses an invalid variable with one line', () => {
  expect(launchCheck({ PUBLIC_URL: 'my site' })).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(/^PUBLIC_URL must be [^\n]*\n$/),
  });
});
